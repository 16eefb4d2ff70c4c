package task

import (
	"fmt"
)

// Verified is how the commands that verify a phase came out, the last time they
// ran. It counts for the iteration it was made in, until the work changes.
type Verified struct {
	UID       UID    `json:"uid" is:"uid"` // the operation that recorded it
	At        string `json:"at" is:"time"`
	Iteration int    `json:"iteration"`
	Passed    bool   `json:"passed"`
	// Commit is the work tree's HEAD then, Services what it is in the task's
	// services. Clean: from the first command to the last there was nothing beside
	// them, as far as anybody can tell.
	Commit   string  `json:"commit,omitempty" is:"oid"`
	Services Commits `json:"services,omitempty"`
	Clean    bool    `json:"clean,omitempty"`
	// Stale: the work has changed since.
	Stale    bool         `json:"stale,omitempty"`
	Commands []CommandRun `json:"commands" len:"1000"`
}

// CommandRun is how one command came out.
type CommandRun struct {
	Text string `json:"command" is:"quoted"`
	// Exit is its status; 128 and more: a signal; -1: it could not be run.
	Exit     int   `json:"exit" is:"exit"`
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

// Verifiable reports whether a verification of p is of work that is not approved
// yet, and so worth a record.
func (p Phase) Verifiable() bool {
	return p.Status == PhaseInProgress || p.Status == PhaseInReview
}
