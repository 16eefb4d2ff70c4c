package app

import (
	"cmp"
	"context"
	"slices"

	"github.com/git-brew/git-brew/internal/app/run"
	"github.com/git-brew/git-brew/internal/operation"
	"github.com/git-brew/git-brew/internal/task"
)

// Run carries out the ready phases of a task with workers, in a session of its own.
func (s *App) Run(ctx context.Context, id task.ID, o run.Options) (run.Summary, error) {
	name, err := operation.NewID(s.Clone.Random)
	if err != nil {
		return run.Summary{}, err
	}
	c := *s.Clone
	c.Caller.Session = task.RunPrefix + string(name)[:8]
	c.Caller.Worker = task.RunWorker
	r := New(c)
	return r.Runs.Run(ctx, id, o, func(ctx context.Context, steal bool) ([]string, error) {
		started, err := r.Work.Start(ctx, id, false, steal)
		return started.Notes, err
	})
}

// RunNext names the tasks that a run can go on with after others, the most urgent first, then
// by their names: open ones that nobody holds, with phases that workers could begin, on a
// branch that is here.
func (s *App) RunNext(ctx context.Context, after []task.ID) ([]task.ID, error) {
	all, err := s.List(ctx, ListRequest{Status: []task.Status{task.Pending, task.InProgress}})
	if err != nil {
		return nil, err
	}
	all.Tasks = slices.DeleteFunc(all.Tasks, func(l Listed) bool {
		return slices.Contains(after, l.ID) || len(l.Services) > 0 || l.Lock.Held && !s.Runs.Left(ctx, l.ID)
	})
	slices.SortFunc(all.Tasks, func(a, b Listed) int {
		return cmp.Or(cmp.Compare(urgency(a.Priority), urgency(b.Priority)), cmp.Compare(a.ID, b.ID))
	})
	var next []task.ID
	for _, l := range all.Tasks {
		if _, here, err := s.Place.BranchOf(ctx, *l.Head()); err != nil || !here {
			continue
		}
		f, err := s.Runs.Plan(ctx, l.ID, run.Options{})
		if err != nil {
			return nil, err
		}
		if len(f.Waves) > 0 {
			next = append(next, l.ID)
		}
	}
	return next, nil
}

// urgency is how many priorities are before one.
func urgency(p task.Priority) int {
	order := []task.Priority{task.PriorityHigh, task.PriorityMedium, task.PriorityLow}
	if i := slices.Index(order, p); i >= 0 {
		return i
	}
	return len(order)
}
