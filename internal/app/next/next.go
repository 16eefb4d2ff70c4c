// Package next says what comes next for whoever asks, and who is asked for it.
package next

import (
	"context"

	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/app/config"
	"github.com/git-brew/git-brew/internal/app/lock"
	"github.com/git-brew/git-brew/internal/app/records"
	"github.com/git-brew/git-brew/internal/app/session"
	"github.com/git-brew/git-brew/internal/app/steps"
	"github.com/git-brew/git-brew/internal/app/worktree"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/lease"
	"github.com/git-brew/git-brew/internal/task/route"
)

// Next says what comes next for whoever asks, and who is asked for it.
type Next struct {
	Clone     *clone.Clone
	Config    *config.Config
	Locks     *lock.Locks
	Pipelines *steps.Pipelines
	Place     *worktree.Place
	Records   *records.Records
	Sessions  *session.Sessions
}

// Step is what comes next for the caller, who knows the whole task: what Next
// says.
func (s *Next) Step(ctx context.Context, t task.Task) route.Step {
	return s.AskedBy(ctx, t, s.Unasked(ctx, t))
}

func (s *Next) Unasked(ctx context.Context, t task.Task) route.Step {
	who := s.Clone.Caller.Whose()
	if who.Worker == "" {
		return route.NextFor(t, who, nil)
	}
	lock, err := s.Records.LockBrief(ctx, t.ID)
	if err != nil {
		lock = lease.Lock{} // whoever changes something is told
	}
	return route.NextFor(t, who, route.Claimable(t, lock, s.Clone.Now()))
}
