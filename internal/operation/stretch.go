package operation

import (
	"maps"
	"slices"
)

// stretches cuts a history where it is narrow, and returns the ends of the
// parts: nodes of different parts have always seen one another, the later one
// the earlier. A history that never forked is cut at every node.
func stretches(nodes []Node) []int {
	// all[x]: every node after x goes back to x, because none has all its
	// parents before it.
	all := make([]bool, len(nodes))
	lowest := len(nodes)
	for x := len(nodes) - 1; x >= 0; x-- {
		all[x] = lowest >= x
		last := -1
		for _, p := range nodes[x].Parents {
			last = max(last, p)
		}
		lowest = min(lowest, last)
	}
	var ends []int
	cut := func(at int) {
		if at > 0 && (len(ends) == 0 || ends[len(ends)-1] < at) {
			ends = append(ends, at)
		}
	}
	childless := make([]bool, len(nodes))
	heads := 0
	for x, n := range nodes {
		for _, p := range n.Parents {
			if childless[p] {
				childless[p] = false
				heads--
			}
		}
		childless[x] = true
		heads++
		// x has seen all before it, and all after it have seen x.
		if heads == 1 && all[x] {
			cut(x)
			cut(x + 1)
		}
	}
	cut(len(nodes))
	return ends
}

// voidWithin applies the rules of Void to the pairs within one stretch, whose
// first node is number offset of its history.
func voidWithin(nodes []Node, offset int, rules Rules, void []bool) {
	seen := ancestors(nodes, offset)
	members := map[authority]bitset{}
	held, edits := newBitset(len(nodes)), newBitset(len(nodes))
	pairs := false // whether who was seen by whom matters too
	for i, n := range nodes {
		if !rules.deletes(n.Op.Kind) {
			edits.set(i)
		} else {
			pairs = true
		}
		if !rules.guarded(n.Op.Kind) {
			continue
		}
		a := authorityOf(n.Op)
		if a.fence > 0 {
			held.set(i)
		} else {
			pairs = true
		}
		if members[a] == nil {
			members[a] = newBitset(len(nodes))
		}
		members[a].set(i)
	}

	// Under each authority, what was made under an earlier one and not seen.
	gone, earlier := newBitset(len(nodes)), newBitset(len(nodes))
	order := slices.SortedFunc(maps.Keys(members), func(a, b authority) int {
		if b.later(a) {
			return -1
		}
		return 1
	})
	for _, a := range order {
		if a.fence == 0 {
			continue
		}
		for j := range nodes {
			if members[a].has(j) {
				gone.addWithout(earlier, seen[j])
			}
		}
		earlier.add(members[a])
	}
	for i := range nodes {
		void[i] = void[i] || gone.has(i)
	}
	if !pairs {
		return
	}
	saw := descendants(nodes, offset)
	for i, n := range nodes {
		free := rules.guarded(n.Op.Kind) && n.Op.Fence == 0
		if free && held.anyBut(i, seen[i], saw[i]) || rules.deletes(n.Op.Kind) && edits.anyBut(i, seen[i], saw[i]) {
			void[i] = true
		}
	}
}

// ancestors returns for each node the set of nodes of the stretch that it had
// seen, itself not included.
func ancestors(nodes []Node, offset int) []bitset {
	seen := make([]bitset, len(nodes))
	for i, n := range nodes {
		seen[i] = newBitset(len(nodes))
		for _, p := range n.Parents {
			if p -= offset; p >= 0 {
				seen[i].set(p)
				seen[i].add(seen[p])
			}
		}
	}
	return seen
}

// descendants is the other direction: the nodes that had seen each.
func descendants(nodes []Node, offset int) []bitset {
	saw := make([]bitset, len(nodes))
	for i := range nodes {
		saw[i] = newBitset(len(nodes))
	}
	for i := len(nodes) - 1; i >= 0; i-- {
		for _, p := range nodes[i].Parents {
			if p -= offset; p >= 0 {
				saw[p].set(i)
				saw[p].add(saw[i])
			}
		}
	}
	return saw
}

type bitset []uint64

func newBitset(n int) bitset { return make(bitset, (n+63)/64) }

func (s bitset) has(i int) bool { return s[i/64]&(1<<(i%64)) != 0 }

func (s bitset) set(i int) { s[i/64] |= 1 << (i % 64) }

func (s bitset) add(t bitset) {
	for w := range s {
		s[w] |= t[w]
	}
}

// addWithout adds what is in t and not in u.
func (s bitset) addWithout(t, u bitset) {
	for w := range s {
		s[w] |= t[w] &^ u[w]
	}
}

// anyBut reports whether s has a member beside i that is in neither t nor u.
func (s bitset) anyBut(i int, t, u bitset) bool {
	for w := range s {
		rest := s[w] &^ t[w] &^ u[w]
		if w == i/64 {
			rest &^= 1 << (i % 64)
		}
		if rest != 0 {
			return true
		}
	}
	return false
}
