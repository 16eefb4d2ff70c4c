package doctor

import (
	"context"
	"errors"
	"path/filepath"
	"time"

	"github.com/git-brew/git-brew/internal/app/lock"
	"github.com/git-brew/git-brew/internal/app/records"
	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/ledger"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/lease"
)

// brokenRef tells of a record's ref that can't be read, which keeps plain git from
// fetching anything. Nothing is lost where a person moves its file away: a sync brings
// what a remote has of it.
func (d *doctor) brokenRef(ref gitstore.RefName, why error) {
	hint := "other records are not affected"
	if isBrokenRef(why) {
		file := filepath.Join(d.s.Clone.Repo.CommonDir, filepath.FromSlash(string(ref)))
		hint = "move " + file + " somewhere else, and 'git brew sync' brings what a remote has of it; " +
			"until then plain git fetches nothing"
	}
	d.add(Problem, string(ref), hint, "the ref can't be read: %s", unreadRef(why))
}

// leftLocks finds the locks of refs that whoever took them left behind: git and
// git brew wait for them in vain.
func (d *doctor) leftLocks(context.Context) error {
	locks, err := d.s.Clone.Repo.Refs.LeftLocks(ledger.Prefix, d.s.Clone.Now().Add(-lockWait))
	for _, path := range locks {
		d.add(Problem, "lock file", "if no git is at work in this repository, remove that file; until then what it locks "+
			"can't change", "%s was left behind", path)
	}
	return err
}

// lockWait is how old the lock of a ref is that nobody holds any more: what is
// done under one takes milliseconds.
const lockWait = time.Minute

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

func (d *doctor) worst() { d.found[len(d.found)-1].Severity = Problem }

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
