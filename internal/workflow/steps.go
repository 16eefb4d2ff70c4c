package workflow

import (
	"context"
	"slices"
)

// Steps is the list of steps that an agent's session keeps in a work tree.
type Steps struct {
	List []string `json:"list"`
	// IDs are those of the steps in List, and Done of those that are, where the
	// agent's tool keeps each by itself.
	IDs     []string `json:"ids,omitempty"`
	Done    []string `json:"done,omitempty"`
	Session string   `json:"session"`
	// Agreed: a person agreed to it, by a switch to implementation.
	Agreed bool `json:"agreed,omitempty"`
}

// after is what becomes of a list when the mode is switched: what was proposed in a
// discussion is agreed to, and back in the discussion it is a proposal again.
func (s *Steps) after(to Mode) *Steps {
	if s == nil || len(s.List) == 0 {
		return nil
	}
	return &Steps{List: s.List, IDs: s.IDs, Done: s.Done, Session: s.Session, Agreed: to == ModeImplementation}
}

// Bounds of a list of steps: a longer one is not compared.
const (
	maxSteps    = 200
	maxStepText = 500
)

// stepsOf are the steps of a session, of those that a work tree has.
func stepsOf(have *Steps, session string) Steps {
	if have != nil && have.Session == session {
		return *have
	}
	return Steps{Session: session}
}

// Steps are the steps of the caller's session in this work tree.
func (s *Service) Steps(ctx context.Context) (Steps, error) {
	c, err := s.cloneBrief(ctx)
	if err != nil {
		return Steps{}, err
	}
	home, done, err := s.modeHome(ctx, c)
	if err != nil {
		return Steps{}, err
	}
	defer done()
	return stepsOf(c.worktree(home).Steps, s.caller.Session), nil
}

// ChangeSteps makes of the steps of the caller's session what change does, which
// may be called more than once, and returns them. What is out of bounds is not
// kept.
func (s *Service) ChangeSteps(ctx context.Context, change func(have Steps) Steps) (now Steps, err error) {
	err = s.changeClone(ctx, "steps of the session", func(ctx context.Context, c *cloneChange) error {
		home, done, err := s.modeHome(ctx, c.state)
		if err != nil {
			return err
		}
		defer done()
		w := c.worktree(home)
		now = stepsOf(w.Steps, s.caller.Session)
		next := change(now)
		next.Session = s.caller.Session
		if next.same(now) || !next.bounded() {
			return nil
		}
		now, w.Steps = next, &next
		return c.setWorkTree(ctx, home, w)
	})
	return now, err
}

func (s *Steps) same(other Steps) bool {
	return s.Session == other.Session && s.Agreed == other.Agreed && slices.Equal(s.List, other.List) &&
		slices.Equal(s.IDs, other.IDs) && slices.Equal(s.Done, other.Done)
}

func (s *Steps) bounded() bool {
	for _, list := range [][]string{s.List, s.IDs, s.Done} {
		if len(list) > maxSteps || slices.ContainsFunc(list, func(t string) bool { return len(t) > maxStepText }) {
			return false
		}
	}
	return true
}
