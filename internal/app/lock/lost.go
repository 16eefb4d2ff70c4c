package lock

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/app/journal"
	"github.com/git-brew/git-brew/internal/ledger"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/lease"
)

// markLost records that the session which held a lock here is to be told. A
// person is told by the command that finds it out; so is the session whose own
// claim is being decided. Where it can't be recorded, nobody is told: a
// notebook keeps no sync from its end.
func (s *Locks) markLost(ctx context.Context, tx *ledger.Tx, held lease.Lock, lost clone.LostLock) error {
	if !lost.Again {
		s.Journal.RecordAfter(tx, journal.LostEvent(held, lost))
	}
	if held.Session == "" || s.Claiming == lost.Task && held.Session == s.Clone.Caller.Session {
		return nil
	}
	lost.At = s.Clone.Timestamp()
	data, err := json.MarshalIndent(lost, "", "  ")
	if err != nil {
		return err
	}
	subject := "session " + task.ShortSession(lost.Session) + ": its lock of " + string(lost.Task) + " is lost\n"
	if _, err := tx.PutOver(ctx, s.Clone.Ref(), map[string][]byte{lost.Path(): append(data, '\n')}, subject); err != nil {
		return ctx.Err()
	}
	return nil
}

// LostTold records that the caller's session was told of its lost locks, or
// that a sub-agent of it was, and reports whether there was something left to
// tell: who asks second says nothing.
func (s *Locks) LostTold(ctx context.Context, aside bool) (first bool, err error) {
	err = s.Clone.Update(ctx, "session "+task.ShortSession(s.Clone.Caller.Session)+": told of a lost lock",
		func(_ context.Context, c *clone.Change) error {
			first = false
			var left []clone.LostLock
			for _, l := range c.State.Lost {
				if l.Session != s.Clone.Caller.Session || aside && l.Aside {
					left = append(left, l)
					continue
				}
				first = true
				if !aside {
					c.Files[l.Path()] = nil
					continue
				}
				l.Aside = true
				if err := c.Put(l.Path(), nil, l); err != nil {
					return err
				}
				left = append(left, l)
			}
			c.State.Lost = slices.Clip(left)
			return nil
		})
	return first, err
}
