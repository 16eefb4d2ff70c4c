package workflow

import (
	"context"

	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/lease"
	"github.com/git-brew/git-brew/internal/task/route"
)

// NextStep is what comes next for the caller, who knows the whole task: what Next
// says.
func (s *Next) NextStep(ctx context.Context, t task.Task) route.Step {
	return s.askedBy(ctx, t, s.nextStep(ctx, t))
}

func (s *Next) nextStep(ctx context.Context, t task.Task) route.Step {
	who := s.clone.Caller.Whose()
	if who.Worker == "" {
		return route.NextFor(t, who, nil)
	}
	lock, err := s.records.LockBrief(ctx, t.ID)
	if err != nil {
		lock = lease.Lock{} // whoever changes something is told
	}
	return route.NextFor(t, who, route.Claimable(t, lock, s.clone.Now()))
}
