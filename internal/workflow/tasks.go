package workflow

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/ledger"
	"github.com/git-brew/git-brew/internal/task"
)

// taskBrief reads a task from its snapshot; task.ErrNoTask where there is no such
// ref.
func (s *Service) taskBrief(ctx context.Context, id task.ID) (taskBrief, gitstore.OID, error) {
	tip, err := s.ledger.Tip(ctx, ledger.TaskRef(string(id)))
	switch {
	case err != nil:
		return taskBrief{}, tip, fmt.Errorf("read task %s: %w", id, err)
	case tip.IsZero():
		return taskBrief{}, tip, &NotFoundError{Kind: task.ErrNoTask, Msg: fmt.Sprintf("no task %q", id), Hint: "see 'git brew list --all'"}
	}
	b, err := s.taskBriefAt(ctx, id, tip)
	return b, tip, err
}

// taskBriefAt is taskBrief for the tip that the task's ref is known to have.
func (s *Service) taskBriefAt(ctx context.Context, id task.ID, tip gitstore.OID) (taskBrief, error) {
	b, err := ledger.BriefAt(ctx, s.ledger, ledger.TaskRef(string(id)), tip, func(ctx context.Context, tip gitstore.OID) (taskBrief, error) {
		t, err := ledger.Load(ctx, s.ledger, taskLaw{}, tip)
		return briefTask(t), err
	})
	if err != nil {
		return b, fmt.Errorf("read task %s: %w", id, err)
	}
	b.Task.Docs = b.Docs
	return b, nil
}

// Task reads a whole task, its knowledge included.
func (s *Service) Task(ctx context.Context, id task.ID) (task.Task, error) {
	tip, err := s.ledger.Tip(ctx, ledger.TaskRef(string(id)))
	if err != nil {
		return task.Task{}, err
	}
	if tip.IsZero() {
		return task.Task{}, &NotFoundError{Kind: task.ErrNoTask, Msg: fmt.Sprintf("no task %q", id), Hint: "see 'git brew list --all'"}
	}
	return ledger.Load(ctx, s.ledger, taskLaw{}, tip)
}

// listed is a task in a list, or why it can't be read (S-25: a broken task
// never hides the others, and is never left out in silence).
type listed struct {
	taskBrief
	Tip gitstore.OID
	Ref gitstore.RefName
	Err error
}

func (s *Service) tasks(ctx context.Context) ([]listed, error) {
	refs, err := s.ledger.Tasks(ctx)
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
func (s *Service) project(ctx context.Context) (projectBrief, error) {
	b, _, err := ledger.Brief(ctx, s.ledger, ledger.KnowledgeRef, func(ctx context.Context, tip gitstore.OID) (projectBrief, error) {
		p, err := ledger.Load(ctx, s.ledger, projectLaw{}, tip)
		return briefProject(p), err
	})
	if err != nil {
		return b, fmt.Errorf("read the project's knowledge: %w", err)
	}
	return b, nil
}

// ListRequest selects tasks.
type ListRequest struct {
	All    bool // terminal ones too
	Status []task.Status
}

// Listing is the answer to List. Broken names the refs that can't be read.
type Listing struct {
	Tasks  []View
	Broken []BrokenTask
	Here   task.ID // "" for none
}

// BrokenTask is a task that can't be read, and why.
type BrokenTask struct {
	Ref string
	Err error
}

// List returns tasks, newest first.
func (s *Service) List(ctx context.Context, r ListRequest) (Listing, error) {
	all, err := s.tasks(ctx)
	if err != nil {
		return Listing{}, err
	}
	var out Listing
	if out.Here, err = s.Here(ctx); err != nil {
		return out, err
	}
	set, err := s.Settings(ctx)
	if err != nil {
		return out, err
	}
	locks, err := s.ledger.Locks(ctx)
	if err != nil {
		return out, err
	}
	for _, l := range all {
		if l.Err != nil {
			out.Broken = append(out.Broken, BrokenTask{Ref: string(l.Ref), Err: l.Err})
			continue
		}
		if l.Task.Deleted || !wanted(r, l.Task.Status) {
			continue
		}
		ref := locks[string(l.Task.ID)]
		lock, err := task.Lock{}, ref.Err
		if err == nil {
			lock, err = s.lockBriefAt(ctx, l.Task.ID, ref.OID)
		}
		if err != nil {
			out.Broken = append(out.Broken, BrokenTask{Ref: string(ref.Name), Err: err})
			continue
		}
		out.Tasks = append(out.Tasks, View{
			Task: &l.Task, Tip: l.Tip.String(), Lock: lock, LockState: s.lockState(lock), Confirmed: set.confirms(lock),
			Knowledge: l.Count, Next: l.Next,
		})
	}
	slices.SortStableFunc(out.Tasks, func(a, b View) int {
		if c := cmp.Compare(b.Task.CreatedAt, a.Task.CreatedAt); c != 0 {
			return c
		}
		return cmp.Compare(a.Task.ID, b.Task.ID)
	})
	return out, nil
}

func wanted(r ListRequest, st task.Status) bool {
	if len(r.Status) > 0 {
		return slices.Contains(r.Status, st)
	}
	return r.All || !st.Terminal()
}
