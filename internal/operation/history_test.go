package operation

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func testRules() Rules {
	return Rules{
		Guarded: func(k Kind) bool { return k != "open" && k != "yield" },
		Delete:  func(k Kind) bool { return k == "delete" },
		Yield: func(op Operation) (Yield, bool) {
			var y Yield
			err := json.Unmarshal(op.Payload, &y)
			return y, op.Kind == "yield" && err == nil
		},
	}
}

// yield gives up a claim.
func yield(n int, y Yield, parents ...int) Node {
	made := node(n, "yield", 0, "", parents...)
	made.Op.Payload, _ = json.Marshal(y)
	return made
}

func node(n int, kind Kind, fence uint64, claim string, parents ...int) Node {
	return Node{Op: Operation{
		ID: ID(fmt.Sprintf("%032x", n)), Clock: uint64(n + 1), Kind: kind, Fence: fence,
		Claim: claim,
	}, Parents: parents}
}

func voided(nodes []Node) []int {
	var all []int
	for i, v := range voidOf(nodes, testRules()) {
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
		{
			"S-14 a lost lock, offline",
			[]Node{node(0, "do", 1, "a"), node(1, "do", 1, "a", 0), node(2, "do", 2, "b", 0)},
			[]int{1},
		},
		{
			"S-14 a lost lock, seen and ignored",
			[]Node{node(0, "do", 1, "a"), node(1, "do", 2, "b", 0), node(2, "do", 1, "a", 1)},
			[]int{2},
		},
		{
			"what the next holder saw stays",
			[]Node{node(0, "do", 1, "a"), node(1, "do", 2, "b", 0), node(2, "do", 3, "c", 1)},
			nil,
		},
		{
			"S-12 two claims offline, the lower wins",
			[]Node{node(0, "do", 0, ""), node(1, "do", 1, "b", 0), node(2, "do", 1, "a", 0)},
			[]int{1},
		},
		{
			"a claim that is not named loses",
			[]Node{node(0, "do", 0, ""), node(1, "do", 1, "", 0), node(2, "do", 1, "b", 0)},
			[]int{1},
		},
		{"open operations stay", []Node{node(0, "do", 1, "a"), node(1, "open", 1, "a", 0), node(2, "do", 2, "b", 0)}, nil},
		{"free after a release", []Node{node(0, "do", 1, "a"), node(1, "do", 0, "", 0)}, nil},
		{
			"free, while somebody held it unseen",
			[]Node{node(0, "do", 0, ""), node(1, "do", 0, "", 0), node(2, "do", 1, "a", 0)},
			[]int{1},
		},
		{"a delete nobody contradicts", []Node{node(0, "open", 0, ""), node(1, "delete", 0, "", 0)}, nil},
		{"S-6 an edit meanwhile revives", []Node{
			node(0, "open", 0, ""), node(1, "delete", 0, "", 0),
			node(2, "open", 0, "", 0),
		}, []int{1}},
		{"two deletes do not revive", []Node{
			node(0, "open", 0, ""), node(1, "delete", 0, "", 0),
			node(2, "delete", 0, "", 0),
		}, nil},
		{
			"a delete under a lost lock",
			[]Node{node(0, "do", 1, "a"), node(1, "do", 2, "b", 0), node(2, "delete", 1, "a", 1)},
			[]int{2},
		},
		{"after the merge it goes on", []Node{
			node(0, "do", 1, "a"), node(1, "open", 0, "", 0), node(2, "open", 0, "", 0), node(3, "do", 2, "b", 1, 2),
			node(4, "do", 1, "a", 3),
		}, []int{4}},
		{"S-12 the lower claim gives way", []Node{
			node(0, "do", 0, ""), node(1, "do", 1, "a", 0), yield(2, Yield{1, "a", 1}, 1), node(3, "do", 1, "b", 0),
		}, []int{1}},
		{"S-12 and who won goes on, before and after it learns of that", []Node{
			node(0, "do", 0, ""), node(1, "do", 1, "a", 0), yield(2, Yield{1, "a", 1}, 1), node(3, "do", 1, "b", 0),
			node(4, "do", 1, "b", 1, 3), node(5, "do", 1, "b", 2, 4), node(6, "do", 1, "b", 5),
		}, []int{1}},
		{"S-12 two claims out of touch give way to one below", []Node{
			node(0, "do", 0, ""), node(1, "do", 1, "a", 0), node(2, "do", 2, "b", 1), yield(3, Yield{1, "a", 1}, 2),
			yield(4, Yield{2, "b", 1}, 3),
			node(5, "do", 1, "c", 0), node(6, "do", 1, "c", 4, 5), node(7, "do", 2, "d", 6),
		}, []int{1, 2}},
		{"a claim gives way from a fence on", []Node{
			node(0, "do", 1, "a"), node(1, "do", 3, "b", 0), yield(2, Yield{3, "b", 2}, 1), node(3, "do", 1, "a", 0),
			node(4, "do", 2, "c", 0),
		}, []int{1, 3}},
		{"only what was seen gives way", []Node{
			node(0, "do", 0, ""), node(1, "do", 1, "a", 0), yield(2, Yield{1, "a", 1}, 0), node(3, "do", 1, "b", 0),
		}, []int{3}},
		{"to what was seen nothing gives way", []Node{
			node(0, "do", 0, ""), node(1, "do", 1, "a", 0), node(2, "do", 1, "b", 0), yield(3, Yield{1, "a", 1}, 1, 2),
		}, []int{2}},
		{"both give way", []Node{
			node(0, "do", 0, ""), node(1, "do", 1, "a", 0), yield(2, Yield{1, "a", 1}, 1), node(3, "do", 1, "b", 0),
			yield(4, Yield{1, "b", 1}, 3),
		}, []int{3}},
		{"both give way, to a third", []Node{
			node(0, "do", 0, ""), node(1, "do", 1, "a", 0), yield(2, Yield{1, "a", 1}, 1), node(3, "do", 1, "b", 0),
			yield(4, Yield{1, "b", 1}, 3),
			node(5, "do", 1, "c", 0), node(6, "do", 1, "c", 2, 4, 5),
		}, []int{1, 3}},
		{"who gives up revives nothing", []Node{
			node(0, "open", 0, ""), node(1, "delete", 0, "", 0), yield(2, Yield{1, "a", 1}, 0),
		}, nil},
		{"no claim, no yield", []Node{
			node(0, "do", 0, ""), node(1, "do", 1, "", 0), yield(2, Yield{1, "", 1}, 1), node(3, "do", 1, "", 0),
		}, nil},
	} {
		if got := voided(tt.nodes); !slices.Equal(got, tt.want) {
			t.Errorf("%s: void %v, want %v", tt.name, got, tt.want)
		}
	}
}

// slowVoid is the two rules as they are written.
func slowVoid(nodes []Node, rules Rules) []bool {
	seen := ancestors(nodes)
	// gives reports that i's claim was given up, by somebody who knew i and
	// not j.
	gives := func(i, j int) bool {
		a, b := authorityOf(nodes[i].Op), authorityOf(nodes[j].Op)
		return slices.ContainsFunc(nodes, func(n Node) bool {
			y, ok := rules.Yield(n.Op)
			at := int(n.Op.Clock) - 1
			return ok && a.fence > 0 && a.claim != "" && a == y.authority() && a != b &&
				b.fence >= max(y.To, 1) && seen[at].has(i) && !seen[at].has(j) && at != j
		})
	}
	void := make([]bool, len(nodes))
	for i, n := range nodes {
		for j, o := range nodes {
			if i == j || seen[j].has(i) {
				continue
			}
			y, gaveUp := rules.Yield(o.Op)
			gaveUp = gaveUp && y.Fence > 0 && y.Claim != ""
			concurrent := !seen[i].has(j)
			if rules.Delete(n.Op.Kind) && !rules.Delete(o.Op.Kind) && !gaveUp && concurrent {
				void[i] = true
			}
			if !rules.Guarded(n.Op.Kind) || !rules.Guarded(o.Op.Kind) {
				continue
			}
			later := gives(i, j)
			if later == gives(j, i) {
				later = authorityOf(o.Op).later(authorityOf(n.Op))
			}
			if later && (n.Op.Fence > 0 || concurrent) {
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
		kind := rapid.SampledFrom([]Kind{"do", "do", "do", "open", "delete", "yield"}).Draw(t, "kind")
		fence := rapid.Uint64Range(0, 3).Draw(t, "fence")
		claim := rapid.SampledFrom([]string{"", "a", "b"}).Draw(t, "claim")
		nodes[i] = node(i, kind, fence, claim)
		if kind == "yield" {
			nodes[i] = yield(i, Yield{fence, claim, rapid.Uint64Range(0, 4).Draw(t, "to")})
		}
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
		if got, want := voidOf(nodes, testRules()), slowVoid(nodes, testRules()); !slices.Equal(got, want) {
			t.Fatalf("void %v, want %v", got, want)
		}
	})
}

// What is void stays so, but for guarded operations whose claim's rival was
// given up by somebody who had not seen them.
func TestVoid_growsButForYields(t *testing.T) {
	t.Parallel()
	rules := testRules()
	rapid.Check(t, func(t *rapid.T) {
		nodes := genHistory(t)
		seen := ancestors(nodes)
		part := rapid.IntRange(0, len(nodes)).Draw(t, "part")
		before, after := voidOf(nodes[:part], rules), voidOf(nodes, rules)
		for i, v := range before {
			if !v || after[i] {
				continue
			}
			excused := false
			for at := part; at < len(nodes); at++ {
				y, ok := rules.Yield(nodes[at].Op)
				excused = excused || ok && rules.Guarded(nodes[i].Op.Kind) && !seen[at].has(i) &&
					max(y.To, 1) <= nodes[i].Op.Fence && y.authority() != authorityOf(nodes[i].Op)
			}
			if !excused {
				t.Fatalf("%d came back", i)
			}
		}
	})
}

// Whoever makes an operation sees the state that the fold had before: nothing
// of what they had seen becomes void by it, or comes back.
func TestVoid_appendingChangesNothingBefore(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		nodes := genHistory(t)
		tip := len(nodes) - 1
		if rapid.Bool().Draw(t, "seen all") {
			for i := range tip {
				if !slices.Contains(nodes[tip].Parents, i) {
					nodes[tip].Parents = append(nodes[tip].Parents, i)
				}
			}
		}
		nodes = upTo(nodes, tip)
		before, after := voidOf(nodes[:len(nodes)-1], testRules()), voidOf(nodes, testRules())
		if !slices.Equal(before, after[:len(before)]) {
			t.Fatalf("void %v, before it %v", after, before)
		}
	})
}

// upTo is the history of one node.
func upTo(nodes []Node, tip int) []Node {
	seen := ancestors(nodes)[tip]
	at := map[int]int{}
	var part []Node
	for i, n := range nodes {
		if i != tip && !seen.has(i) {
			continue
		}
		at[i] = len(part)
		own := Node{Op: n.Op}
		for _, p := range n.Parents {
			own.Parents = append(own.Parents, at[p])
		}
		part = append(part, own)
	}
	return part
}

func ancestors(nodes []Node) []bitset {
	h := history{nodes: nodes}
	seen, _ := h.relations()
	return seen
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
		got, want := orderedOf(listed, testRules()), orderedOf(nodes, testRules())
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
		if got := orderedOf(nodes, testRules()); len(got) != 1 || string(got[0].Payload) != `{"x":1}` {
			t.Errorf("folded %s", got[0].Payload)
		}
	}
}

// voidOf is Void of a history that is not too large.
func voidOf(nodes []Node, rules Rules) []bool {
	void, _ := Void(nodes, rules, nil)
	return void
}

func orderedOf(nodes []Node, rules Rules) []Operation {
	ops, _ := Ordered(nodes, rules, nil)
	return ops
}
