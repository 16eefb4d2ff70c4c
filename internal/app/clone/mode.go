package clone

import (
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/task"
)

// Mode is what an agent session may do now in a work tree.
type Mode string

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
	return "", Invalid("it is discussion or implementation", "no mode %q", text)
}

// ModeState is the mode of a work tree, and how it came to be.
type ModeState struct {
	Mode     Mode   `json:"mode"`
	Since    string `json:"since,omitempty"`
	Previous Mode   `json:"previous,omitempty"`
	// By is what switched it: "user", "agent", "no terminal" for a command that
	// nobody typed, or a trigger phrase, a stop word, a plan.
	By string `json:"by,omitempty"`
	// Task is the one that was here then; "" for none. The user agreed to work on
	// that one, so implementation counts for no other.
	Task task.ID `json:"task,omitempty"`
}

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

// After is what becomes of a list when the mode is switched: what was proposed in a
// discussion is agreed to, and back in the discussion it is a proposal again.
func (s *Steps) After(to Mode) *Steps {
	if s == nil || len(s.List) == 0 {
		return nil
	}
	return &Steps{List: s.List, IDs: s.IDs, Done: s.Done, Session: s.Session, Agreed: to == ModeImplementation}
}

// StepsOf are the steps of a session, of those that a work tree has.
func StepsOf(have *Steps, session string) Steps {
	if have != nil && have.Session == session {
		return *have
	}
	return Steps{Session: session}
}

// Same reports whether two lists are one.
func (s Steps) Same(other Steps) bool {
	return s.Session == other.Session && s.Agreed == other.Agreed && slices.Equal(s.List, other.List) &&
		slices.Equal(s.IDs, other.IDs) && slices.Equal(s.Done, other.Done)
}

func (s *Steps) Bounded() bool {
	return !slices.ContainsFunc([][]string{s.List, s.IDs, s.Done}, func(list []string) bool {
		return len(list) > maxSteps || slices.ContainsFunc(list, func(t string) bool { return len(t) > maxStepText })
	})
}

// Bounds of a list of steps: a longer one is not compared.
const (
	maxSteps    = 200
	maxStepText = 500
)
