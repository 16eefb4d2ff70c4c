package ledger

import (
	"context"
	"fmt"
	"math"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/operation"
)

// allowance is what folds may take.
type allowance struct {
	forked int // see limits
	folded int // what is left of that in limits
}

func (l limits) allowance() *allowance { return &allowance{l.forked, l.folded} }

// unlimited is for what is our own: a fold of that takes what it takes, until
// its context ends.
func unlimited() *allowance { return &allowance{math.MaxInt, math.MaxInt} }

// fork refuses a fork behind which more operations are than are compared pair by
// pair.
func (a *allowance) fork(operations int) error {
	if operations > a.forked {
		return fmt.Errorf("%d operations behind one fork, at most %d: %w", operations, a.forked, gitstore.ErrTooLarge)
	}
	return nil
}

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

// compare is asked before a segment of a history is compared.
func (a *allowance) compare(ctx context.Context) func(operation.Segment) error {
	return func(s operation.Segment) error {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if s.Nodes == 1 {
			return nil
		}
		if err := a.fork(s.Nodes); err != nil {
			return err
		}
		return a.take(s.Steps / stepsAFold)
	}
}
