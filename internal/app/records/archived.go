package records

import (
	"context"
	"fmt"
	"slices"
	"strings"

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

// Gone is a task whose branch is checked out here, and that was deleted.
type Gone struct {
	What string // says so, for people
	Way  string // the command that brings it back
}

// Hint tells the command.
func (g Gone) Hint() string { return "'" + g.Way + "' brings it back" }

// GoneHere returns the latest of the deleted tasks of the branch that is checked out here;
// ok is false where there is none.
func (s *Records) GoneHere(ctx context.Context) (g Gone, ok bool) {
	head, err := s.Clone.Repo.Refs.Head(ctx)
	branch := clone.HeadBranch(head)
	if err != nil || branch == "" {
		return g, false
	}
	all, err := s.Index(ctx)
	if err != nil {
		return g, false
	}
	var last Indexed
	for _, t := range all {
		if t.Err == nil && t.State.Branch == branch && t.State.Deleted && t.State.CreatedAt >= last.State.CreatedAt {
			last = t
		}
	}
	if last.ID == "" {
		return g, false
	}
	name := s.Name(ctx, task.ID(last.ID))
	return Gone{name + " is deleted", "git brew undo " + name}, true
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
	l, err := s.ReadLock(ctx, e.Lock)
	return freeOf(id, l, err)
}

// ArchiveIndex returns the tasks that are in the archive, and only there, in the
// order of their ids.
func (s *Records) ArchiveIndex(ctx context.Context, live []Indexed) ([]Indexed, error) {
	var rows []Indexed
	err := archive.Each(ctx, s.Clone.Ledger.Reading(ctx), task.TaskFile, func(e archive.Entry, data []byte, err error) {
		if RowOf(live, e.ID).ID != "" {
			return
		}
		ref := gitstore.RefName(string(ledger.ArchiveRef) + ":" + e.ID) // what git calls it
		row := Indexed{ID: e.ID, Ref: ref, Tip: e.Tip}
		row.State, row.Err = ReadTaskRow(data, err)
		row.State.Archived = true
		rows = append(rows, row)
	})
	slices.SortFunc(rows, func(a, b Indexed) int { return strings.Compare(a.ID, b.ID) })
	return rows, err
}

// ReadTaskRow makes the index's row of a task's file; err is why it can't be
// read.
func ReadTaskRow(data []byte, err error) (TaskRow, error) {
	if err != nil {
		return TaskRow{}, err
	}
	t, err := task.DecodeState(data)
	return newTaskRow(t), err
}

func (s *Records) NoTaskHere(ctx context.Context) error {
	if g, ok := s.GoneHere(ctx); ok {
		return clone.NotFoundAs(task.ErrNoTask, g.Hint(), "no task here: %s", g.What)
	}
	return clone.NotFoundAs(task.ErrNoTask,
		"create one with 'git brew create TITLE', or pick one with 'git brew switch TASK'", "no task here")
}
