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
	// Yield reads from an operation which claim it gives up; false for those
	// that give none up. Such operations change nothing by themselves.
	Yield func(Operation) (Yield, bool)
}

// Yield gives a claim up: whoever decides about claims had decided for others,
// while operations were made under it. It is about these operations, the ones
// that its author had seen, and about what its author had not seen.
type Yield struct {
	// Fence and Claim name the claim. Without either nothing is given up.
	Fence uint64
	Claim string
	// To is the lowest fence that the claim gives way to; 0 counts as 1. It
	// may be lower than Fence: what was claimed out of touch has fences of its
	// own.
	To uint64
}

// Void returns, for each node, whether the fold leaves it out. Two rules:
//
//   - A guarded operation is void if another guarded one was made under a later
//     authority by somebody who had not seen it. A higher fence is later; at
//     equal fences (two claims made offline) the lower claim id is. What was
//     made while the lock was free (no fence) is void only if, besides, its
//     own author had not seen the other one: a lock that was released binds
//     nobody. Where a claim was given up (Yield), what was made under it and
//     seen by who gave it up counts as made under an earlier authority than
//     all that they had not seen, from the fence Yield.To on; two that give
//     way to each other are as if neither did.
//   - A delete is void if any other operation, but one that only gives a claim
//     up, neither saw it nor was seen by it: an edit made meanwhile revives the
//     record.
//
// The result depends on the set of operations and on what each had seen, never
// on the order of nodes. Who makes an operation changes nothing about what they
// had seen: none of it becomes void by it, none comes back. And what is void
// stays so, whatever else comes to be known, with one exception: a guarded
// operation comes back where a claim is given up, by somebody who had not seen
// it, to a fence that is not above its own.
//
// It takes some steps for each pair of nodes, 64 of them at once, and as many for each
// yield. Before that it asks, where ask is not nil, and ends with the error of that:
// histories may be too large.
func Void(nodes []Node, rules Rules, ask func(nodes, steps int) error) ([]bool, error) {
	void := make([]bool, len(nodes))
	if rules.Guarded == nil && rules.Delete == nil || len(nodes) < 2 {
		return void, nil
	}
	h := history{nodes: nodes, rules: rules, yields: rules.yields(nodes)}
	if ask != nil {
		words := len(newBitset(len(nodes)))
		if err := ask(len(nodes), 2*len(nodes)*words*(1+len(h.yields))); err != nil {
			return nil, err
		}
	}
	h.seen, h.saw = h.relations()
	h.voidOvertaken(void)
	h.voidUnseen(void)
	return void, nil
}

// yields are the operations that give a claim up, by their nodes.
func (r Rules) yields(nodes []Node) map[int]Yield {
	var all map[int]Yield
	if r.Yield == nil {
		return nil
	}
	for i, n := range nodes {
		y, ok := r.Yield(n.Op)
		if !ok || y.Fence == 0 || y.Claim == "" {
			continue
		}
		if all == nil {
			all = map[int]Yield{}
		}
		y.To = max(y.To, 1)
		all[i] = y
	}
	return all
}

func (y Yield) authority() authority { return authority{y.Fence, y.Claim} }

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
// fold. Ask is as for Void.
func Ordered(nodes []Node, rules Rules, ask func(nodes, steps int) error) ([]Operation, error) {
	nodes = distinct(nodes)
	void, err := Void(nodes, rules, ask)
	if err != nil {
		return nil, err
	}
	ops := make([]Operation, 0, len(nodes))
	for i, n := range nodes {
		if !void[i] {
			ops = append(ops, n.Op)
		}
	}
	slices.SortFunc(ops, compare)
	return ops, nil
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
			if seen := at[nodes[p].Op.ID]; seen < to {
				unique[to].Parents = append(unique[to].Parents, seen)
			}
		}
	}
	for i := range unique {
		slices.Sort(unique[i].Parents)
		unique[i].Parents = slices.Compact(unique[i].Parents)
	}
	return unique
}
