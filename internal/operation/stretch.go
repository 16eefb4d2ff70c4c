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

// stretch is a part of a history as stretches cuts it.
type stretch struct {
	nodes  []Node
	offset int // of its first node in the history
	rules  Rules
	seen   []bitset // see ancestors; nil for a single node
	yields []yieldAt
}

// yieldAt is a yield by its node in the stretch.
type yieldAt struct {
	Yield
	at int
}

func (y Yield) authority() authority { return authority{y.Fence, y.Claim} }

// take takes the stretch's own of all yields.
func (s *stretch) take(all map[int]Yield) {
	if len(all) == 0 {
		return
	}
	for i := range s.nodes {
		if y, ok := all[s.offset+i]; ok {
			s.yields = append(s.yields, yieldAt{y, i})
		}
	}
}

// read looks at who has seen whom.
func (s *stretch) read() {
	if len(s.nodes) > 1 {
		s.seen = ancestors(s.nodes, s.offset)
	}
}

// steps is about how many steps the comparisons of the stretch take, with so
// many claims before it that somebody gives up: see void, and past.
func (s *stretch) steps(given int) int {
	n, yields := len(s.nodes), len(s.yields)
	all := 20 * n * (yields + given)
	if n == 1 {
		return all
	}
	edges := n
	for _, o := range s.nodes {
		edges += len(o.Parents)
	}
	words := (n + 63) / 64
	all += 2 * edges * words
	if yields > 0 {
		all += n*n + n*words*yields
	}
	return all
}

// sees reports whether node i of the stretch had seen node j of it.
func (s *stretch) sees(i, j int) bool { return s.seen != nil && s.seen[i].has(j) }

// void applies the rules of Void to the pairs within the stretch.
func (s *stretch) void(void []bool) {
	if len(s.nodes) == 1 {
		return
	}
	if len(s.yields) > 0 {
		s.voidByPairs(void)
	} else {
		s.voidByAuthority(void)
	}
	s.voidUnseen(void)
}

// voidByAuthority finds what was made under a lock and not seen under a later
// one, where nothing was given up.
func (s *stretch) voidByAuthority(void []bool) {
	members := map[authority]bitset{}
	for i, n := range s.nodes {
		if !s.rules.guarded(n.Op.Kind) || n.Op.Fence == 0 {
			continue
		}
		a := authorityOf(n.Op)
		if members[a] == nil {
			members[a] = newBitset(len(s.nodes))
		}
		members[a].set(i)
	}
	// Under each authority, what was made under an earlier one and not seen.
	gone, earlier := newBitset(len(s.nodes)), newBitset(len(s.nodes))
	order := slices.SortedFunc(maps.Keys(members), func(a, b authority) int {
		if b.later(a) {
			return -1
		}
		return 1
	})
	for _, a := range order {
		for j := range s.nodes {
			if members[a].has(j) {
				gone.addWithout(earlier, s.seen[j])
			}
		}
		earlier.add(members[a])
	}
	for i := range s.nodes {
		void[i] = void[i] || gone.has(i)
	}
}

// voidByPairs is voidByAuthority where claims were given up.
func (s *stretch) voidByPairs(void []bool) {
	gives := s.givesWay()
	for i, n := range s.nodes {
		if !s.rules.guarded(n.Op.Kind) || n.Op.Fence == 0 {
			continue
		}
		for j, o := range s.nodes {
			if i == j || !s.rules.guarded(o.Op.Kind) || s.sees(j, i) {
				continue
			}
			wins := gives[i].has(j)
			if wins == gives[j].has(i) {
				wins = authorityOf(o.Op).later(authorityOf(n.Op))
			}
			if wins {
				void[i] = true
				break
			}
		}
	}
}

// givesWay returns, for each node, the guarded ones that it gives way to.
func (s *stretch) givesWay() []bitset {
	gives := make([]bitset, len(s.nodes))
	for i := range gives {
		gives[i] = newBitset(len(s.nodes))
	}
	for _, y := range s.yields {
		to := newBitset(len(s.nodes))
		for j, o := range s.nodes {
			a := authorityOf(o.Op)
			if s.rules.guarded(o.Op.Kind) && j != y.at && !s.sees(y.at, j) && a.fence >= y.To && a != y.authority() {
				to.set(j)
			}
		}
		for i, n := range s.nodes {
			if s.rules.guarded(n.Op.Kind) && s.sees(y.at, i) && authorityOf(n.Op) == y.authority() {
				gives[i].add(to)
			}
		}
	}
	return gives
}

// voidUnseen finds what was made while the lock was free, beside somebody who
// held it; and deletes beside which the record went on.
func (s *stretch) voidUnseen(void []bool) {
	held, edits := newBitset(len(s.nodes)), newBitset(len(s.nodes))
	some := false
	for i, n := range s.nodes {
		switch {
		case s.rules.deletes(n.Op.Kind):
			some = true
		case !s.yieldsAt(i):
			edits.set(i)
		}
		if s.rules.guarded(n.Op.Kind) {
			if n.Op.Fence > 0 {
				held.set(i)
			} else {
				some = true
			}
		}
	}
	if !some {
		return
	}
	saw := descendants(s.nodes, s.offset)
	for i, n := range s.nodes {
		free := s.rules.guarded(n.Op.Kind) && n.Op.Fence == 0
		if free && held.anyBut(i, s.seen[i], saw[i]) || s.rules.deletes(n.Op.Kind) && edits.anyBut(i, s.seen[i], saw[i]) {
			void[i] = true
		}
	}
}

func (s *stretch) yieldsAt(i int) bool {
	return slices.ContainsFunc(s.yields, func(y yieldAt) bool { return y.at == i })
}
