package exchange

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/git-brew/git-brew/internal/app/archive"
	"github.com/git-brew/git-brew/internal/app/records"
	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/ledger"
	archived "github.com/git-brew/git-brew/internal/ledger/archive"
	"github.com/git-brew/git-brew/internal/refsync"
	"github.com/git-brew/git-brew/internal/task"
)

// acceptArchive checks the archive that a remote has, each task in it as if its
// ref had come from there.
func (x *Settler) acceptArchive(ctx context.Context, r sides) error {
	return archived.Accept(ctx, x.S.Clone.Ledger, r.Ours, r.Theirs,
		func(ctx context.Context, ours, theirs archived.Entry) error {
			if _, err := task.ParseID(theirs.ID); err != nil {
				return err
			}
			if err := x.acceptArchived(ctx, ours, theirs); err != nil {
				return err
			}
			if theirs.Lock.IsZero() || theirs.Lock == ours.Lock {
				return nil
			}
			here, err := x.S.Clone.Ledger.Tip(ctx, ledger.LockRef(theirs.ID))
			if err == nil {
				err = x.S.Locks.AcceptLock(ctx, task.ID(theirs.ID), here, theirs.Lock)
			}
			if err != nil {
				return fmt.Errorf("its lock: %w", err)
			}
			return nil
		})
}

// acceptArchived checks the history of a task in an archive as one that goes on
// from what the archive has here or, where that has none, from the live one.
func (x *Settler) acceptArchived(ctx context.Context, ours, theirs archived.Entry) error {
	ref, known := ledger.TaskRef(theirs.ID), ours.Tip
	if known.IsZero() {
		var err error
		if known, err = x.S.Clone.Ledger.Tip(ctx, ref); err != nil {
			return err
		}
	}
	err := ledger.Accept(ctx, x.S.Clone.Ledger, records.TaskLaw(), ref, known, theirs.Tip)
	if ours.Tip.IsZero() && records.NewerFormat(err) {
		return nil // the live one stays as it is: see goOn
	}
	return err
}

// settleArchive decides what becomes of the archive, here and on a remote: both
// get all of both. What is live here and has nothing that the archive lacks is
// gone with that; what has more goes on with all that the archive knows of it.
func (x *Settler) settleArchive(ctx context.Context, tx *ledger.Tx, r sides) (refsync.Settlement, error) {
	out := refsync.Settlement{Outcome: refsync.New, There: r.Theirs}
	switch {
	case r.Theirs.IsZero():
		return refsync.Settlement{Outcome: refsync.Ahead, There: r.Ours}, nil
	case !r.Ours.IsZero():
		next, how, err := archived.Merge(ctx, tx, records.TaskLaw(), r.Ours, r.Theirs)
		if err != nil {
			return out, err
		}
		out = refsync.Settlement{Outcome: outcome(how), There: next}
	}
	if out.There == r.Ours {
		return out, nil
	}
	if err := tx.Move(ctx, ledger.ArchiveRef, out.There); err != nil {
		return out, err
	}
	refs, err := x.S.Clone.Ledger.Tasks(ctx) // one look, however many there are, for the archive's are more
	if err != nil {
		return out, err
	}
	live := make(map[string]gitstore.OID, len(refs))
	for _, task := range refs {
		if id, ok := ledger.TaskOf(task.Name); ok && task.Err == nil {
			live[id] = task.OID
		}
	}
	since, err := archived.Since(ctx, tx, r.Ours, out.There, func(id string) bool { return !live[id].IsZero() })
	if err != nil {
		return out, err
	}
	gone, err := x.retire(ctx, tx, since, live, r)
	if gone > 0 {
		out.Notes = append(out.Notes, fmt.Sprintf("archived here too: %d", gone))
	}
	return out, err
}

// retire takes the refs of live tasks that came to the archive, from the archives of
// both sides, without anything that it has not. Where they are many, it leaves
// some: each is settled when its turn comes (settleArchived), or when it is due.
func (x *Settler) retire(ctx context.Context, tx *ledger.Tx, came []archived.Entry, live map[string]gitstore.OID,
	r sides,
) (int, error) {
	var tips []gitstore.OID
	for _, e := range came {
		tips = append(tips, live[e.ID])
	}
	apart, err := x.S.Clone.Repo.History.Outside(ctx, tips, present(r.Ours, r.Theirs))
	if err != nil {
		return 0, err
	}
	var gone []archived.Entry
	for _, e := range came {
		tip := live[e.ID]
		old := !apart[tip]
		if !old {
			if old, err = x.S.Clone.Ledger.Contains(ctx, e.Tip, tip); err != nil {
				return 0, err
			}
		}
		switch {
		case !old:
			if err := goOn(ctx, tx, e, tip); err != nil {
				return 0, err
			}
		case len(gone) < archive.ArchiveBatch:
			gone = append(gone, e)
		}
	}
	return len(gone), archived.Retire(ctx, tx, gone...)
}

// present leaves zero ids out.
func present(all ...gitstore.OID) []gitstore.OID { return slices.DeleteFunc(all, gitstore.OID.IsZero) }

// containsAll reports whether the archive has all that is at these tips of a task.
func (x *Settler) containsAll(ctx context.Context, e archived.Entry, tips ...gitstore.OID) (bool, error) {
	for _, tip := range present(tips...) {
		if old, err := x.S.Clone.Ledger.Contains(ctx, e.Tip, tip); err != nil || !old {
			return false, err
		}
	}
	return true, nil
}

// goOn gives a live task what the archive knows of it. Where the two can't be
// brought together (a newer program wrote them, or a part is not here) the live
// one stays as it is.
func goOn(ctx context.Context, tx *ledger.Tx, e archived.Entry, live gitstore.OID) error {
	next, _, err := ledger.Merge(ctx, tx, records.TaskLaw(), live, e.Tip)
	if records.NewerFormat(err) || errors.Is(err, ledger.ErrShallow) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("merge task %s with the archive: %w", e.ID, err)
	}
	return tx.Move(ctx, ledger.TaskRef(e.ID), next)
}

// settleArchived decides about a task that is in the archive here; done is false
// where both sides go on as with any other. A side that has nothing which the
// archive lacks is not live, and its ref goes; where it has more, the task lives
// again, with all that both know.
func (x *Settler) settleArchived(ctx context.Context, tx *ledger.Tx,
	r sides,
) (out refsync.Settlement, done bool, err error) {
	e, ok, err := archived.Find(ctx, tx, r.ID)
	if err != nil || !ok {
		return out, false, err
	}
	old, err := x.containsAll(ctx, e, r.Ours, r.Theirs)
	switch {
	case err != nil:
		return out, false, err
	case !old && r.Ours.IsZero(): // the remote went on with it
		next, how, err := ledger.Merge(ctx, tx, records.TaskLaw(), e.Tip, r.Theirs)
		if err != nil {
			return out, true, err
		}
		out = refsync.Settlement{Outcome: refsync.New, There: next}
		if how == ledger.OutcomeMerged {
			out.Outcome = refsync.Merged
		}
		return out, true, tx.Move(ctx, r.Ref, next)
	case !old:
		return out, false, nil
	}
	out.Outcome = refsync.Archived
	if r.Ours.IsZero() {
		return out, true, nil
	}
	return out, true, archived.Retire(ctx, tx, e)
}
