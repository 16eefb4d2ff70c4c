package session

import (
	"cmp"
	"context"
	"encoding/json"
	"time"

	"github.com/git-brew/git-brew/internal/app/change"
	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/lease"
)

const (
	// clearedWithin is how close the end of a cleared session and the start of
	// the one that takes its place are, whichever is told first.
	clearedWithin = 10 * time.Second
	// leftLimit is how long looking for other locks of an ended session may
	// take. What is not found goes stale.
	leftLimit = 500 * time.Millisecond
	// clearSource is what SessionStart says of a session after /clear, and
	// SessionEnd of the one before.
	clearSource = "clear"
)

// SessionEnded records the end of the caller's session and unbinds its locks, so
// that the next session in their work trees can take them up. The one that took
// a cleared session's place, and was told of first, gets them at once.
func (s *Sessions) SessionEnded(ctx context.Context, reason string) error {
	s.Journal.DropTranscripts()
	heir := ""
	if reason == clearSource {
		heir = heirOf(ctx, s)
	}
	id, err := s.Place.Here(ctx)
	if err != nil {
		return err
	}
	if id != "" {
		if err := handDown(ctx, s, id, heir); err != nil {
			return err
		}
	}
	err = s.Clone.Update(ctx, "session "+task.ShortSession(s.Clone.Caller.Session)+": ended",
		func(ctx context.Context, c *clone.Change) error {
			e, known, err := c.Session(ctx, s.Clone.Caller.Session)
			if err != nil || !known {
				return err
			}
			e.SeenAt = s.Clone.Timestamp()
			e.EndedAt, e.EndReason = e.SeenAt, reason
			return c.SetSession(ctx, e)
		})
	if err := cmp.Or(err, s.Journal.Seal(ctx)); err != nil {
		return err
	}
	return unbindOthers(ctx, s)
}

// handDown takes the caller's session off the lock, which stays taken, and binds
// it to its heir, where there is one.
func handDown(ctx context.Context, s *Sessions, id task.ID, heir string) error {
	l, err := s.Records.LockBrief(ctx, id)
	if err != nil || !l.Held || l.Session == "" || l.Session != s.Clone.Caller.Session {
		return err
	}
	_, err = s.Claims.LockChange(ctx, id, func(ctx context.Context, c *change.Tx) error {
		if !c.Lock.Held || c.Lock.Session != s.Clone.Caller.Session {
			return nil
		}
		if err := c.SetLock(ctx, lease.Unbind(c.Lock, s.Clone.Now())); err != nil {
			return err
		}
		if heir == "" || l.WorkTree != s.Clone.Repo.WorkTree || c.Lock.Fence != l.Fence {
			return nil
		}
		next, err := lease.Bind(c.Lock, heir, l.Client, s.Clone.Now())
		if err != nil {
			return err
		}
		return c.SetLock(ctx, next)
	})
	return err
}

// unbindOthers takes the caller's session off the locks that it took on other
// branches and in other work trees of this clone.
func unbindOthers(ctx context.Context, s *Sessions) error {
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
		if err := handDown(ctx, s, task.ID(row.ID), ""); err != nil {
			return err
		}
	}
	return nil
}

// heirOf is the session that took the place of the caller's when that was cleared:
// the only one that began in this work tree just now, after a clear. Empty: none
// was told of yet, or nobody can say which.
func heirOf(ctx context.Context, s *Sessions) string {
	c, err := s.Clone.State(ctx)
	if err != nil {
		return ""
	}
	tip, err := s.Clone.Ledger.Tip(ctx, s.Clone.Ref())
	if err != nil || tip.IsZero() {
		return ""
	}
	since, heir := s.Clone.Now().Add(-clearedWithin), ""
	for _, b := range c.Sessions {
		if b.ID == s.Clone.Caller.Session || !clone.SeenSince(b.SeenAt, since) {
			continue
		}
		data, err := s.Clone.Ledger.File(ctx, tip, clone.Session{SessionBrief: b}.Path())
		var e clone.Session
		if err != nil || json.Unmarshal(data, &e) != nil {
			continue
		}
		if e.Source != clearSource || e.EndedAt != "" || e.WorkTree != s.Clone.Repo.WorkTree ||
			!clone.SeenSince(e.StartedAt, since) {
			continue
		}
		if heir != "" {
			return ""
		}
		heir = e.ID
	}
	return heir
}
