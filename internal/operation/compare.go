package operation

import (
	"maps"
	"slices"
)

// history is what Void compares.
type history struct {
	nodes  []Node
	rules  Rules
	yields map[int]Yield
	// seen are the nodes that each had seen, saw those that had seen it; itself not
	// included.
	seen, saw []bitset
}

// relations are who had seen whom, and the other direction.
func (h *history) relations() (seen, saw []bitset) {
	seen, saw = make([]bitset, len(h.nodes)), make([]bitset, len(h.nodes))
	for i, n := range h.nodes {
		seen[i], saw[i] = newBitset(len(h.nodes)), newBitset(len(h.nodes))
		for _, p := range n.Parents {
			seen[i].set(p)
			seen[i].add(seen[p])
		}
	}
	for i, n := range slices.Backward(h.nodes) {
		for _, p := range n.Parents {
			saw[p].set(i)
			saw[p].add(saw[i])
		}
	}
	return seen, saw
}

// voidOvertaken finds what was made under a lock and not seen under a later one,
// or one that it gives way to: of two where just one gives way to the other that
// decides, else the authority.
func (h *history) voidOvertaken(void []bool) {
	gives, takes := h.givesWay()
	later := newBitset(len(h.nodes))
	for _, made := range h.byAuthority() {
		for _, i := range made {
			for w, l := range later {
				g, t := gives[i][w], takes[i][w]
				void[i] = void[i] || (g&^t|l&^(g^t))&^h.saw[i][w] != 0
			}
		}
		for _, i := range made {
			later.set(i)
		}
	}
}

// byAuthority are the nodes that were made under a lock, the latest first.
func (h *history) byAuthority() [][]int {
	made := map[authority][]int{}
	for i, n := range h.nodes {
		if h.rules.guarded(n.Op.Kind) && n.Op.Fence > 0 {
			a := authorityOf(n.Op)
			made[a] = append(made[a], i)
		}
	}
	return slices.SortedFunc(maps.Values(made), func(a, b []int) int {
		if authorityOf(h.nodes[a[0]].Op).later(authorityOf(h.nodes[b[0]].Op)) {
			return -1
		}
		return 1
	})
}

// givesWay returns, for each node, the guarded ones that it gives way to, and
// those that give way to it.
func (h *history) givesWay() (gives, takes []bitset) {
	none := []bitset{newBitset(len(h.nodes))}
	gives, takes = slices.Repeat(none, len(h.nodes)), slices.Repeat(none, len(h.nodes))
	for at, y := range h.yields {
		from, to := newBitset(len(h.nodes)), newBitset(len(h.nodes))
		for i, n := range h.nodes {
			a := authorityOf(n.Op)
			if !h.rules.guarded(n.Op.Kind) || i == at {
				continue
			}
			switch saw := h.seen[at].has(i); {
			case saw && a == y.authority():
				from.set(i)
			case !saw && a != y.authority() && a.fence >= y.To:
				to.set(i)
			}
		}
		for i := range h.nodes {
			if from.has(i) {
				gives[i] = slices.Clone(gives[i])
				gives[i].add(to)
			}
			if to.has(i) {
				takes[i] = slices.Clone(takes[i])
				takes[i].add(from)
			}
		}
	}
	return gives, takes
}

// voidUnseen finds what was made while the lock was free, beside somebody who
// held it; and deletes beside which the record went on.
func (h *history) voidUnseen(void []bool) {
	held, edits := newBitset(len(h.nodes)), newBitset(len(h.nodes))
	for i, n := range h.nodes {
		if _, yields := h.yields[i]; !yields && !h.rules.deletes(n.Op.Kind) {
			edits.set(i)
		}
		if h.rules.guarded(n.Op.Kind) && n.Op.Fence > 0 {
			held.set(i)
		}
	}
	for i, n := range h.nodes {
		free := h.rules.guarded(n.Op.Kind) && n.Op.Fence == 0
		if free && held.anyBut(i, h.seen[i], h.saw[i]) ||
			h.rules.deletes(n.Op.Kind) && edits.anyBut(i, h.seen[i], h.saw[i]) {
			void[i] = true
		}
	}
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
