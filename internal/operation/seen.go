package operation

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
