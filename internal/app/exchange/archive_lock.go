package exchange

import (
	"context"
	"errors"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/ledger"
	"github.com/git-brew/git-brew/internal/ledger/archive"
	"github.com/git-brew/git-brew/internal/refsync"
	"github.com/git-brew/git-brew/internal/task"
)

// settleArchivedLock decides about the lock of a task that is in the archive
// here and live on neither side. The archive says how far the lock had come, as
// a ref at the arbiter would: what goes on from there is settled like any other
// lock, and is there on both sides or on none; what does not is known, and its
// refs go. Done is false where the task lives.
func (x *Settler) settleArchivedLock(ctx context.Context, tx *ledger.Tx,
	r sides,
) (out refsync.Settlement, done bool, err error) {
	e, ok, err := archive.Find(ctx, tx, r.ID)
	if err != nil || !ok {
		return out, false, err
	}
	if live, err := x.livesOn(ctx, tx, r, e); err != nil || live {
		return out, false, err
	}
	theirs, err := archivedOrLater(ctx, tx, e, r.Theirs)
	if err != nil {
		return out, false, err
	}
	known, err := archive.HasLock(ctx, x.S.Clone.Ledger, e, r.Ours)
	if err != nil {
		return out, false, err
	}
	if known && theirs == e.Lock {
		return refsync.Settlement{Outcome: refsync.Archived}, true, tx.Move(ctx, r.Ref, gitstore.OID{})
	}
	out, err = x.S.Locks.SettleLock(ctx, tx, r.Remote, task.ID(r.ID), r.Ours, theirs)
	if err != nil || out.There != e.Lock {
		return out, true, err
	}
	out.There = gitstore.OID{}
	return out, true, tx.Move(ctx, r.Ref, gitstore.OID{})
}

// livesOn reports whether either side has of an archived task what the archive
// has not.
func (x *Settler) livesOn(ctx context.Context, tx *ledger.Tx, r sides, e archive.Entry) (bool, error) {
	ref := ledger.TaskRef(r.ID)
	here, err := tx.Tip(ctx, ref)
	if err != nil {
		return false, err
	}
	there, err := x.S.Clone.Ledger.Tip(ctx, r.Remote.Seen(ref))
	if err != nil {
		return false, err
	}
	old, err := x.containsAll(ctx, e, here, there)
	return !old && err == nil, err
}

// archivedOrLater is the lock of an archived task as the archive and a remote
// have it: the later one.
func archivedOrLater(ctx context.Context, tx *ledger.Tx, e archive.Entry, theirs gitstore.OID) (gitstore.OID, error) {
	later, err := tx.LaterLock(ctx, e.Lock, theirs)
	if errors.Is(err, ledger.ErrShallow) {
		return theirs, nil // the arbiter's word, where nobody can tell
	}
	return later, err
}
