package operation

import "slices"

// Node is an operation in its history: the operations that its author had seen
// are those of its parents and theirs.
type Node struct {
	Op Operation
	// Parents are indexes into the same slice, each smaller than the node's
	// own. A merge has none of its own operation: its parents stand for it.
	Parents []int
}

// Rules tells Void what it has to know about kinds.
type Rules struct {
	// Guarded reports kinds that only the holder of the lock may make.
	Guarded func(Kind) bool
	// Delete reports kinds that end a record unless somebody else went on
	// with it meanwhile.
	Delete func(Kind) bool
}

// Void returns, for each node, whether the fold leaves it out. Two rules:
//
//   - A guarded operation is void if another guarded one was made under a later
//     authority by somebody who had not seen it. A higher fence is later; at
//     equal fences (two claims made offline) the lower claim id is.
//   - A delete is void if any other operation neither saw it nor was seen by
//     it: an edit made meanwhile revives the record.
//
// The result depends on the set of operations and on what each had seen, never
// on the order of nodes.
func Void(nodes []Node, rules Rules) []bool {
	seen := ancestors(nodes)
	void := make([]bool, len(nodes))
	for i, n := range nodes {
		switch {
		case rules.Delete != nil && rules.Delete(n.Op.Kind):
			void[i] = slices.ContainsFunc(indexes(len(nodes)), func(j int) bool {
				return j != i && !rules.Delete(nodes[j].Op.Kind) && !seen[j].has(i) && !seen[i].has(j)
			})
		case rules.Guarded != nil && rules.Guarded(n.Op.Kind):
			void[i] = slices.ContainsFunc(indexes(len(nodes)), func(j int) bool {
				o := nodes[j].Op
				return j != i && rules.Guarded(o.Kind) && later(o, n.Op) && !seen[j].has(i)
			})
		}
	}
	return void
}

// later reports whether a was made under a later authority than b.
func later(a, b Operation) bool {
	if a.Fence != b.Fence {
		return a.Fence > b.Fence
	}
	return a.Fence > 0 && a.Claim != b.Claim && a.Claim < b.Claim
}

// Ordered returns the operations that count, in the order of the fold.
func Ordered(nodes []Node, rules Rules) []Operation {
	void := Void(nodes, rules)
	ops := make([]Operation, 0, len(nodes))
	for i, n := range nodes {
		if !void[i] {
			ops = append(ops, n.Op)
		}
	}
	slices.SortFunc(ops, func(a, b Operation) int {
		if Less(a, b) {
			return -1
		}
		return 1
	})
	return ops
}

type bitset []uint64

func (s bitset) has(i int) bool { return s[i/64]&(1<<(i%64)) != 0 }

// ancestors returns for each node the set of nodes it had seen, itself not
// included.
func ancestors(nodes []Node) []bitset {
	words := (len(nodes) + 63) / 64
	seen := make([]bitset, len(nodes))
	for i, n := range nodes {
		s := make(bitset, words)
		for _, p := range n.Parents {
			s[p/64] |= 1 << (p % 64)
			for w, bits := range seen[p] {
				s[w] |= bits
			}
		}
		seen[i] = s
	}
	return seen
}

func indexes(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}
