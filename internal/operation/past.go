package operation

import (
	"math"
)

// past is what was made before a segment, by its authorities: all that comes
// later has seen it.
type past struct {
	best authority // the latest of those that nobody gives up
	// given are those that somebody gives up, here or later: below which fence
	// each one still is what it says.
	given map[authority]uint64
	named map[authority]bool
}

func newPast(yields map[int]Yield) *past {
	p := &past{}
	for _, y := range yields {
		if p.named == nil {
			p.named, p.given = map[authority]bool{}, map[authority]uint64{}
		}
		p.named[y.authority()] = true
	}
	return p
}

// voids reports whether something was made under a later authority than a, and
// still counts as that for node i of a segment, made under a: what the authors
// of yields there had not seen does not bind it.
func (p *past) voids(a authority, s *segment, i int) bool {
	if p.best.later(a) {
		return true
	}
	if len(p.given) == 0 {
		return false
	}
	beyond := map[authority]uint64{} // by yields whose authors had not seen i
	for _, y := range s.yields {
		if y.at == i || s.sees(y.at, i) {
			continue
		}
		if to, more := beyond[y.authority()]; !more || y.To < to {
			beyond[y.authority()] = y.To
		}
	}
	for b, below := range p.given {
		if to, gaveUp := beyond[b]; gaveUp {
			below = min(below, to)
		}
		if b.later(a) && a.fence < below {
			return true
		}
	}
	return false
}

// add takes a segment in.
func (p *past) add(s *segment) {
	for _, y := range s.yields {
		if below, made := p.given[y.authority()]; made {
			p.given[y.authority()] = min(below, y.To)
		}
	}
	for i, n := range s.nodes {
		a := authorityOf(n.Op)
		if !s.rules.guarded(n.Op.Kind) {
			continue
		}
		if !p.named[a] {
			if a.later(p.best) {
				p.best = a
			}
			continue
		}
		below := uint64(math.MaxUint64)
		for _, y := range s.yields {
			if y.authority() == a && s.sees(y.at, i) {
				below = min(below, y.To)
			}
		}
		p.given[a] = max(p.given[a], below)
	}
}

// ancestors returns for each node the set of nodes of the segment that it had
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
