// Package records finds and reads the records of tasks, locks and the project: by id, by
// name, from an index, in the archive, at a time. It changes nothing.
package records

import (
	"context"
	"fmt"

	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/ledger"
	"github.com/git-brew/git-brew/internal/ledger/cache"
	"github.com/git-brew/git-brew/internal/task"
)

// Brief reads a task from its snapshot, an archived one from its objects;
// task.ErrNoTask where there is no such task.
func (s *Records) Brief(ctx context.Context, id task.ID) (Brief, gitstore.OID, error) {
	tip, archived, err := s.TipOf(ctx, id)
	switch {
	case err != nil:
		return Brief{}, tip, err
	case archived:
		t, err := ledger.Load(ctx, s.Clone.Ledger, TaskLaw{}, tip)
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
			t, err := ledger.Load(ctx, s.Clone.Ledger, TaskLaw{}, tip)
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
	t, err := ledger.Load(ctx, s.Clone.Ledger, TaskLaw{}, tip)
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
			p, err := ledger.Load(ctx, s.Clone.Ledger, ProjectLaw{}, tip)
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
