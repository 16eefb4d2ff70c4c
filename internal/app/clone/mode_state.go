package clone

import (
	"strings"

	"github.com/git-brew/git-brew/internal/task"
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
