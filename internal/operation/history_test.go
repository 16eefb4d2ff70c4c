package operation

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func testRules() Rules {
	return Rules{
		Guarded: func(k Kind) bool { return k != "open" },
		Delete:  func(k Kind) bool { return k == "delete" },
	}
}

func node(n int, kind Kind, fence uint64, claim string, parents ...int) Node {
	return Node{Op: Operation{ID: ID(fmt.Sprintf("%032x", n)), Clock: uint64(n + 1), Kind: kind, Fence: fence, Claim: claim}, Parents: parents}
}

func voided(nodes []Node) []int {
	var all []int
	for i, v := range Void(nodes, testRules()) {
		if v {
			all = append(all, i)
		}
	}
	return all
}

func TestVoid(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name  string
		nodes []Node
		want  []int
	}{
		{"one holder", []Node{node(0, "do", 1, "a"), node(1, "do", 1, "a", 0), node(2, "do", 1, "a", 1)}, nil},
		{"S-14 a lost lock, offline", []Node{node(0, "do", 1, "a"), node(1, "do", 1, "a", 0), node(2, "do", 2, "b", 0)}, []int{1}},
		{"S-14 a lost lock, seen and ignored", []Node{node(0, "do", 1, "a"), node(1, "do", 2, "b", 0), node(2, "do", 1, "a", 1)}, []int{2}},
		{"what the next holder saw stays", []Node{node(0, "do", 1, "a"), node(1, "do", 2, "b", 0), node(2, "do", 3, "c", 1)}, nil},
		{"S-12 two claims offline, the lower wins", []Node{node(0, "do", 0, ""), node(1, "do", 1, "b", 0), node(2, "do", 1, "a", 0)}, []int{1}},
		{"a claim that is not named loses", []Node{node(0, "do", 0, ""), node(1, "do", 1, "", 0), node(2, "do", 1, "b", 0)}, []int{1}},
		{"open operations stay", []Node{node(0, "do", 1, "a"), node(1, "open", 1, "a", 0), node(2, "do", 2, "b", 0)}, nil},
		{"free after a release", []Node{node(0, "do", 1, "a"), node(1, "do", 0, "", 0)}, nil},
		{"free, while somebody held it unseen", []Node{node(0, "do", 0, ""), node(1, "do", 0, "", 0), node(2, "do", 1, "a", 0)}, []int{1}},
		{"a delete nobody contradicts", []Node{node(0, "open", 0, ""), node(1, "delete", 0, "", 0)}, nil},
		{"S-6 an edit meanwhile revives", []Node{node(0, "open", 0, ""), node(1, "delete", 0, "", 0), node(2, "open", 0, "", 0)}, []int{1}},
		{"two deletes do not revive", []Node{node(0, "open", 0, ""), node(1, "delete", 0, "", 0), node(2, "delete", 0, "", 0)}, nil},
		{"a delete under a lost lock", []Node{node(0, "do", 1, "a"), node(1, "do", 2, "b", 0), node(2, "delete", 1, "a", 1)}, []int{2}},
		{"after the merge it goes on", []Node{
			node(0, "do", 1, "a"), node(1, "open", 0, "", 0), node(2, "open", 0, "", 0), node(3, "do", 2, "b", 1, 2), node(4, "do", 1, "a", 3),
		}, []int{4}},
	} {
		if got := voided(tt.nodes); !slices.Equal(got, tt.want) {
			t.Errorf("%s: void %v, want %v", tt.name, got, tt.want)
		}
	}
}

// slowVoid is the two rules as they are written.
func slowVoid(nodes []Node, rules Rules) []bool {
	seen := ancestors(nodes, 0)
	void := make([]bool, len(nodes))
	for i, n := range nodes {
		for j, o := range nodes {
			concurrent := i != j && !seen[i].has(j) && !seen[j].has(i)
			if rules.Delete(n.Op.Kind) && !rules.Delete(o.Op.Kind) && concurrent {
				void[i] = true
			}
			if !rules.Guarded(n.Op.Kind) || !rules.Guarded(o.Op.Kind) || !authorityOf(o.Op).later(authorityOf(n.Op)) || seen[j].has(i) {
				continue
			}
			if n.Op.Fence > 0 || concurrent {
				void[i] = true
			}
		}
	}
	return void
}

func genHistory(t *rapid.T) []Node {
	n := rapid.IntRange(1, 40).Draw(t, "n")
	nodes := make([]Node, n)
	for i := range nodes {
		kind := rapid.SampledFrom([]Kind{"do", "do", "do", "open", "delete"}).Draw(t, "kind")
		fence := rapid.Uint64Range(0, 3).Draw(t, "fence")
		nodes[i] = node(i, kind, fence, rapid.SampledFrom([]string{"", "a", "b"}).Draw(t, "claim"))
		if i == 0 {
			continue
		}
		switch rapid.IntRange(0, 3).Draw(t, "shape") {
		case 0: // a fork
			nodes[i].Parents = []int{rapid.IntRange(0, i-1).Draw(t, "parent")}
		case 1: // a merge
			nodes[i].Parents = []int{i - 1, rapid.IntRange(0, i-1).Draw(t, "parent")}
		default:
			nodes[i].Parents = []int{i - 1}
		}
	}
	return nodes
}

func TestVoid_sameAsPairByPair(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		nodes := genHistory(t)
		if got, want := Void(nodes, testRules()), slowVoid(nodes, testRules()); !slices.Equal(got, want) {
			t.Fatalf("void %v, want %v", got, want)
		}
	})
}

// What is void stays so: a history that grew voids no less.
func TestVoid_growsOnly(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		nodes := genHistory(t)
		part := rapid.IntRange(0, len(nodes)).Draw(t, "part")
		before, after := Void(nodes[:part], testRules()), Void(nodes, testRules())
		for i, v := range before {
			if v && !after[i] {
				t.Fatalf("%d came back", i)
			}
		}
	})
}

// A history that never forked is cut at every node, so nothing in it is
// compared pair by pair.
func TestStretches_linear(t *testing.T) {
	t.Parallel()
	nodes := make([]Node, 1000)
	for i := range nodes {
		nodes[i] = node(i, "do", 1, "a")
		if i > 0 {
			nodes[i].Parents = []int{i - 1}
		}
	}
	if got := stretches(nodes); len(got) != len(nodes) {
		t.Errorf("%d parts, want %d", len(got), len(nodes))
	}
	// One fork of three in the middle is one part of its own.
	nodes[500].Parents = []int{498}
	nodes[501].Parents = []int{499, 500}
	if got := stretches(nodes); len(got) != len(nodes)-1 || !slices.Contains(got, 499) || slices.Contains(got, 500) {
		t.Errorf("%d parts, want %d", len(got), len(nodes)-1)
	}
}

// S-9: neither the order in which nodes are listed nor copies change the fold.
func TestOrdered_S9_anyOrderAnyDuplication(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		nodes := genHistory(t)
		// Another listing that keeps parents first: take any node whose
		// parents are there, some of them twice.
		at := map[int]int{}
		var listed []Node
		for len(at) < len(nodes) {
			var ready []int
			for i, n := range nodes {
				_, done := at[i]
				if !done && !slices.ContainsFunc(n.Parents, func(p int) bool { _, ok := at[p]; return !ok }) {
					ready = append(ready, i)
				}
			}
			i := rapid.SampledFrom(ready).Draw(t, "next")
			n := Node{Op: nodes[i].Op}
			for _, p := range nodes[i].Parents {
				n.Parents = append(n.Parents, at[p])
			}
			at[i] = len(listed)
			listed = append(listed, n)
			if rapid.IntRange(0, 4).Draw(t, "copy") == 0 {
				listed = append(listed, n)
			}
		}
		got, want := Ordered(listed, testRules()), Ordered(nodes, testRules())
		if !slices.EqualFunc(got, want, func(a, b Operation) bool { return a.ID == b.ID }) {
			t.Fatalf("the fold differs: %d operations, want %d", len(got), len(want))
		}
	})
}

// Two operations that claim one id are a forgery; which of them counts must
// not depend on where they stand.
func TestOrdered_oneIDTwoOperations(t *testing.T) {
	t.Parallel()
	a, b := node(1, "open", 0, ""), node(1, "open", 0, "")
	a.Op.Payload, b.Op.Payload = []byte(`{"x":1}`), []byte(`{"x":2}`)
	for _, nodes := range [][]Node{{a, b}, {b, a}} {
		if got := Ordered(nodes, testRules()); len(got) != 1 || string(got[0].Payload) != `{"x":1}` {
			t.Errorf("folded %s", got[0].Payload)
		}
	}
}
