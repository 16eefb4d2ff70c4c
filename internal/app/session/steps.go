package session

import (
	"context"

	"github.com/git-brew/git-brew/internal/app/clone"
)

// Steps are the steps of the caller's session in this work tree.
func (s *Sessions) Steps(ctx context.Context) (clone.Steps, error) {
	c, err := s.Clone.State(ctx)
	if err != nil {
		return clone.Steps{}, err
	}
	home, done, err := s.modeHome(ctx, c)
	if err != nil {
		return clone.Steps{}, err
	}
	defer done()
	return clone.StepsOf(c.Worktree(home).Steps, s.Clone.Caller.Session), nil
}

// ChangeSteps makes of the steps of the caller's session what change does, which
// may be called more than once, and returns them. What is out of bounds is not
// kept.
func (s *Sessions) ChangeSteps(ctx context.Context,
	change func(have clone.Steps) clone.Steps,
) (now clone.Steps, err error) {
	err = s.Clone.Update(ctx, "steps of the session", func(ctx context.Context, c *clone.Change) error {
		home, done, err := s.modeHome(ctx, c.State)
		if err != nil {
			return err
		}
		defer done()
		w := c.Worktree(home)
		now = clone.StepsOf(w.Steps, s.Clone.Caller.Session)
		next := change(now)
		next.Session = s.Clone.Caller.Session
		if next.Same(now) || !next.Bounded() {
			return nil
		}
		now, w.Steps = next, &next
		return c.SetWorkTree(ctx, home, w)
	})
	return now, err
}
