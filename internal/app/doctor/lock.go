package doctor

import (
	"context"
	"errors"

	"github.com/git-brew/git-brew/internal/app/lock"
	"github.com/git-brew/git-brew/internal/app/records"
	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/ledger"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/lease"
)

// lock checks a task's lock. One that can't be read counts as free (BC-62); to
// put a free one there says the same, so that costs nothing.
func (d *doctor) lock(ctx context.Context, id task.ID) {
	ref := ledger.LockRef(string(id))
	tip, err := d.s.Clone.Ledger.Tip(ctx, ref)
	if err == nil && tip.IsZero() {
		return
	}
	var l lease.Lock
	if err == nil {
		l, err = d.s.Records.ReadLock(ctx, tip)
	}
	switch _, unread := errors.AsType[*records.UnreadLockError](err); {
	case unread, isBrokenRef(err):
		d.mend(string(ref), "puts a free one there; it counts as that already, and 'git brew start' takes it",
			func() error { return d.s.Claims.MendLock(ctx, id) }, "the lock can't be read: %s", unreadRef(err))
		d.worst()
		return
	case err == nil:
		err = d.s.Clone.Ledger.CheckObjects(ctx, tip)
	}
	if err != nil {
		d.add(Problem, string(ref), "other tasks are not affected", "%v", err)
		return
	}
	d.snapshot(ref, tip, l)
	if d.s.Locks.LockState(l) == lock.LockStale {
		d.add(Remark, string(ref), "'git brew start' takes it over", "the lock is stale: last renewed %s by %s", l.RenewedAt,
			l.Holder())
	}
}

// worst makes a problem of what was found last.
func (d *doctor) worst() { d.report.Findings[len(d.report.Findings)-1].Severity = Problem }

func isBrokenRef(err error) bool {
	_, broken := errors.AsType[*gitstore.BrokenRefError](err)
	return broken
}

// unreadRef is why a ref can't be read, where the ref itself was named.
func unreadRef(err error) string {
	if broken, ok := errors.AsType[*gitstore.BrokenRefError](err); ok {
		return broken.Reason
	}
	return err.Error()
}
