package task

import (
	"fmt"
	"slices"
)

// Verified is how the commands that verify a phase came out, the last time they
// ran. It counts for the iteration it was made in, until the work changes.
type Verified struct {
	UID       UID    `json:"uid"` // the operation that recorded it
	At        string `json:"at"`
	Iteration int    `json:"iteration"`
	Passed    bool   `json:"passed"`
	// Commit is the work tree's HEAD then, Services what it is in the task's
	// services. Clean: from the first command to the last there was nothing beside
	// them, as far as anybody can tell.
	Commit   string  `json:"commit,omitempty"`
	Services Commits `json:"services,omitempty"`
	Clean    bool    `json:"clean,omitempty"`
	// Stale: the work has changed since.
	Stale    bool         `json:"stale,omitempty"`
	Commands []CommandRun `json:"commands"`
}

// CommandRun is how one command came out.
type CommandRun struct {
	Text string `json:"command"`
	// Exit is its status; 128 and more: a signal; -1: it could not be run.
	Exit     int   `json:"exit"`
	TimedOut bool  `json:"timed_out"`
	MS       int64 `json:"ms"`
}

// Passed: it ended by itself, with status 0.
func (c CommandRun) Passed() bool { return c.Exit == 0 && !c.TimedOut }

// How says in a few words how it ended.
func (c CommandRun) How() string {
	switch {
	case c.TimedOut:
		return "took too long"
	case c.Exit < 0:
		return "could not be run"
	case c.Exit > 128:
		return fmt.Sprintf("was ended by signal %d", c.Exit-128)
	}
	return fmt.Sprintf("exit %d", c.Exit)
}

// maxExit bounds exit statuses: Windows has 32 bits of them.
const maxExit = 1<<32 - 1

func (c CommandRun) valid() bool {
	return c.Text != "" && Paragraph(c.Text, MaxItem) && c.Exit >= -1 && c.Exit <= maxExit && c.MS >= 0
}

func ValidRuns(runs []CommandRun) bool {
	return len(runs) > 0 && len(runs) <= MaxItems &&
		!slices.ContainsFunc(runs, func(c CommandRun) bool { return !c.valid() })
}

func (v *Verified) valid() bool {
	return v == nil || v.UID.Valid() && times(v.At) && v.Iteration >= 0 && EmptyOrOID(v.Commit) && v.Services.valid() &&
		ValidRuns(v.Commands)
}

// Verifiable reports whether a verification of p is of work that is not approved
// yet, and so worth a record.
func (p Phase) Verifiable() bool {
	return p.Status == PhaseInProgress || p.Status == PhaseInReview
}
