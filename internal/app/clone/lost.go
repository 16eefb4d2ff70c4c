package clone

import (
	"context"
	"path"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/lease"
)

// LostLock is a lock that a session held on this clone, until a sync showed
// that the arbiter had given it to somebody else. It stays recorded until the
// session's agent was told.
type LostLock struct {
	Task    task.ID `json:"task"`
	Session string  `json:"session"`
	// Holder has the lock now, for people; "" where it is free.
	Holder string `json:"holder,omitempty"`
	At     string `json:"at"`
	// Work: something guarded was done under the lost claim, and may not count.
	Work bool `json:"work,omitempty"`
	// Again: the lock was free at the arbiter, and is the session's again.
	Again bool `json:"again,omitempty"`
	// Aside: a sub-agent of the session was told, the agent itself was not.
	Aside bool `json:"aside,omitempty"`
}

// lostDir, in the clone's record, holds what sessions are to be told, a file
// each.
const lostDir = "lost"

func (l LostLock) Path() string {
	return path.Join(lostDir, string(l.Task)+"."+sessionFile(l.Session))
}

// NewLostLock says what became of a lock that was held here.
func NewLostLock(id task.ID, mine, other lease.Lock, work bool) LostLock {
	l := LostLock{Task: id, Session: mine.Session, Work: work}
	if other.Held {
		l.Holder = other.Holder()
	}
	return l
}

// readLost reads what sessions are to be told.
func (s *Clone) readLost(ctx context.Context, tip gitstore.OID) ([]LostLock, error) {
	var all []LostLock
	err := EachJSON(ctx, s.Ledger, tip, lostDir, func(_ string, l LostLock) { all = append(all, l) })
	return all, err
}

// LostOf is what a session is to be told.
func (c State) LostOf(session string) []LostLock {
	var own []LostLock
	for _, l := range c.Lost {
		if l.Session == session {
			own = append(own, l)
		}
	}
	return own
}
