package gitcmd

import (
	"fmt"
	"strings"
)

// CommandError is a git command that ended with an exit status other than 0.
type CommandError struct {
	Args   []string
	Code   int // -1: ended by a signal
	Stderr string
}

func (e *CommandError) Error() string {
	what := "git"
	if name := CommandName(e.Args); name != "" {
		what += " " + name
	}
	if text := strings.TrimSpace(e.Stderr); text != "" {
		return what + ": " + text
	}
	return fmt.Sprintf("%s: exit status %d", what, e.Code)
}
