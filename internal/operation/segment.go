package operation

import (
	"maps"
	"slices"
)

// segments cuts a history where it is narrow, and returns the ends of the
// parts: nodes of different parts have always seen one another, the later one
// the earlier. A history that never forked is cut at every node.
func segments(nodes []Node) []int {
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

// segment is a part of a history as segments cuts it.
type segment struct {
	nodes  []Node
	offset int // of its first node in the history
	rules  Rules
	seen   []bitset // see ancestors; nil for a single node
	yields []yieldAt
}

// yieldAt is a yield by its node in the segment.
type yieldAt struct {
	Yield
	at int
}

func (y Yield) authority() authority { return authority{y.Fence, y.Claim} }

// take takes the segment's own of all yields.
func (s *segment) take(all map[int]Yield) {
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
func (s *segment) read() {
	if len(s.nodes) > 1 {
		s.seen = ancestors(s.nodes, s.offset)
	}
}

// steps is about how many steps the comparisons of the segment take, with so
// many claims before it that somebody gives up: see void, and past.
func (s *segment) steps(given int) int {
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
	return all + 2*edges*words + n*words*(1+2*yields)
}

// sees reports whether node i of the segment had seen node j of it.
func (s *segment) sees(i, j int) bool { return s.seen != nil && s.seen[i].has(j) }

// void applies the rules of Void to the pairs within the segment.
func (s *segment) void(void []bool) {
	if len(s.nodes) == 1 {
		return
	}
	saw := descendants(s.nodes, s.offset)
	s.voidOvertaken(void, saw)
	s.voidUnseen(void, saw)
}

// voidOvertaken finds what was made under a lock and not seen under a later one,
// or one that it gives way to.
func (s *segment) voidOvertaken(void []bool, saw []bitset) {
	gives, takes := s.givesWay()
	later := newBitset(len(s.nodes))
	for _, made := range s.byAuthority() {
		for _, i := range made {
			void[i] = void[i] || overtaken(later, gives[i], takes[i], saw[i])
		}
		for _, i := range made {
			later.set(i)
		}
	}
}

// overtaken reports whether some node did not see an operation, and is later: of
// two where just one gives way to the other that decides, else the authority.
func overtaken(later, gives, takes, saw bitset) bool {
	for w, l := range later {
		var g, t uint64
		if gives != nil {
			g = gives[w]
		}
		if takes != nil {
			t = takes[w]
		}
		if (g&^t|l&^(g^t))&^saw[w] != 0 {
			return true
		}
	}
	return false
}

// byAuthority are the nodes that were made under a lock, the latest first.
func (s *segment) byAuthority() [][]int {
	made := map[authority][]int{}
	for i, n := range s.nodes {
		if s.rules.guarded(n.Op.Kind) && n.Op.Fence > 0 {
			a := authorityOf(n.Op)
			made[a] = append(made[a], i)
		}
	}
	order := slices.SortedFunc(maps.Keys(made), func(a, b authority) int {
		if a.later(b) {
			return -1
		}
		return 1
	})
	all := make([][]int, len(order))
	for i, a := range order {
		all[i] = made[a]
	}
	return all
}

// givesWay returns, for each node, the guarded ones that it gives way to, and
// those that give way to it; nil for none.
func (s *segment) givesWay() (gives, takes []bitset) {
	gives, takes = make([]bitset, len(s.nodes)), make([]bitset, len(s.nodes))
	for _, y := range s.yields {
		var from, to []int
		for i, n := range s.nodes {
			a := authorityOf(n.Op)
			if !s.rules.guarded(n.Op.Kind) || i == y.at {
				continue
			}
			switch saw := s.sees(y.at, i); {
			case saw && a == y.authority():
				from = append(from, i)
			case !saw && a != y.authority() && a.fence >= y.To:
				to = append(to, i)
			}
		}
		s.mark(gives, from, to)
		s.mark(takes, to, from)
	}
	return gives, takes
}

// mark adds some nodes to the sets of others.
func (s *segment) mark(sets []bitset, of, some []int) {
	if len(some) == 0 {
		return
	}
	set := newBitset(len(s.nodes))
	for _, i := range some {
		set.set(i)
	}
	for _, i := range of {
		if sets[i] == nil {
			sets[i] = newBitset(len(s.nodes))
		}
		sets[i].add(set)
	}
}

// voidUnseen finds what was made while the lock was free, beside somebody who
// held it; and deletes beside which the record went on.
func (s *segment) voidUnseen(void []bool, saw []bitset) {
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
	for i, n := range s.nodes {
		free := s.rules.guarded(n.Op.Kind) && n.Op.Fence == 0
		if free && held.anyBut(i, s.seen[i], saw[i]) || s.rules.deletes(n.Op.Kind) && edits.anyBut(i, s.seen[i], saw[i]) {
			void[i] = true
		}
	}
}

func (s *segment) yieldsAt(i int) bool {
	return slices.ContainsFunc(s.yields, func(y yieldAt) bool { return y.at == i })
}
