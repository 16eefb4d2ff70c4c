package exchange

import (
	"context"
	"errors"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/ledger"
	"github.com/git-brew/git-brew/internal/ledger/archive"
	"github.com/git-brew/git-brew/internal/ledger/notes"
	"github.com/git-brew/git-brew/internal/refsync"
	"github.com/git-brew/git-brew/internal/task"
)

func (x *Settler) acceptLock(ctx context.Context, r sides) error {
	return x.S.Locks.AcceptLock(ctx, task.ID(r.ID), r.Ours, r.Theirs)
}

func (x *Settler) settleLock(ctx context.Context, tx *ledger.Tx, r sides) (refsync.Settlement, error) {
	if settled, done, err := x.settleArchivedLock(ctx, tx, r); done || err != nil {
		return settled, err
	}
	return x.S.Locks.SettleLock(ctx, tx, r.Remote, task.ID(r.ID), r.Ours, r.Theirs)
}

func (x *Settler) acceptNotes(ctx context.Context, r sides) error {
	return notes.Accept(ctx, x.S.Clone.Ledger, r.Ours, r.Theirs)
}

// settleNotes joins the lines of both sides. git shows them from the first one
// on.
func (x *Settler) settleNotes(ctx context.Context, tx *ledger.Tx, r sides) (refsync.Settlement, error) {
	tx.After(func(ctx context.Context) { notes.Show(ctx, x.S.Clone.Repo) })
	next, how, err := notes.Merge(ctx, tx, r.Ours, r.Theirs)
	if err != nil {
		return refsync.Settlement{}, err
	}
	settled := refsync.Settlement{Outcome: outcome(how), There: next}
	if r.Ours.IsZero() && next == r.Theirs {
		settled.Outcome = refsync.New
	}
	return settled, tx.Move(ctx, r.Ref, next)
}

// maxCloneFile bounds a file in a clone's record, in bytes: sessions are small,
// a segment has some hundred events.
const maxCloneFile = 8 << 20

func (x *Settler) acceptClone(ctx context.Context, r sides) error {
	return x.S.Clone.Ledger.AcceptChain(ctx, r.Ours, r.Theirs, 1, func(string) int64 { return maxCloneFile }, nil)
}

// settleClone decides about a record that one clone alone writes: this clone's
// is only given, another one's only taken.
func (x *Settler) settleClone(ctx context.Context, tx *ledger.Tx, r sides) (refsync.Settlement, error) {
	if r.Ref == x.S.Clone.Ref() {
		return x.settleOwn(ctx, tx, r)
	}
	if r.Theirs.IsZero() {
		return refsync.Settlement{Outcome: refsync.Unchanged}, nil
	}
	how := refsync.FastForwarded
	if r.Ours.IsZero() {
		how = refsync.New
	} else if newer, err := x.S.Clone.Repo.History.IsAncestor(ctx, r.Theirs, r.Ours); err != nil || newer {
		return refsync.Settlement{Outcome: refsync.Unchanged, There: r.Theirs}, err
	}
	return refsync.Settlement{Outcome: how, There: r.Theirs}, tx.Move(ctx, r.Ref, r.Theirs)
}

// settleOwn decides about this clone's own record. What the remote has under
// its name and is not here was written before the clone was made anew in the
// same place, or by a stranger: it is not read, for consent and trust stand in
// there, and not lost.
func (x *Settler) settleOwn(ctx context.Context, tx *ledger.Tx, r sides) (refsync.Settlement, error) {
	out := refsync.Settlement{Outcome: refsync.Ahead, There: r.Ours}
	switch {
	case r.Ours.IsZero():
		return refsync.Settlement{Outcome: refsync.Unchanged, There: r.Theirs}, nil
	case r.Theirs.IsZero():
		return out, nil
	}
	known, err := x.S.Clone.Repo.History.IsAncestor(ctx, r.Theirs, r.Ours)
	if err != nil || known {
		return out, err
	}
	out.There, err = tx.Put(ctx, r.Ref, nil, "the record of a clone that was made anew\n", r.Theirs)
	return out, err
}

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
