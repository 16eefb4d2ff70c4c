package workflow

import (
	"context"

	"github.com/git-brew/git-brew/internal/task"
)

// NextResult is what comes next for a task.
type NextResult struct {
	Task task.Task
	Step task.Step
	// Ready are the phases whose work can begin now. What somebody works on
	// is not among them (S-16), and nothing is while the task itself waits.
	Ready []task.Phase
}

// Next asks the routing table.
func (s *Service) Next(ctx context.Context, id task.ID) (NextResult, error) {
	t, err := s.Task(ctx, id)
	if err != nil {
		return NextResult{}, err
	}
	r := NextResult{Task: t, Step: task.Next(t)}
	if t.Status == task.InProgress {
		r.Ready = task.Ready(t)
	}
	return r, nil
}
