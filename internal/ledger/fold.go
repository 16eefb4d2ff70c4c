package ledger

import (
	"context"
	"fmt"
	"math"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/operation"
)

// foldOn folds the operations of nodes that are none of the done ones, which
// the state has. The clock is the highest of them all: whoever saw a void
// operation comes after it, too.
func foldOn[S any](ctx context.Context, law Law[S], state S, done map[operation.ID]bool, nodes []operation.Node,
	texts Texts, may *allowance,
) (S, error) {
	clock := law.Clock(state)
	ops, err := operation.Ordered(nodes, law.Rules(), may.compare(ctx))
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
	for _, n := range nodes {
		clock = max(clock, n.Op.Clock)
	}
	return law.AtClock(state, max(clock, law.Clock(state))), nil
}

// ruled reports whether operations of a law can be void.
func ruled[S any](law Law[S]) bool {
	rules := law.Rules()
	return rules.Guarded != nil || rules.Delete != nil
}

// foldFrom makes the state behind a fork: that at the fork, which is at place
// base of the graph (-1: nothing is before), and the operations of the commits
// behind it. What is void there may depend on operations before the fork, where
// the law has rules for that.
func foldFrom[S any](ctx context.Context, r *reader, law Law[S], state S, base int, behind []int,
	texts Texts,
) (S, error) {
	g := newOperationGraph()
	done := map[operation.ID]bool{}
	if base >= 0 && ruled(law) {
		for _, i := range r.graph.before(base) {
			s, err := r.grow(ctx, g, i)
			if err != nil {
				return state, err
			}
			if s.Op != nil {
				done[s.Op.ID] = true
			}
		}
	}
	clocks := map[gitstore.OID]uint64{}
	if base >= 0 {
		clocks[r.graph.commits[base]] = law.Clock(state)
	}
	for _, i := range behind {
		s, err := r.grow(ctx, g, i)
		if err != nil {
			return state, err
		}
		var seen uint64
		for _, p := range s.Parents {
			seen = max(seen, clocks[p])
		}
		if s.Op != nil {
			if err := checkClock(seen, s); err != nil {
				return state, err
			}
			seen = s.Op.Clock
		}
		clocks[s.Commit] = seen
	}
	return foldOn(ctx, law, state, done, g.nodes, texts, r.may)
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

// grow adds a commit to a graph that has its parents.
func (r *reader) grow(ctx context.Context, g *operationGraph, i int) (Step, error) {
	s, err := r.step(ctx, i)
	if err == nil {
		err = g.add(s)
	}
	if err == nil {
		// A merge of many lines holds the end of each.
		err = r.may.take(max(1, len(g.commits[s.Commit])))
	}
	return s, err
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
	first, err := r.operations(ctx, at[0], base)
	if err != nil {
		return false, false, err
	}
	second, err := r.operations(ctx, at[1], base)
	return contains(second, first), contains(first, second), err
}

func contains(all, some map[operation.ID]bool) bool {
	for id := range some {
		if !all[id] {
			return false
		}
	}
	return true
}

// operations are those at a commit that are not at base already (-1: nothing
// is).
func (r *reader) operations(ctx context.Context, tip, base int) (map[operation.ID]bool, error) {
	ids := map[operation.ID]bool{}
	for _, i := range r.graph.before(tip) {
		if i <= base { // what is behind a fork follows it
			continue
		}
		s, err := r.step(ctx, i)
		if err != nil {
			return nil, err
		}
		if s.Op != nil {
			ids[s.Op.ID] = true
		}
	}
	return ids, nil
}

// errNewerLaw says why an operation can't be folded.
func errNewerLaw(s Step) error {
	return fmt.Errorf("operation %s at %s has law %d: %w", s.Op.ID, s.Commit.Short(), s.Op.Law, ErrUnknownLaw)
}

// allowance is what folds may take.
type allowance struct {
	forked int // see limits
	folded int // what is left of that in limits
}

func (l limits) allowance() *allowance { return &allowance{l.forked, l.folded} }

// unlimited is for what is our own: a fold of that takes what it takes, until
// its context ends.
func unlimited() *allowance { return &allowance{math.MaxInt, math.MaxInt} }

// take takes the folding of some operations.
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
