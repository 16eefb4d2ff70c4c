package workflow

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/ledger"
	"github.com/git-brew/git-brew/internal/task"
)

// taskBrief reads a task from its snapshot, an archived one from its objects;
// task.ErrNoTask where there is no such task.
func (s *Service) taskBrief(ctx context.Context, id task.ID) (taskBrief, gitstore.OID, error) {
	tip, archived, err := s.tipOf(ctx, id)
	switch {
	case err != nil:
		return taskBrief{}, tip, err
	case archived:
		t, err := ledger.Load(ctx, s.ledger, taskLaw{}, tip)
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
	tip, _, err := s.tipOf(ctx, id)
	if err != nil {
		return task.Task{}, err
	}
	t, err := ledger.Load(ctx, s.ledger, taskLaw{}, tip)
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
	All      bool // terminal ones too
	Deleted  bool // deleted ones too, whatever their status was
	Archived bool // those in the archive; with All, the others too
	Status   []task.Status
}

// Listed is a task in a list: what the index of all tasks holds of it, its title,
// status and so on, and its lock. A list may be of ten thousand, so nothing is
// copied.
type Listed struct {
	*taskRow
	ID        task.ID
	Tip       gitstore.OID
	Lock      *task.Lock // of a task that nobody holds, a free one
	LockState LockState
	// Confirmed: the arbiter agreed to the lock (see View).
	Confirmed bool
}

// Head is the task, of which the head and the current phase are known.
func (l Listed) Head() *task.Task { return l.task(string(l.ID)) }

// Archived: it ended long ago and stands in the archive.
func (l Listed) Archived() bool { return l.archived }

// CurrentPhase is the phase that was started last and is not completed.
func (l Listed) CurrentPhase() (task.Phase, bool) {
	if len(l.Current) == 0 {
		return task.Phase{}, false
	}
	return l.Current[0], true
}

// Listing is the answer to List. Broken names the refs that can't be read.
type Listing struct {
	Tasks  []Listed
	Broken []BrokenTask
	Here   task.ID // "" for none
	// Arbiter is the remote that decides about locks; "" for none.
	Arbiter string
	// Called is Names for this list.
	Called func(id task.ID) string
}

// BrokenTask is a task that can't be read, and why.
type BrokenTask struct {
	Ref string
	Err error
}

// List returns tasks, newest first.
func (s *Service) List(ctx context.Context, r ListRequest) (Listing, error) {
	all, err := s.index(ctx)
	if err != nil {
		return Listing{}, err
	}
	ids := make([]string, len(all))
	for i := range all {
		ids[i] = all[i].ID
	}
	out := Listing{Called: s.namesAmong(ctx, ids)}
	if out.Here, err = s.Here(ctx); err != nil {
		return out, err
	}
	arbiter, decided, err := s.arbiter(ctx)
	if err != nil {
		return out, err
	}
	locks, err := s.lockIndex(ctx)
	if err != nil {
		return out, err
	}
	if r.Archived {
		if all, err = s.withArchive(ctx, all, r); err != nil {
			return out, err
		}
	}
	var open []*indexed
	for i := range all {
		switch l := &all[i]; {
		case l.Err != nil:
			out.Broken = append(out.Broken, BrokenTask{Ref: string(l.Ref), Err: l.Err})
		case l.State.Deleted && r.Deleted, !l.State.Deleted && wanted(r, l.State.Status):
			open = append(open, l)
		}
	}
	slices.SortFunc(open, func(a, b *indexed) int {
		return cmp.Or(strings.Compare(b.State.CreatedAt, a.State.CreatedAt), strings.Compare(a.ID, b.ID))
	})
	out.Arbiter = arbiter.Name
	out.Tasks = make([]Listed, 0, len(open))
	var free task.Lock
	for _, l := range open {
		one := Listed{taskRow: &l.State, ID: task.ID(l.ID), Tip: l.Tip, Lock: &free}
		if i := rowAt(locks, l.ID); i >= 0 {
			lock := &locks[i]
			if lock.Err != nil {
				out.Broken = append(out.Broken, BrokenTask{Ref: string(lock.Ref), Err: lock.Err})
				if lock.State, err = freeIfUnread(lock.State, lock.Err); err != nil {
					continue
				}
			}
			one.Lock = &lock.State
		}
		one.LockState, one.Confirmed = s.lockState(*one.Lock), one.Lock.Held
		if decided && one.Confirmed {
			if one.Confirmed, err = s.confirmedBy(ctx, arbiter, one.ID, *one.Lock); err != nil {
				return out, err
			}
		}
		out.Tasks = append(out.Tasks, one)
	}
	return out, nil
}

func wanted(r ListRequest, st task.Status) bool {
	if len(r.Status) > 0 {
		return slices.Contains(r.Status, st)
	}
	return r.All || r.Archived || !st.Terminal()
}
