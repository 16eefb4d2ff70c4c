package doctor

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/git-brew/git-brew/internal/app/lock"
	"github.com/git-brew/git-brew/internal/app/records"
	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/gitstore/gitfile"
	"github.com/git-brew/git-brew/internal/ledger"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/lease"
)

// brokenRef tells of a record's ref that can't be read, which keeps plain git from
// fetching anything. What a remote was last seen to have is put there, where it
// is sound; what the file held is kept aside.
func (d *doctor) brokenRef(ctx context.Context, ref gitstore.RefName, why error) {
	file := filepath.Join(d.s.Clone.Repo.CommonDir, filepath.FromSlash(string(ref)))
	if !isBrokenRef(why) {
		d.add(Problem, string(ref), "other records are not affected", "the ref can't be read: %s", unreadRef(why))
		return
	}
	seen, err := d.s.Clone.Repo.Refs.List(ctx, ledger.AllTracking)
	at := slices.IndexFunc(seen, func(r gitstore.Ref) bool {
		of, ok := ledger.TrackedOnce(r.Name)
		return ok && of == ref && r.Err == nil
	})
	if err != nil || at < 0 {
		hint := "plain git fetches nothing before that is mended; its file is " + file
		d.add(Problem, string(ref), hint, "the ref can't be read: %s", unreadRef(why))
		return
	}
	d.mend(string(ref), fmt.Sprintf("takes what was last seen as %s; plain git fetches nothing until then", seen[at].Name),
		func() error { return d.s.restore(ctx, ref, file) }, "the ref can't be read: %s", unreadRef(why))
	d.worst()
}

// restore takes a ref whose file can't be read from what a remote was last seen to
// have. What the file held is kept among the caches, under the ref's name.
func (s *Doctor) restore(ctx context.Context, ref gitstore.RefName, file string) error {
	held, err := gitfile.ReadFile(file)
	if err != nil {
		return err
	}
	if len(held) > 0 {
		if err := s.Clone.Repo.WriteCache("broken-"+strings.ReplaceAll(string(ref), "/", "-"), held); err != nil {
			return err
		}
	}
	if err := s.Clone.Repo.Refs.DropBroken(ctx, ref); err != nil {
		return err
	}
	left := s.Exchange.TakeFetchedAnew(ctx)
	if tip, err := s.Clone.Ledger.Tip(ctx, ref); err != nil || tip.IsZero() {
		return errors.Join(err, errors.New(strings.Join(left, "; ")))
	}
	return nil
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

// worst makes a problem of what was found last.
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
