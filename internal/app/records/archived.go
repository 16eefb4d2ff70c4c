package records

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/ledger"
	"github.com/git-brew/git-brew/internal/ledger/archive"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/lease"
)

// TipOf is the tip of a task's record: of its ref, else where the archive has
// it. Neither: a NotFoundError.
func (s *Records) TipOf(ctx context.Context, id task.ID) (tip gitstore.OID, archived bool, err error) {
	if tip, err = s.Clone.Ledger.Tip(ctx, ledger.TaskRef(string(id))); err != nil {
		return tip, false, fmt.Errorf("read task %s: %w", id, err)
	}
	if !tip.IsZero() {
		return tip, false, nil
	}
	e, archived, err := archive.Find(ctx, s.Clone.Ledger.Reading(ctx), string(id))
	if err == nil && !archived {
		err = clone.NotFoundAs(task.ErrNoTask, "see 'git brew list --all'", "no task %q", id)
	}
	return e.Tip, archived, err
}

// Archived reports whether a task stands in the archive, and only there.
func (s *Records) Archived(ctx context.Context, id task.ID) (bool, error) {
	_, archived, err := s.TipOf(ctx, id)
	return archived, err
}

// Gone is a task whose branch is checked out here, and that is no task here any more.
type Gone struct {
	What string // says so, for people
	Way  string // the command that brings it back
}

func (s *Records) Gone(ctx context.Context, id task.ID, deleted bool) Gone {
	name := s.Name(ctx, id)
	if deleted {
		return Gone{name + " is deleted", "git brew undo " + name}
	}
	return Gone{name + " is archived", "git brew start --restart " + name}
}

// String tells of both.
func (g Gone) String() string { return g.What + "; " + g.Hint() }

func (g Gone) Hint() string { return "'" + g.Way + "' brings it back" }

// GoneHere returns the latest task of the branch that is checked out here, of those
// that were deleted or archived; ok is false where there is none.
func (s *Records) GoneHere(ctx context.Context) (g Gone, ok bool) {
	head, err := s.Clone.Repo.Refs.Head(ctx)
	branch := clone.HeadBranch(head)
	if err != nil || branch == "" {
		return g, false
	}
	return s.GoneOf(ctx, branch)
}

func (s *Records) GoneOf(ctx context.Context, branch string) (g Gone, ok bool) {
	live, err := s.Index(ctx)
	if err != nil {
		return g, false
	}
	all, err := s.ArchiveIndex(ctx, live)
	if err != nil {
		return g, false
	}
	var last Indexed
	for _, t := range slices.Concat(live, all) {
		if t.Err == nil && t.State.Branch == branch && (t.State.Deleted || t.State.Archived) &&
			t.State.CreatedAt >= last.State.CreatedAt {
			last = t
		}
	}
	if last.ID == "" {
		return g, false
	}
	return s.Gone(ctx, task.ID(last.ID), last.State.Deleted), true
}

// HasArchive reports whether any task is archived.
func (s *Records) HasArchive(ctx context.Context) bool {
	ids, err := archive.IDs(ctx, s.Clone.Ledger.Reading(ctx))
	return err == nil && len(ids) > 0
}

// Revision is what git calls a task's record: its ref, or the commit of an
// archived one.
func (s *Records) Revision(ctx context.Context, id task.ID) (string, error) {
	tip, archived, err := s.TipOf(ctx, id)
	if err != nil || archived {
		return tip.String(), err
	}
	return string(ledger.TaskRef(string(id))), nil
}

// LockOf reads a task's lock: an archived task's from the archive, unless
// somebody took it since.
func (s *Records) LockOf(ctx context.Context, id task.ID, archived bool) (lease.Lock, error) {
	tip, err := s.Clone.Ledger.Tip(ctx, ledger.LockRef(string(id)))
	if !archived || err != nil || !tip.IsZero() {
		return s.LockBrief(ctx, id)
	}
	e, ok, err := archive.Find(ctx, s.Clone.Ledger.Reading(ctx), string(id))
	if err != nil || !ok || e.Lock.IsZero() {
		return lease.Lock{}, err
	}
	l, err := FreeIfUnread(s.ReadLock(ctx, e.Lock))
	if err != nil {
		return l, fmt.Errorf("read the lock of %s: %w", id, err)
	}
	return l, nil
}

// resolveArchived is Resolve for what no live task is called: live says so.
func (s *Records) resolveArchived(ctx context.Context, arg string, live error) (task.ID, error) {
	names, err := archive.IDs(ctx, s.Clone.Ledger.Reading(ctx))
	if err != nil {
		return "", err
	}
	ids := make([]task.ID, 0, len(names))
	for _, name := range names {
		ids = append(ids, task.ID(name))
	}
	id, err := task.Match(ids, arg)
	if ambiguous, ok := errors.AsType[*task.AmbiguousError](err); ok {
		if one, oerr := task.Match(undeleted(ctx, s, ambiguous.Candidates), arg); !errors.Is(oerr, task.ErrNoTask) {
			return one, oerr
		}
	}
	if errors.Is(err, task.ErrNoTask) {
		return "", live
	}
	return id, err
}

// archivedRow is a task of the archive as the index of all of them has it.
type archivedRow struct {
	ID, Tip string
	State   TaskRow
}

// ArchiveIndex returns the tasks that are in the archive, and only there, in the
// order of their ids. It is made once for each state of the archive.
func (s *Records) ArchiveIndex(ctx context.Context, live []Indexed) ([]Indexed, error) {
	var fresh []Indexed // as they were just read, with what can't be
	rows, _, err := ledger.Brief(ctx, s.Clone.Ledger, ledger.ArchiveRef,
		func(ctx context.Context, _ gitstore.OID) ([]archivedRow, error) {
			var err error
			if fresh, err = readArchive(ctx, s); err != nil {
				return nil, err
			}
			rows := make([]archivedRow, 0, len(fresh))
			for _, row := range fresh {
				if row.Err != nil {
					return nil, errNotAll // it may be mended without the archive's ref moving
				}
				rows = append(rows, archivedRow{row.ID, row.Tip.String(), row.State})
			}
			return rows, nil
		})
	if err != nil && !errors.Is(err, errNotAll) {
		return nil, err
	}
	if fresh == nil {
		for _, row := range rows {
			tip, err := gitstore.ParseOID(row.Tip)
			fresh = append(fresh, Indexed{ID: row.ID, Ref: inArchive(row.ID), Tip: tip, Err: err, State: row.State})
		}
	}
	fresh = slices.DeleteFunc(fresh, func(row Indexed) bool { return RowOf(live, row.ID).ID != "" })
	for i := range fresh {
		fresh[i].State.Archived = true
	}
	return fresh, nil
}

// inArchive is what git calls an archived task.
func inArchive(id string) gitstore.RefName {
	return gitstore.RefName(string(ledger.ArchiveRef) + ":" + id)
}

// errNotAll: some of many can't be read.
var errNotAll = errors.New("not all can be read")

// readArchive reads the state of every task in the archive.
func readArchive(ctx context.Context, s *Records) ([]Indexed, error) {
	var rows []Indexed
	var tips []gitstore.OID
	var at []int
	err := archive.Each(ctx, s.Clone.Ledger.Reading(ctx), func(a archive.Entry, err error) {
		if err == nil {
			tips, at = append(tips, a.Tip), append(at, len(rows))
		}
		rows = append(rows, Indexed{ID: a.ID, Ref: inArchive(a.ID), Tip: a.Tip, Err: err})
	})
	if err != nil {
		return nil, err
	}
	err = s.Clone.Repo.Objects.ReadFiles(ctx, tips, []string{task.TaskFile}, func(i, _ int, data []byte, err error) {
		row := &rows[at[i]]
		row.State, row.Err = ReadTaskRow(data, err)
	})
	return rows, err
}

// ReadTaskRow makes the index's row of a task's file; err is why it can't be
// read.
func ReadTaskRow(data []byte, err error) (TaskRow, error) {
	if err != nil {
		return TaskRow{}, err
	}
	t, err := task.DecodeState(data)
	if err != nil {
		return TaskRow{}, err
	}
	return newTaskRow(t), nil
}

func (s *Records) NoTaskHere(ctx context.Context) error {
	if g, ok := s.GoneHere(ctx); ok {
		return clone.NotFoundAs(task.ErrNoTask, g.Hint(), "no task here: %s", g.What)
	}
	return clone.NotFoundAs(task.ErrNoTask,
		"create one with 'git brew create TITLE', or pick one with 'git brew switch TASK'", "no task here")
}
