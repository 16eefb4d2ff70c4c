package workflow

import (
	"context"
)

// Steps are the steps of the caller's session in this work tree.
func (s *Sessions) Steps(ctx context.Context) (Steps, error) {
	c, err := s.clone.cloneBrief(ctx)
	if err != nil {
		return Steps{}, err
	}
	home, done, err := s.modeHome(ctx, c)
	if err != nil {
		return Steps{}, err
	}
	defer done()
	return stepsOf(c.worktree(home).Steps, s.clone.caller.Session), nil
}

// ChangeSteps makes of the steps of the caller's session what change does, which
// may be called more than once, and returns them. What is out of bounds is not
// kept.
func (s *Sessions) ChangeSteps(ctx context.Context, change func(have Steps) Steps) (now Steps, err error) {
	err = s.clone.changeClone(ctx, "steps of the session", func(ctx context.Context, c *cloneChange) error {
		home, done, err := s.modeHome(ctx, c.state)
		if err != nil {
			return err
		}
		defer done()
		w := c.worktree(home)
		now = stepsOf(w.Steps, s.clone.caller.Session)
		next := change(now)
		next.Session = s.clone.caller.Session
		if next.Same(now) || !next.bounded() {
			return nil
		}
		now, w.Steps = next, &next
		return c.setWorkTree(ctx, home, w)
	})
	return now, err
}
