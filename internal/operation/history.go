package operation

import (
	"bytes"
	"slices"
)

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
//     equal fences (two claims made offline) the lower claim id is. What was
//     made while the lock was free (no fence) is void only if, besides, its
//     own author had not seen the other one: a lock that was released binds
//     nobody.
//   - A delete is void if any other operation neither saw it nor was seen by
//     it: an edit made meanwhile revives the record.
//
// The result depends on the set of operations and on what each had seen, never
// on the order of nodes; and an operation that is void stays so, whatever else
// comes to be known. The cost is linear where the history is: only stretches
// in which it forked are compared pair by pair.
func Void(nodes []Node, rules Rules) []bool {
	void := make([]bool, len(nodes))
	best := authority{}
	start := 0
	for _, end := range stretches(nodes) {
		part := nodes[start:end]
		if len(part) > 1 {
			voidWithin(part, start, rules, void[start:end])
		}
		next := best
		for i, n := range part {
			if !rules.guarded(n.Op.Kind) {
				continue
			}
			// The author of best made it before, so without having seen this.
			if a := authorityOf(n.Op); a.fence > 0 && best.later(a) {
				void[start+i] = true
			} else if a.later(next) {
				next = a
			}
		}
		best, start = next, end
	}
	return void
}

func (r Rules) guarded(k Kind) bool { return r.Guarded != nil && r.Guarded(k) }

func (r Rules) deletes(k Kind) bool { return r.Delete != nil && r.Delete(k) }

// authority is the lock that an operation was made under; the zero value is
// that of a free lock.
type authority struct {
	fence uint64
	claim string
}

func authorityOf(op Operation) authority {
	if op.Fence == 0 {
		return authority{}
	}
	return authority{op.Fence, op.Claim}
}

// later reports whether a is a later authority than b. A claim that is not
// named is earlier than any.
func (a authority) later(b authority) bool {
	if a.fence != b.fence {
		return a.fence > b.fence
	}
	return a.claim != b.claim && a.claim != "" && (b.claim == "" || a.claim < b.claim)
}

// Ordered returns the operations that count, each once, in the order of the
// fold.
func Ordered(nodes []Node, rules Rules) []Operation {
	nodes = distinct(nodes)
	void := Void(nodes, rules)
	ops := make([]Operation, 0, len(nodes))
	for i, n := range nodes {
		if !void[i] {
			ops = append(ops, n.Op)
		}
	}
	slices.SortFunc(ops, compare)
	return ops
}

func compare(a, b Operation) int {
	switch {
	case Less(a, b):
		return -1
	case Less(b, a):
		return 1
	}
	return 0
}

// before chooses between two operations that claim one id: any choice does
// that does not depend on where they stand.
func before(a, b Operation) bool {
	if c := compare(a, b); c != 0 {
		return c < 0
	}
	x, _ := Encode(a)
	y, _ := Encode(b)
	return bytes.Compare(x, y) < 0
}

// distinct returns the history with every operation once: what one copy had
// seen, the operation had seen. Histories without copies come back as they are.
func distinct(nodes []Node) []Node {
	first := make(map[ID]int, len(nodes))
	for i, n := range nodes {
		if at, twice := first[n.Op.ID]; !twice || before(n.Op, nodes[at].Op) {
			first[n.Op.ID] = i
		}
	}
	if len(first) == len(nodes) {
		return nodes
	}
	order := make([]int, 0, len(first))
	for _, i := range first {
		order = append(order, i)
	}
	// What an operation had seen comes before it in this order.
	slices.SortFunc(order, func(a, b int) int { return compare(nodes[a].Op, nodes[b].Op) })
	at := make(map[ID]int, len(order))
	unique := make([]Node, len(order))
	for to, from := range order {
		at[nodes[from].Op.ID] = to
		unique[to].Op = nodes[from].Op
	}
	for _, n := range nodes {
		to := at[n.Op.ID]
		for _, p := range n.Parents {
			if seen := at[nodes[p].Op.ID]; seen < to && !slices.Contains(unique[to].Parents, seen) {
				unique[to].Parents = append(unique[to].Parents, seen)
			}
		}
	}
	return unique
}
