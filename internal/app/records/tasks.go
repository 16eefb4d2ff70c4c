// Package records finds and reads the records of tasks, locks and the project: by id, by
// name, from an index, in the archive, at a time. It changes nothing.
package records

import (
	"context"
	"encoding/json"
	"fmt"
	"sort"

	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/ledger"
	"github.com/git-brew/git-brew/internal/ledger/cache"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/lease"
)

// Brief reads a task from its snapshot, an archived one from its objects;
// task.ErrNoTask where there is no such task.
func (s *Records) Brief(ctx context.Context, id task.ID) (Brief, gitstore.OID, error) {
	tip, archived, err := s.TipOf(ctx, id)
	switch {
	case err != nil:
		return Brief{}, tip, err
	case archived:
		t, err := ledger.Load(ctx, s.Clone.Ledger, TaskLaw(), tip)
		if err != nil {
			return Brief{}, tip, fmt.Errorf("read task %s: %w", id, err)
		}
		b := briefTask(t)
		b.Archived = true
		return b, tip, nil
	}
	b, err := s.BriefAt(ctx, id, tip)
	if err == nil && b.AsksPlan {
		err = s.AskPlan(ctx, tip, &b, true)
	}
	return b, tip, err
}

// BriefAt is Brief for the tip that the task's ref is known to have.
func (s *Records) BriefAt(ctx context.Context, id task.ID, tip gitstore.OID) (Brief, error) {
	b, err := cache.Brief(ctx, s.Clone.Ledger.Cache, ledger.TaskRef(string(id)), tip,
		func(ctx context.Context, tip gitstore.OID) (Brief, error) {
			t, err := ledger.Load(ctx, s.Clone.Ledger, TaskLaw(), tip)
			return briefTask(t), err
		})
	if err != nil {
		return b, fmt.Errorf("read task %s: %w", id, err)
	}
	b.Task.Docs = b.Docs
	return b, nil
}

// Task reads a whole task, its knowledge included.
func (s *Records) Task(ctx context.Context, id task.ID) (task.Task, error) {
	tip, _, err := s.TipOf(ctx, id)
	if err != nil {
		return task.Task{}, err
	}
	t, err := ledger.Load(ctx, s.Clone.Ledger, TaskLaw(), tip)
	if err != nil {
		return t, err
	}
	return s.WithPlan(ctx, t), nil
}

// Listed is a task in full, or why it can't be read (S-25).
type Listed struct {
	Brief
	Tip gitstore.OID
	Ref gitstore.RefName
	Err error
}

// Tasks reads every task from its snapshot. For what an index holds, index does
// in a fraction of the time.
func (s *Records) Tasks(ctx context.Context) ([]Listed, error) {
	refs, err := s.Clone.Ledger.Tasks(ctx)
	if err != nil {
		return nil, err
	}
	all := make([]Listed, 0, len(refs))
	for _, r := range refs {
		id, ok := ledger.TaskOf(r.Name)
		if !ok {
			continue
		}
		l := Listed{Ref: r.Name, Tip: r.OID, Err: r.Err}
		if l.Err == nil {
			l.Brief, l.Err = s.BriefAt(ctx, task.ID(id), r.OID)
		}
		all = append(all, l)
	}
	return all, nil
}

// Project reads the project's knowledge and backlog from its snapshot.
func (s *Records) Project(ctx context.Context) (projectBrief, error) {
	b, _, err := ledger.Brief(ctx, s.Clone.Ledger, ledger.KnowledgeRef,
		func(ctx context.Context, tip gitstore.OID) (projectBrief, error) {
			p, err := ledger.Load(ctx, s.Clone.Ledger, ProjectLaw(), tip)
			return briefProject(p), err
		})
	if err != nil {
		return b, fmt.Errorf("read the project's knowledge: %w", err)
	}
	return b, nil
}

// Records finds and reads the records of tasks, locks and the project.
type Records struct {
	Clone *clone.Clone
}

// TaskRow is what the index of all tasks holds of one: what a list shows, and
// what a task is looked for by.
type TaskRow struct {
	Title, Type, Branch, Base string
	Services                  []task.Service
	Issues                    []string
	Priority                  task.Priority
	Status                    task.Status
	Reason                    string
	Stage                     task.Stage
	CreatedAt, UpdatedAt      string
	Deleted                   bool
	Phases                    task.PhaseCounts
	// Current is the current phase, and behind it, by their ids alone, those
	// that it names.
	Current []task.Phase
	// Verify are the short hashes of the commands that may be run yet.
	Verify []string

	Archived bool // it was read from the archive
}

func newTaskRow(t task.Task) TaskRow {
	row := TaskRow{
		Title: t.Title, Type: t.Type, Branch: t.Branch, Base: t.Base, Status: t.Status, Reason: t.Reason, Stage: t.Stage,
		CreatedAt: t.CreatedAt, UpdatedAt: t.UpdatedAt, Deleted: t.Deleted, Phases: task.CountPhases(t),
		Verify:   VerifyHashes(t),
		Services: t.Services, Issues: t.Issues, Priority: t.Priority,
	}
	current, ok := t.CurrentPhase()
	if !ok {
		return row
	}
	row.Current = []task.Phase{current}
	for _, uid := range append([]task.UID{current.Parent}, current.DependsOn...) {
		if p, ok := t.Phase(uid); ok {
			row.Current = append(row.Current, task.Phase{UID: p.UID, ID: p.ID})
		}
	}
	return row
}

// Task is the head of the task: all that a row knows of it.
func (r TaskRow) Task(id string) *task.Task {
	t := &task.Task{
		ID: task.ID(id), Title: r.Title, Type: r.Type, Branch: r.Branch, Base: r.Base, Status: r.Status, Reason: r.Reason,
		Stage: r.Stage, CreatedAt: r.CreatedAt, UpdatedAt: r.UpdatedAt, Deleted: r.Deleted, Phases: r.Current,
		Services: r.Services, Issues: r.Issues, Priority: r.Priority,
	}
	if len(r.Current) > 0 {
		t.Current = r.Current[0].UID
	}
	return t
}

// Indexed is a task in the index, or why it can't be read (S-25: a broken task
// never hides the others, and is never left out in silence).
type Indexed = cache.Row[TaskRow]

// Index returns all tasks, the deleted ones too, in the order of their ids.
func (s *Records) Index(ctx context.Context) ([]Indexed, error) {
	return cache.Index(ctx, s.Clone.Ledger.Cache, taskIndex())
}

func taskIndex() cache.IndexKind[TaskRow] {
	return cache.IndexKind[TaskRow]{
		Name: "index-tasks", Refs: ledger.TasksPrefix, File: task.TaskFile,
		Build: func(_ context.Context, _ string, _ gitstore.OID, data []byte, err error) (TaskRow, error) {
			return ReadTaskRow(data, err)
		},
	}
}

// LockIndex returns all locks that were ever taken, in the order of their tasks'
// ids.
func (s *Records) LockIndex(ctx context.Context) ([]cache.Row[lease.Lock], error) {
	return cache.Index(ctx, s.Clone.Ledger.Cache, cache.IndexKind[lease.Lock]{
		Name: "index-locks", Refs: ledger.LocksPrefix, File: ledger.LockFile,
		Build: func(ctx context.Context, _ string, tip gitstore.OID, data []byte, err error) (lease.Lock, error) {
			var l lease.Lock
			if err == nil && json.Unmarshal(data, &l) == nil && lease.CheckLock(l) == nil {
				return l, nil
			}
			return s.ReadLock(ctx, tip)
		},
	})
}

// RowOf finds the row of a task; the zero row where there is none.
func RowOf[T any](rows []cache.Row[T], id string) cache.Row[T] {
	if i := RowAt(rows, id); i >= 0 {
		return rows[i]
	}
	return cache.Row[T]{}
}

// RowAt finds the row of a task; -1 where there is none.
func RowAt[T any](rows []cache.Row[T], id string) int {
	i := sort.Search(len(rows), func(i int) bool { return rows[i].ID >= id }) // rows are too large to be handed around
	if i == len(rows) || rows[i].ID != id {
		return -1
	}
	return i
}
