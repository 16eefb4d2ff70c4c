// Package archive puts tasks away that ended long ago.
package archive

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/app/config"
	"github.com/git-brew/git-brew/internal/app/lock"
	"github.com/git-brew/git-brew/internal/app/records"
	"github.com/git-brew/git-brew/internal/ledger"
	"github.com/git-brew/git-brew/internal/ledger/archive"
	"github.com/git-brew/git-brew/internal/refsync"
	"github.com/git-brew/git-brew/internal/task"
)

// Archive puts ended tasks away and finds them again.
type Archive struct {
	Clone   *clone.Clone
	Config  *config.Config
	Locks   *lock.Locks
	Records *records.Records
}

// ArchiveBatch is how many tasks go to the archive, or lose their refs to it, in
// one transaction: git takes a millisecond for each ref, while hooks of agents
// wait.
const ArchiveBatch = 200

// ArchiveRequest says what goes to the archive: tasks, whenever they ended, or
// all that are due.
type ArchiveRequest struct {
	Tasks []task.ID
	Due   bool
	// Progress is told how far what is due has come, where it is not nil.
	Progress func(refsync.Step, int, int)
}

// ArchiveResult is what went there.
type ArchiveResult struct {
	Tasks []task.Task
	// Already were there before.
	Already []task.ID
	// After is the setting that says what is due: a time, or Never.
	After string
}

// Archive puts tasks that have ended, or were deleted, into the archive. Their
// refs are gone then; the archive has all that they led to. A task whose lock is
// held stays, and one that has not ended: the error is a *task.HeldError or a
// *RefusedError, and nothing is archived.
//
// The setting archive.after says which ones are due: a sync that pushes puts them away
// before it fetches. One that went on meanwhile, or can't be read, stays.
func (s *Archive) Archive(ctx context.Context, r ArchiveRequest) (out ArchiveResult, err error) {
	if !r.Due {
		err = s.add(ctx, r, r.Tasks, &out)
		return out, err
	}
	set, err := s.Config.Settings(ctx)
	if err != nil {
		return out, err
	}
	out.After = set.Text(config.KeyArchiveAfter)
	if out.After == config.Never {
		return out, nil
	}
	due, err := s.dueTasks(ctx, set.Period(config.KeyArchiveAfter))
	for batch := range slices.Chunk(due, ArchiveBatch) {
		if r.Progress != nil {
			r.Progress(Archiving, len(out.Tasks), len(due))
		}
		if err := s.add(ctx, r, batch, &out); err != nil {
			return out, err
		}
	}
	return out, err
}

// add archives tasks in one change, and adds them to the result.
func (s *Archive) add(ctx context.Context, r ArchiveRequest, tasks []task.ID, out *ArchiveResult) error {
	var done ArchiveResult
	err := s.Clone.Ledger.Change(ctx, func(ctx context.Context, tx *ledger.Tx) error {
		done = ArchiveResult{}
		var ids []string
		for _, id := range tasks {
			t, archived, err := s.toArchive(ctx, tx, id)
			switch {
			case err != nil && r.Due && ctx.Err() == nil:
			case err != nil:
				return err
			case slices.Contains(ids, string(id)) || slices.Contains(done.Already, id):
			case archived:
				done.Already = append(done.Already, id)
			default:
				ids, done.Tasks = append(ids, string(id)), append(done.Tasks, t)
			}
		}
		return archive.Add(ctx, tx, records.TaskLaw(), ids...)
	})
	if err != nil {
		return err
	}
	out.Tasks, out.Already = append(out.Tasks, done.Tasks...), append(out.Already, done.Already...)
	return nil
}

// toArchive decides whether a task may go to the archive.
func (s *Archive) toArchive(ctx context.Context, tx *ledger.Tx, id task.ID) (t task.Task, archived bool, err error) {
	tip, err := tx.Tip(ctx, ledger.TaskRef(string(id)))
	if err != nil {
		return t, false, err
	}
	if tip.IsZero() {
		_, archived, err := s.Records.TipOf(ctx, id)
		return t, archived, err
	}
	if t, err = ledger.Load(ctx, s.Clone.Ledger, records.TaskLaw(), tip); err != nil {
		return t, false, fmt.Errorf("read task %s: %w", id, err)
	}
	if !ended(t.Status, t.Deleted) {
		return t, false, clone.Refuse("'git brew finish "+s.Records.Name(ctx, id)+"' ends it", "%s is %s", t.ID, t.Status)
	}
	lockTip, err := tx.Tip(ctx, ledger.LockRef(string(id)))
	if err != nil {
		return t, false, err
	}
	l, err := s.Records.LockBriefAt(ctx, id, lockTip)
	if err != nil || s.Locks.LockState(l) != lock.LockHeld {
		return t, false, err
	}
	if err := s.Locks.Allows(l); err != nil {
		return t, false, s.Records.Named(ctx, err)
	}
	return t, false, clone.Refuse("'git brew lock release "+s.Records.Name(ctx, id)+"' lets go of it",
		"the lock of %s is held", t.ID)
}

// ended reports whether nobody works on a task any more.
func ended(status task.Status, deleted bool) bool { return deleted || status.Terminal() }

// dueTasks are the tasks that ended, and were not changed, for longer than
// after, while nobody held their locks. Where state is shared, a task is due
// only as the remote is known to have it: what others lack does not vanish from
// their sight before they saw it.
func (s *Archive) dueTasks(ctx context.Context, after time.Duration) ([]task.ID, error) {
	all, err := s.Records.Index(ctx)
	if err != nil {
		return nil, err
	}
	locks, err := s.Records.LockIndex(ctx)
	if err != nil {
		return nil, err
	}
	remote, shared, err := s.Config.Arbiter(ctx)
	if err != nil {
		return nil, err
	}
	before := s.Clone.Now().Add(-after)
	var due []task.ID
	for _, row := range all {
		changed, ok := clone.ParseTime(row.State.UpdatedAt)
		if row.Err != nil || !ok || changed.After(before) || !ended(row.State.Status, row.State.Deleted) {
			continue
		}
		held := records.RowOf(locks, row.ID)
		if held.Err != nil || s.Locks.LockState(held.State) == lock.LockHeld {
			continue
		}
		if shared {
			if seen, err := s.Clone.Ledger.Tip(ctx, remote.Seen(row.Ref)); err != nil || seen != row.Tip {
				continue // one that can't be read is not known to be there
			}
		}
		due = append(due, task.ID(row.ID))
	}
	return due, nil
}

// Archiving is the step of a sync that comes before those of an exchange.
const Archiving refsync.Step = "archiving"
