package ledger

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/operation"
)

// ruled reports whether operations of a law can be void.
func ruled[S any](law Law[S]) bool {
	return law.Rules.Guarded != nil || law.Rules.Delete != nil
}

// foldFrom makes the state behind a fork: that at the fork, which is at place
// base of the graph (-1: nothing is before) and known to at, and the operations of the
// commits behind it. What is void there may depend on operations before the fork, where
// the law has rules for that. The clock is the highest of them all: whoever saw a void
// operation comes after it, too.
func foldFrom[S any](ctx context.Context, r *reader, law Law[S], base int, behind []int,
	at func(ctx context.Context, commit gitstore.OID) (S, error), texts Texts,
) (state S, err error) {
	if state = law.Zero; base >= 0 {
		if state, err = at(ctx, r.graph.commits[base]); err != nil {
			return state, err
		}
	}
	places := behind
	if base >= 0 && ruled(law) {
		places = append(r.graph.before(base), behind...)
	}
	nodes, made, err := r.operations(ctx, places)
	if err != nil {
		return state, err
	}
	if err := knownLaw(made...); err != nil {
		return state, err
	}
	clock := *law.Clock(&state)
	highest := clock
	done := map[operation.ID]bool{} // the state has them
	for n, s := range made {
		if r.graph.at[s.Commit] <= base {
			done[s.Op.ID] = true
			continue
		}
		seen := clock
		for _, p := range nodes[n].Parents {
			seen = max(seen, nodes[p].Op.Clock)
		}
		if err := checkClock(seen, s); err != nil {
			return state, err
		}
		highest = max(highest, s.Op.Clock)
	}
	ops, err := operation.Ordered(nodes, law.Rules, r.may.compare(ctx))
	if err != nil {
		return state, err
	}
	for _, op := range ops {
		if ctx.Err() != nil {
			return state, context.Cause(ctx)
		}
		if !done[op.ID] {
			state, _ = law.Apply(state, op, texts)
		}
	}
	*law.Clock(&state) = highest
	return state, nil
}

// checkClock refuses an operation that claims to be older than what its author had seen,
// up to that clock: the order of the fold would not be that of what happened.
func checkClock(seen uint64, s Step) error {
	if s.Op.Clock > seen {
		return nil
	}
	return &BrokenLawError{
		Commit: s.Commit, Why: fmt.Sprintf("its clock is %d, and its author had seen %d", s.Op.Clock, seen),
	}
}

// knownLaw refuses operations that can't be folded here.
func knownLaw(made ...Step) error {
	for _, s := range made {
		if s.Op != nil && s.Op.Law > operation.Law {
			return fmt.Errorf("operation %s at %s has law %d: %w", s.Op.ID, s.Commit.Short(), s.Op.Law, ErrUnknownLaw)
		}
	}
	return nil
}

// reader reads the operations of a history, each once.
type reader struct {
	l     *Ledger
	graph *commitGraph
	steps map[gitstore.OID]Step
	may   *allowance
}

func newReader(l *Ledger, graph *commitGraph, may *allowance) *reader {
	return &reader{l: l, graph: graph, steps: map[gitstore.OID]Step{}, may: may}
}

// operations are those of the commits at some places, parents before children, each with
// what its author had seen of them. One that was recorded twice is there twice, and the
// fold takes it out: which of two that claim one id counts must not depend on where they
// stand.
func (r *reader) operations(ctx context.Context, places []int) (nodes []operation.Node, made []Step, err error) {
	at := map[int][]int{} // the operations at a commit: its own, or its parents' for a merge
	for _, i := range places {
		s, err := r.step(ctx, i)
		if err != nil {
			return nil, nil, err
		}
		var seen []int
		for _, p := range r.graph.parents[i] {
			seen = append(seen, at[p]...)
		}
		slices.Sort(seen)
		seen = slices.Compact(seen)
		if at[i] = seen; s.Op != nil {
			at[i] = []int{len(nodes)}
			nodes = append(nodes, operation.Node{Op: *s.Op, Parents: seen})
			made = append(made, s)
		}
		// A merge of many lines holds the end of each.
		if err := r.may.take(max(1, len(at[i]))); err != nil {
			return nil, nil, err
		}
	}
	return nodes, made, nil
}

func (r *reader) step(ctx context.Context, i int) (Step, error) {
	if ctx.Err() != nil {
		return Step{}, context.Cause(ctx)
	}
	commit := r.graph.commits[i]
	if s, known := r.steps[commit]; known {
		return s, nil
	}
	s, err := readStep(ctx, r.l.repo.Objects.UpTo(gitstore.MaxObjectSize), commit)
	if err == nil {
		err = r.l.readOperation(ctx, &s)
	}
	if err != nil {
		return s, fmt.Errorf("read the operation of %s: %w", commit.Short(), err)
	}
	r.steps[commit] = s
	return s, nil
}

// compare tells which of two commits has all operations of the other one, the history
// of which was one up to base: the second has those of the first, the first those of
// the second.
func (r *reader) compare(ctx context.Context, at [2]int, base int) (inSecond, inFirst bool, err error) {
	var ids [2]map[operation.ID]bool
	for side, tip := range at {
		// What is behind a fork follows it.
		behind := slices.DeleteFunc(r.graph.before(tip), func(i int) bool { return i <= base })
		_, made, err := r.operations(ctx, behind)
		if err != nil {
			return false, false, err
		}
		ids[side] = map[operation.ID]bool{}
		for _, s := range made {
			ids[side][s.Op.ID] = true
		}
	}
	return contains(ids[1], ids[0]), contains(ids[0], ids[1]), nil
}

func contains(all, some map[operation.ID]bool) bool {
	for id := range some {
		if !all[id] {
			return false
		}
	}
	return true
}

type allowance struct {
	forked int // see limits
	folded int // what is left of that in limits
}

func (l limits) allowance() *allowance { return &allowance{l.forked, l.folded} }

// unlimited is for what is our own: a fold of that takes what it takes, until
// its context ends.
func unlimited() *allowance { return &allowance{math.MaxInt, math.MaxInt} }

func (a *allowance) take(operations int) error {
	if operations > a.folded {
		return fmt.Errorf("its lines parted and joined so often that too many operations would be folded again: %w",
			gitstore.ErrTooLarge)
	}
	a.folded -= operations
	return nil
}

// stepsAFold is how many steps of a comparison take as long as to fold an
// operation.
const stepsAFold = 1000

// compare is asked before a history is compared.
func (a *allowance) compare(ctx context.Context) func(nodes, steps int) error {
	return func(nodes, steps int) error {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if nodes > a.forked {
			return fmt.Errorf("%d operations in a history that forked, at most %d: %w", nodes, a.forked, gitstore.ErrTooLarge)
		}
		return a.take(steps / stepsAFold)
	}
}
