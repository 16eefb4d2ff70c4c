package workflow

import (
	"context"
	"encoding/json"
	"path"
	"slices"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/ledger"
	"github.com/git-brew/git-brew/internal/task"
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

func (l LostLock) path() string {
	return path.Join(lostDir, string(l.Task)+"."+sessionFile(l.Session))
}

// lostLock says what became of a lock that was held here.
func lostLock(id task.ID, mine, other task.Lock, work bool) LostLock {
	l := LostLock{Task: id, Session: mine.Session, Work: work}
	if other.Held {
		l.Holder = other.Holder()
	}
	return l
}

// markLost records that the session which held a lock here is to be told. A
// person is told by the command that finds it out; so is the session whose own
// claim is being decided. Where it can't be recorded, nobody is told: a
// notebook keeps no sync from its end.
func (s *Service) markLost(ctx context.Context, tx *ledger.Tx, held task.Lock, lost LostLock) error {
	if !lost.Again {
		s.recordAfter(tx, lostEvent(held, lost))
	}
	if held.Session == "" || s.claiming == lost.Task && held.Session == s.caller.Session {
		return nil
	}
	lost.At = s.timestamp()
	data, err := json.MarshalIndent(lost, "", "  ")
	if err != nil {
		return err
	}
	subject := "session " + task.ShortSession(lost.Session) + ": its lock of " + string(lost.Task) + " is lost\n"
	if _, err := tx.PutOver(ctx, s.cloneRef(), map[string][]byte{lost.path(): append(data, '\n')}, subject); err != nil {
		return ctx.Err()
	}
	return nil
}

// readLost reads what sessions are to be told.
func (s *Service) readLost(ctx context.Context, tip gitstore.OID) ([]LostLock, error) {
	var all []LostLock
	err := eachJSON(ctx, s.ledger, tip, lostDir, func(_ string, l LostLock) { all = append(all, l) })
	return all, err
}

// lost is what a session is to be told.
func (c cloneState) lost(session string) []LostLock {
	var own []LostLock
	for _, l := range c.Lost {
		if l.Session == session {
			own = append(own, l)
		}
	}
	return own
}

// LostTold records that the caller's session was told of its lost locks, or
// that a sub-agent of it was, and reports whether there was something left to
// tell: who asks second says nothing.
func (s *Service) LostTold(ctx context.Context, aside bool) (first bool, err error) {
	err = s.changeClone(ctx, "session "+task.ShortSession(s.caller.Session)+": told of a lost lock", func(_ context.Context, c *cloneChange) error {
		first = false
		var left []LostLock
		for _, l := range c.state.Lost {
			switch {
			case l.Session != s.caller.Session, aside && l.Aside:
				left = append(left, l)
				continue
			case aside:
				l.Aside = true
				if err := c.put(l.path(), nil, l); err != nil {
					return err
				}
				left = append(left, l)
			default:
				c.files[l.path()] = nil
			}
			first = true
		}
		c.state.Lost = slices.Clip(left)
		return nil
	})
	return first, err
}
