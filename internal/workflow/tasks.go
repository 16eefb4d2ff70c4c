package workflow

import (
	"context"
	"fmt"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/ledger"
	"github.com/git-brew/git-brew/internal/task"
)

// taskBrief reads a task from its snapshot, an archived one from its objects;
// task.ErrNoTask where there is no such task.
func (s *Records) taskBrief(ctx context.Context, id task.ID) (taskBrief, gitstore.OID, error) {
	tip, archived, err := s.tipOf(ctx, id)
	switch {
	case err != nil:
		return taskBrief{}, tip, err
	case archived:
		t, err := ledger.Load(ctx, s.clone.Ledger, taskLaw{}, tip)
		if err != nil {
			return taskBrief{}, tip, fmt.Errorf("read task %s: %w", id, err)
		}
		b := briefTask(t)
		b.Archived = true
		return b, tip, nil
	}
	b, err := s.taskBriefAt(ctx, id, tip)
	if err == nil && b.AsksPlan {
		err = s.askPlan(ctx, tip, &b, true)
	}
	return b, tip, err
}

// taskBriefAt is taskBrief for the tip that the task's ref is known to have.
func (s *Records) taskBriefAt(ctx context.Context, id task.ID, tip gitstore.OID) (taskBrief, error) {
	b, err := ledger.BriefAt(ctx, s.clone.Ledger, ledger.TaskRef(string(id)), tip, func(ctx context.Context, tip gitstore.OID) (taskBrief, error) {
		t, err := ledger.Load(ctx, s.clone.Ledger, taskLaw{}, tip)
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
	tip, _, err := s.tipOf(ctx, id)
	if err != nil {
		return task.Task{}, err
	}
	t, err := ledger.Load(ctx, s.clone.Ledger, taskLaw{}, tip)
	if err != nil {
		return t, err
	}
	return s.withPlan(ctx, t), nil
}

// listed is a task in full, or why it can't be read (S-25).
type listed struct {
	taskBrief
	Tip gitstore.OID
	Ref gitstore.RefName
	Err error
}

// tasks reads every task from its snapshot. For what an index holds, index does
// in a fraction of the time.
func (s *Records) tasks(ctx context.Context) ([]listed, error) {
	refs, err := s.clone.Ledger.Tasks(ctx)
	if err != nil {
		return nil, err
	}
	all := make([]listed, 0, len(refs))
	for _, r := range refs {
		id, ok := ledger.TaskOf(r.Name)
		if !ok {
			continue
		}
		l := listed{Ref: r.Name, Tip: r.OID, Err: r.Err}
		if l.Err == nil {
			l.taskBrief, l.Err = s.taskBriefAt(ctx, task.ID(id), r.OID)
		}
		all = append(all, l)
	}
	return all, nil
}

// project reads the project's knowledge and backlog from its snapshot.
func (s *Records) project(ctx context.Context) (projectBrief, error) {
	b, _, err := ledger.Brief(ctx, s.clone.Ledger, ledger.KnowledgeRef, func(ctx context.Context, tip gitstore.OID) (projectBrief, error) {
		p, err := ledger.Load(ctx, s.clone.Ledger, projectLaw{}, tip)
		return briefProject(p), err
	})
	if err != nil {
		return b, fmt.Errorf("read the project's knowledge: %w", err)
	}
	return b, nil
}
