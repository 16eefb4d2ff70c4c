package session

import (
	"context"

	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/app/config"
	"github.com/git-brew/git-brew/internal/event"
	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/task/route"
)

// Mode returns the mode of this work tree.
func (s *Sessions) Mode(ctx context.Context) (clone.ModeState, error) {
	c, err := s.Clone.State(ctx)
	if err != nil {
		return clone.ModeState{}, err
	}
	return s.modeIn(ctx, c)
}

// modeIn is the mode that counts in this work tree by the clone's record;
// discussion where the record can't tell. Implementation counts for the task alone
// that the user agreed to, and for a run's worker where it is to work.
func (s *Sessions) modeIn(ctx context.Context, c clone.State) (clone.ModeState, error) {
	if s.Place.IsHanded(ctx) {
		return clone.ModeState{Mode: clone.ModeImplementation, By: "git brew run"}, nil
	}
	home, err := s.modeHome(ctx, c)
	if err != nil {
		return clone.ModeState{}, err
	}
	if m := c.Worktree(home).Mode; m.Mode == clone.ModeImplementation {
		id, err := s.Place.Here(ctx)
		if err != nil || id == m.Task {
			return m, err
		}
	} else if m.Mode != "" {
		return m, nil
	}
	mode := clone.ModeDiscussion
	if c.Broken == nil {
		set, err := s.Config.Settings(ctx)
		if err != nil {
			return clone.ModeState{}, err
		}
		mode = clone.Mode(set.Text(config.KeyModeDefault))
	}
	return clone.ModeState{Mode: mode}, nil
}

// modeHome is the work tree whose mode counts here: this one, or the one that the
// session started in, where this has no mode of its own and the task here is
// that one's. So what the user said there holds for a sub-agent in a work tree
// of its own.
func (s *Sessions) modeHome(ctx context.Context, c clone.State) (*gitstore.Repo, error) {
	home := s.Clone.Repo
	if c.Worktree(home).Mode.Mode != "" {
		return home, nil
	}
	other := s.Place.StartedIn()
	if other == nil {
		return home, nil
	}
	own, err := s.Place.HereIn(ctx, home)
	if err != nil || own == "" {
		return other, err
	}
	theirs, err := s.Place.HereIn(ctx, other)
	if own != theirs {
		return home, err
	}
	return other, err
}

// SwitchMode switches the mode of this work tree to what was typed: a mode, or
// "toggle" for the other one. An agent may go back to discussion, never forward, and
// doesn't toggle either way: people switch.
func (s *Sessions) SwitchMode(ctx context.Context, to string) (clone.ModeState, error) {
	mode, by := clone.ModeImplementation, "no terminal"
	switch agent := s.Clone.Caller.Reached().Agent(); {
	case to != "toggle":
		var err error
		if mode, err = clone.ParseMode(to); err != nil {
			return clone.ModeState{}, err
		}
	case !agent:
		have, err := s.Mode(ctx)
		if err != nil {
			return have, err
		}
		if have.Mode == mode {
			mode = clone.ModeDiscussion
		}
	}
	if mode == clone.ModeImplementation {
		if err := s.Clone.Caller.ForPeople("switch itself to implementation",
			"the user switches, with a trigger phrase or 'git brew mode implementation'"); err != nil {
			return clone.ModeState{}, err
		}
	}
	here, err := s.Place.Here(ctx)
	if err == nil {
		err = s.Locks.MayLeave(ctx, here)
	}
	if err != nil {
		return clone.ModeState{}, err
	}
	switch {
	case s.Clone.Caller.Agent():
		by = "agent"
	case s.Clone.Caller.Terminal:
		by = "user"
	}
	return s.UserMode(ctx, mode, by)
}

// UserMode switches the mode for the user, on what the user said or approved: by.
func (s *Sessions) UserMode(ctx context.Context, to clone.Mode, by string) (clone.ModeState, error) {
	// Looked at first, so that where nothing changes nothing is locked.
	now, err := s.Mode(ctx)
	if err != nil || to == now.Mode {
		return now, err
	}
	var switched bool
	err = s.Clone.Update(ctx, "", func(ctx context.Context, c *clone.Change) error {
		have, err := s.modeIn(ctx, c.State)
		now, switched = have, false
		if err != nil || to == have.Mode {
			return err
		}
		id, err := s.Place.Here(ctx)
		if err != nil {
			return err
		}
		now, switched = clone.ModeState{Mode: to, Since: s.Clone.Timestamp(), Previous: have.Mode, By: by, Task: id}, true
		c.Subject = "mode: " + string(have.Mode) + " -> " + string(to)
		home, err := s.modeHome(ctx, c.State)
		if err != nil {
			return err
		}
		w := c.Worktree(home)
		w.Mode, w.Steps = now, w.Steps.After(to)
		return c.SetWorkTree(ctx, home, w)
	})
	if err != nil || !switched {
		return now, err
	}
	return now, s.Journal.Record(ctx, event.Event{
		Type: event.ModeChange, Task: string(now.Task), Mode: string(now.Mode), Reason: by,
		Data: map[string]string{event.DataFrom: string(now.Previous)},
	})
}

// AskerIn is whoever asks what comes next, in a work tree of a mode where the gate is
// in force or not.
func AskerIn(set *config.Settings, agent bool, mode clone.Mode, gated bool) route.Asker {
	a := route.Asker{
		Agent: agent, Closed: gated && mode == clone.ModeDiscussion,
		Judges: set.Text(config.KeyReviewBy) == config.ReviewByAgent,
	}
	if phrases := set.List(config.KeyTriggerApprove); len(phrases) > 0 {
		a.Praise = phrases[0]
	}
	if phrases := set.List(config.KeyTrigger); len(phrases) > 0 {
		a.Agree = phrases[0]
	}
	return a
}

// Steps are the steps of the caller's session in this work tree.
func (s *Sessions) Steps(ctx context.Context) (clone.Steps, error) {
	c, err := s.Clone.State(ctx)
	if err != nil {
		return clone.Steps{}, err
	}
	home, err := s.modeHome(ctx, c)
	if err != nil {
		return clone.Steps{}, err
	}
	return clone.StepsOf(c.Worktree(home).Steps, s.Clone.Caller.Session), nil
}

// ChangeSteps makes of the steps of the caller's session what change does, which
// may be called more than once, and returns them. What is out of bounds is not
// kept.
func (s *Sessions) ChangeSteps(ctx context.Context,
	change func(have clone.Steps) clone.Steps,
) (now clone.Steps, err error) {
	err = s.Clone.Update(ctx, "steps of the session", func(ctx context.Context, c *clone.Change) error {
		home, err := s.modeHome(ctx, c.State)
		if err != nil {
			return err
		}
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
