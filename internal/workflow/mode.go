package workflow

import (
	"context"
	"strings"

	"github.com/git-brew/git-brew/internal/event"
)

// Mode is what an agent session may do now in a work tree.
type Mode string

// The modes.
const (
	ModeDiscussion     Mode = "discussion"
	ModeImplementation Mode = "implementation"
)

// ParseMode reads a mode as people and brainworm write it.
func ParseMode(text string) (Mode, error) {
	switch strings.ToLower(strings.TrimSpace(text)) {
	case "discussion", "discuss":
		return ModeDiscussion, nil
	case "implementation", "implement", "impl":
		return ModeImplementation, nil
	}
	return "", invalid("it is discussion or implementation", "no mode %q", text)
}

// ModeState is the mode of a work tree, and how it came to be.
type ModeState struct {
	Mode     Mode   `json:"mode"`
	Since    string `json:"since,omitempty"`
	Previous Mode   `json:"previous,omitempty"`
	// By is what switched it: "user", or a trigger phrase, a stop word, a plan.
	By string `json:"by,omitempty"`
}

// Mode returns the mode of this work tree.
func (s *Service) Mode(ctx context.Context) (ModeState, error) {
	c, err := s.cloneBrief(ctx)
	if err != nil {
		return ModeState{}, err
	}
	if m := c.worktree(s.repo).Mode; m.Mode != "" {
		return m, nil
	}
	set, err := s.Settings(ctx)
	if err != nil {
		return ModeState{}, err
	}
	return ModeState{Mode: Mode(set.Text(KeyModeDefault))}, nil
}

// SwitchMode switches the mode of this work tree to what was typed: a mode, or
// "toggle" for the other one. See SetMode; an agent doesn't toggle either way.
func (s *Service) SwitchMode(ctx context.Context, to string) (ModeState, error) {
	if to != "toggle" {
		mode, err := ParseMode(to)
		if err != nil {
			return ModeState{}, err
		}
		return s.SetMode(ctx, mode, s.by())
	}
	have, err := s.Mode(ctx)
	if err != nil {
		return have, err
	}
	if s.caller.Session == "" && have.Mode == ModeImplementation {
		return s.SetMode(ctx, ModeDiscussion, s.by())
	}
	return s.SetMode(ctx, ModeImplementation, s.by())
}

// by is who switches, where nothing else says so.
func (s *Service) by() string {
	if s.caller.Session == "" {
		return "user"
	}
	return "agent"
}

// SetMode switches the mode of this work tree. By says what for. An agent may
// go back to discussion, never forward: people switch.
func (s *Service) SetMode(ctx context.Context, to Mode, by string) (ModeState, error) {
	if s.caller.Session != "" && to == ModeImplementation {
		return ModeState{}, refuse("the user switches, with a trigger phrase or by typing 'git brew mode implementation'",
			"an agent can't switch itself to implementation")
	}
	return s.switchMode(ctx, to, by)
}

func (s *Service) switchMode(ctx context.Context, to Mode, by string) (ModeState, error) {
	have, err := s.Mode(ctx)
	if err != nil {
		return have, err
	}
	if have.Mode == to {
		return have, nil
	}
	next := ModeState{Mode: to, Since: s.timestamp(), Previous: have.Mode, By: by}
	err = s.changeClone(ctx, "mode: "+string(have.Mode)+" -> "+string(to), func(_ context.Context, c *cloneChange) error {
		w := c.worktree()
		w.Mode = next
		c.setWorkTree(w)
		return nil
	})
	if err != nil {
		return have, err
	}
	return next, s.Record(ctx, event.Event{
		Type: event.ModeChange, Mode: string(to), Reason: by, Data: map[string]string{"from": string(have.Mode)},
	})
}
