package exchange

import (
	"context"
	"errors"
	"fmt"

	"github.com/git-brew/git-brew/internal/app/archive"
	"github.com/git-brew/git-brew/internal/app/records"
	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/ledger"
	archived "github.com/git-brew/git-brew/internal/ledger/archive"
	"github.com/git-brew/git-brew/internal/refsync"
	"github.com/git-brew/git-brew/internal/task"
)

// AcceptArchive checks the archive that a remote has, each task in it as if its
// ref had come from there.
func (s *Exchange) AcceptArchive(ctx context.Context, ours, theirs gitstore.OID) error {
	return archived.Accept(ctx, s.Clone.Ledger, ours, theirs,
		func(ctx context.Context, ours, theirs archived.Entry) error {
			if _, err := task.ParseID(theirs.ID); err != nil {
				return err
			}
			if err := s.acceptArchived(ctx, ours, theirs); err != nil {
				return err
			}
			if theirs.Lock.IsZero() || theirs.Lock == ours.Lock {
				return nil
			}
			here, err := s.Clone.Ledger.Tip(ctx, ledger.LockRef(theirs.ID))
			if err == nil {
				err = s.Locks.AcceptLock(ctx, task.ID(theirs.ID), here, theirs.Lock)
			}
			if err != nil {
				return fmt.Errorf("its lock: %w", err)
			}
			return nil
		})
}

// acceptArchived checks the history of a task in an archive as one that goes on
// from what the archive has here or, where that has none, from the live one.
func (s *Exchange) acceptArchived(ctx context.Context, ours, theirs archived.Entry) error {
	ref, known := ledger.TaskRef(theirs.ID), ours.Tip
	if known.IsZero() {
		var err error
		if known, err = s.Clone.Ledger.Tip(ctx, ref); err != nil {
			return err
		}
	}
	err := ledger.Accept(ctx, s.Clone.Ledger, records.TaskLaw{}, ref, known, theirs.Tip)
	if ours.Tip.IsZero() && records.NewerFormat(err) {
		return nil // the live one stays as it is: see goOn
	}
	return err
}

// SettleArchive decides what becomes of the archive, here and on a remote: both
// get all of both. What is live here and has nothing that the archive lacks is
// gone with that; what has more goes on with all that the archive knows of it.
func (s *Exchange) SettleArchive(ctx context.Context, tx *ledger.Tx, _ refsync.Remote, ours,
	theirs gitstore.OID,
) (refsync.Settlement, error) {
	out := refsync.Settlement{Outcome: refsync.New, There: theirs}
	switch {
	case theirs.IsZero():
		return refsync.Settlement{Outcome: refsync.Ahead, There: ours}, nil
	case !ours.IsZero():
		next, how, err := archived.Merge(ctx, tx, records.TaskLaw{}, ours, theirs)
		if err != nil {
			return out, err
		}
		out = refsync.Settlement{Outcome: outcome(how), There: next}
	}
	if out.There == ours {
		return out, nil
	}
	if err := tx.Move(ctx, ledger.ArchiveRef, out.There); err != nil {
		return out, err
	}
	live, err := s.LiveTips(ctx)
	if err != nil {
		return out, err
	}
	since, err := archived.Since(ctx, tx, ours, out.There, func(id string) bool { return !live[id].IsZero() })
	if err != nil {
		return out, err
	}
	note, err := retire(ctx, s, tx, since, live, ours, theirs)
	if note != "" {
		out.Notes = append(out.Notes, note)
	}
	return out, err
}

// LiveTips are the tips of the tasks that have refs: one look, however many there
// are, for the archive's are more.
func (s *Exchange) LiveTips(ctx context.Context) (map[string]gitstore.OID, error) {
	refs, err := s.Clone.Ledger.Tasks(ctx)
	if err != nil {
		return nil, err
	}
	live := make(map[string]gitstore.OID, len(refs))
	for _, r := range refs {
		if id, ok := ledger.TaskOf(r.Name); ok && r.Err == nil {
			live[id] = r.OID
		}
	}
	return live, nil
}

// retire takes the refs of live tasks that came to the archive, from archives at
// these tips, without anything that it has not. Where they are many, it leaves
// some: each is settled when its turn comes (settleArchived), or when it is due.
func retire(ctx context.Context, s *Exchange, tx *ledger.Tx, came []archived.Entry, live map[string]gitstore.OID,
	from ...gitstore.OID,
) (note string, err error) {
	var tips []gitstore.OID
	for _, e := range came {
		tips = append(tips, live[e.ID])
	}
	apart, err := s.Clone.Ledger.Unreached(ctx, tips, present(from)...)
	if err != nil {
		return "", err
	}
	var gone []archived.Entry
	for _, e := range came {
		tip := live[e.ID]
		old := !apart[tip]
		if !old {
			if old, err = s.Clone.Ledger.Contains(ctx, e.Tip, tip); err != nil {
				return "", err
			}
		}
		if old {
			if len(gone) < archive.ArchiveBatch {
				gone = append(gone, e)
			}
			continue
		}
		if err := goOn(ctx, tx, e, tip); err != nil {
			return "", err
		}
	}
	if len(gone) > 0 {
		note = fmt.Sprintf("archived here too: %d", len(gone))
	}
	return note, archived.Retire(ctx, tx, gone...)
}

// present leaves zero ids out.
func present(all []gitstore.OID) []gitstore.OID {
	var some []gitstore.OID
	for _, oid := range all {
		if !oid.IsZero() {
			some = append(some, oid)
		}
	}
	return some
}

// goOn gives a live task what the archive knows of it. Where the two can't be
// brought together (a newer program wrote them, or a part is not here) the live
// one stays as it is.
func goOn(ctx context.Context, tx *ledger.Tx, e archived.Entry, live gitstore.OID) error {
	next, _, err := ledger.Merge(ctx, tx, records.TaskLaw{}, live, e.Tip)
	if records.NewerFormat(err) || errors.Is(err, ledger.ErrShallow) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("merge task %s with the archive: %w", e.ID, err)
	}
	return tx.Move(ctx, ledger.TaskRef(e.ID), next)
}

// SettleArchived decides about a task that is in the archive here; done is false
// where both sides go on as with any other. A side that has nothing which the
// archive lacks is not live, and its ref goes; where it has more, the task lives
// again, with all that both know.
func (s *Exchange) SettleArchived(ctx context.Context, tx *ledger.Tx, r Sides) (out refsync.Settlement, done bool,
	err error,
) {
	e, ok, err := archived.Find(ctx, tx, r.ID)
	if err != nil || !ok {
		return out, false, err
	}
	for _, tip := range present([]gitstore.OID{r.Ours, r.Theirs}) {
		old, err := s.Clone.Ledger.Contains(ctx, e.Tip, tip)
		if err != nil {
			return out, false, err
		}
		if !old {
			return liveAgain(ctx, tx, r, e)
		}
	}
	out.Outcome = refsync.Archived
	if r.Ours.IsZero() {
		return out, true, nil
	}
	return out, true, archived.Retire(ctx, tx, e)
}

// liveAgain takes over a task that a remote went on with, and that is only in
// the archive here.
func liveAgain(ctx context.Context, tx *ledger.Tx, r Sides, e archived.Entry) (out refsync.Settlement, done bool,
	err error,
) {
	if !r.Ours.IsZero() {
		return out, false, nil
	}
	next, how, err := ledger.Merge(ctx, tx, records.TaskLaw{}, e.Tip, r.Theirs)
	if err != nil {
		return out, true, err
	}
	out = refsync.Settlement{Outcome: refsync.New, There: next}
	if how == ledger.OutcomeMerged {
		out.Outcome = refsync.Merged
	}
	return out, true, tx.Move(ctx, r.Ref, next)
}
