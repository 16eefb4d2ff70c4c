package clone

import (
	"context"
	"encoding/json"
	"path"
	"slices"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/operation"
	"github.com/git-brew/git-brew/internal/refsync"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/lease"
)

// Consent says that a person wants this clone's state to be shared with a
// remote: the first sync by hand gives it. Without it nothing is ever pushed.
type Consent struct {
	Remote string `json:"remote"`
	// Namespace is what the names of records begin with there, with a slash at its
	// end: all who share there agree on one, and so it changes only by a sync by
	// hand that has asked for the others' first.
	Namespace string `json:"namespace"`
	At        string `json:"at"`
	By        string `json:"by"`
}

// consentFile, in this clone's own record, holds the consents: a copied
// directory is another clone, and has none.
const consentFile = "sync.json"

type consents struct {
	Schema  string    `json:"schema"`
	Remotes []Consent `json:"remotes"`
}

// readConsents reads them from the clone's record; none where there are none.
func (s *Clone) readConsents(ctx context.Context, tip gitstore.OID) []Consent {
	data, err := s.Ledger.File(ctx, tip, consentFile)
	var c consents
	if err != nil || json.Unmarshal(data, &c) != nil {
		return nil
	}
	return c.Remotes
}

// Consented reports whether a person agreed to share with a remote.
func (c State) Consented(remote string) bool { return c.Consent(remote) >= 0 }

// Consent is the place of a remote's consent; below 0: there is none.
func (c State) Consent(remote string) int {
	return slices.IndexFunc(c.Consents, func(given Consent) bool { return given.Remote == remote })
}

// Consented reports whether a person agreed to share this clone's state with a
// remote.
func (s *Clone) Consented(ctx context.Context, remote string) (bool, error) {
	c, err := s.State(ctx)
	return c.Consented(remote), err
}

// Consent records that the caller, a person, wants to share with a remote, under its
// namespace.
func (s *Clone) Consent(ctx context.Context, remote refsync.Remote) error {
	return s.Update(ctx, "sync: state is shared with "+remote.Name, func(ctx context.Context, c *Change) error {
		given := Consent{Remote: remote.Name, Namespace: remote.Namespace, At: s.Timestamp(), By: s.Caller.User}
		switch at := c.State.Consent(remote.Name); {
		case at < 0:
			c.State.Consents = append(c.State.Consents, given)
		case c.State.Consents[at].Namespace == remote.Namespace:
			return nil
		default:
			c.State.Consents[at] = given
		}
		return c.Put(consentFile, c.file(ctx, consentFile), consents{Schema: operation.Format, Remotes: c.State.Consents})
	})
}

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
