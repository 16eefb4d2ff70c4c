package workflow

import (
	"context"
	"slices"
)

// Steps is the list of steps that an agent's session keeps in a work tree.
type Steps struct {
	List    []string `json:"list"`
	Session string   `json:"session"`
	// Agreed: a person agreed to it, by a switch to implementation.
	Agreed bool `json:"agreed,omitempty"`
}

// after is what becomes of a list when the mode is switched: what was proposed in
// a discussion is agreed to, what was agreed on ends with the implementation.
func (s *Steps) after(to Mode) *Steps {
	if s == nil || to != ModeImplementation {
		return nil
	}
	return &Steps{List: s.List, Session: s.Session, Agreed: true}
}

// Bounds of a list of steps: a longer one is not compared.
const (
	maxSteps    = 200
	maxStepText = 500
)

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
	if have := c.worktree(home).Steps; have != nil && have.Session == s.caller.Session {
		return *have, nil
	}
	return Steps{}, nil
}

// SetSteps keeps the steps of the caller's session.
func (s *Service) SetSteps(ctx context.Context, list []string, agreed bool) error {
	if len(list) > maxSteps || slices.ContainsFunc(list, func(t string) bool { return len(t) > maxStepText }) {
		return nil
	}
	want := Steps{List: list, Session: s.caller.Session, Agreed: agreed}
	return s.changeClone(ctx, "steps of the session", func(ctx context.Context, c *cloneChange) error {
		home, done, err := s.modeHome(ctx, c.state)
		if err != nil {
			return err
		}
		defer done()
		w := c.worktree(home)
		if have := w.Steps; have != nil && have.Session == want.Session && have.Agreed == agreed && slices.Equal(have.List, list) {
			return nil
		}
		w.Steps = &want
		return c.setWorkTree(ctx, home, w)
	})
}
