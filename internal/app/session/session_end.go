package session

import (
	"context"
	"time"

	"github.com/git-brew/git-brew/internal/app/change"
	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/lease"
)

// leftLimit is how long looking for other locks of an ended session may take. What is
// not found goes stale.
const leftLimit = 500 * time.Millisecond

// SessionEnded records the end of the caller's session and unbinds its locks, so
// that the next session in their work trees can take them up.
func (s *Sessions) SessionEnded(ctx context.Context, reason string) error {
	s.Journal.DropTranscripts()
	id, err := s.Place.Here(ctx)
	if err != nil {
		return err
	}
	if id != "" {
		if err := s.unbind(ctx, id); err != nil {
			return err
		}
	}
	err = s.Journal.SealWith(ctx, "session "+task.ShortSession(s.Clone.Caller.Session)+": ended",
		func(ctx context.Context, c *clone.Change) error {
			e, known, err := c.Session(ctx, s.Clone.Caller.Session)
			if err != nil || !known {
				return err
			}
			e.SeenAt = s.Clone.Timestamp()
			e.EndedAt, e.EndReason = e.SeenAt, reason
			return c.SetSession(ctx, e)
		})
	if err != nil {
		return err
	}
	return s.unbindOthers(ctx)
}

// unbind takes the caller's session off the lock, which stays taken.
func (s *Sessions) unbind(ctx context.Context, id task.ID) error {
	l, err := s.Records.LockBrief(ctx, id)
	if err != nil || !l.Held || l.Session == "" || l.Session != s.Clone.Caller.Session {
		return err
	}
	_, err = s.Claims.LockChange(ctx, id, func(ctx context.Context, c *change.Tx) error {
		if !c.Lock.Held || c.Lock.Session != s.Clone.Caller.Session {
			return nil
		}
		return c.SetLock(ctx, lease.Unbind(c.Lock, s.Clone.Now()))
	})
	return err
}

// unbindOthers takes the caller's session off the locks that it took on other
// branches and in other work trees of this clone.
func (s *Sessions) unbindOthers(ctx context.Context) error {
	bounded, cancel := context.WithTimeout(ctx, leftLimit)
	defer cancel()
	rows, err := s.Records.LockIndex(bounded)
	if err != nil {
		return ctx.Err()
	}
	for _, row := range rows {
		if l := row.State; row.Err != nil || !l.Held || l.Session == "" || l.Session != s.Clone.Caller.Session ||
			l.Clone != s.Clone.ID {
			continue
		}
		if err := s.unbind(ctx, task.ID(row.ID)); err != nil {
			return err
		}
	}
	return nil
}
