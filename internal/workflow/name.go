package workflow

import (
	"context"
	"errors"

	"github.com/git-brew/git-brew/internal/ledger"
	"github.com/git-brew/git-brew/internal/task"
)

// Name is what people call a task: its slug, where a command that is given the
// slug takes it for this task, else its id. It is for what is printed, and no
// hook's to ask: all tasks' ids are read for it.
func (s *Service) Name(ctx context.Context, id task.ID) string { return s.Names(ctx)(id) }

// Names is Name for many tasks, whose ids are read once.
func (s *Service) Names(ctx context.Context) func(id task.ID) string {
	known, err := ledger.IDs(ctx, s.ledger, taskIndex())
	same := make(map[string]int, len(known))
	live := make(map[task.ID]bool, len(known))
	for _, id := range known {
		id := task.ID(id)
		same[id.Slug()]++
		live[id] = true
	}
	return func(id task.ID) string {
		slug := id.Slug()
		if slug == "" {
			return ""
		}
		if err == nil && same[slug] == 1 && live[id] {
			return slug
		}
		if found, rerr := s.Resolve(ctx, slug); rerr == nil && found == id {
			return slug
		}
		return string(id)
	}
}

// named has an error that says who holds a lock call the task as people do.
func (s *Service) named(ctx context.Context, err error) error {
	if held, ok := errors.AsType[*task.HeldError](err); ok && held.Name == "" {
		held.Name = s.Name(ctx, held.Lock.Task)
	}
	return err
}
