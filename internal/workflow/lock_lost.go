package workflow

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/git-brew/git-brew/internal/ledger"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/lease"
)

// markLost records that the session which held a lock here is to be told. A
// person is told by the command that finds it out; so is the session whose own
// claim is being decided. Where it can't be recorded, nobody is told: a
// notebook keeps no sync from its end.
func (s *Locks) markLost(ctx context.Context, tx *ledger.Tx, held lease.Lock, lost LostLock) error {
	if !lost.Again {
		s.journal.recordAfter(tx, lostEvent(held, lost))
	}
	if held.Session == "" || s.claiming == lost.Task && held.Session == s.clone.caller.Session {
		return nil
	}
	lost.At = s.clone.timestamp()
	data, err := json.MarshalIndent(lost, "", "  ")
	if err != nil {
		return err
	}
	subject := "session " + task.ShortSession(lost.Session) + ": its lock of " + string(lost.Task) + " is lost\n"
	if _, err := tx.PutOver(ctx, s.clone.cloneRef(), map[string][]byte{lost.path(): append(data, '\n')}, subject); err != nil {
		return ctx.Err()
	}
	return nil
}

// LostTold records that the caller's session was told of its lost locks, or
// that a sub-agent of it was, and reports whether there was something left to
// tell: who asks second says nothing.
func (s *Locks) LostTold(ctx context.Context, aside bool) (first bool, err error) {
	err = s.clone.changeClone(ctx, "session "+task.ShortSession(s.clone.caller.Session)+": told of a lost lock", func(_ context.Context, c *cloneChange) error {
		first = false
		var left []LostLock
		for _, l := range c.state.Lost {
			switch {
			case l.Session != s.clone.caller.Session, aside && l.Aside:
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
