package app

import (
	"context"
	"fmt"

	"github.com/git-brew/git-brew/internal/app/records"
	"github.com/git-brew/git-brew/internal/app/session"
	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/ledger"
	"github.com/git-brew/git-brew/internal/task"
)

// Status returns the view of a task; of the one here where id is "". No task
// here is no error: View.Task is nil.
func (s *Overview) Status(ctx context.Context, id task.ID) (session.View, error) {
	v, err := s.sessions.Look(ctx, id)
	if err != nil || v.Task == nil {
		return v, err
	}
	if v.Trimmed {
		if err := s.untrim(ctx, &v); err != nil {
			return v, err
		}
	}
	if v.Arbiter, v.Confirmed, err = s.claims.Confirmed(ctx, v.Task.ID, v.Lock); err != nil {
		return v, err
	}
	v.Next = s.next.AskedBy(ctx, *v.Task, v.Next)
	v.Unheard, err = s.claims.UnheardAt(ctx, v.Task.ID, v.Lock)
	return v, err
}

// untrim gives a view the phases as they are.
func (s *Overview) untrim(ctx context.Context, v *session.View) error {
	tip, err := gitstore.ParseOID(v.Tip)
	if err != nil {
		return err
	}
	whole, err := ledger.Load(ctx, s.clone.Ledger, records.TaskLaw{}, tip)
	if err != nil {
		return fmt.Errorf("read task %s: %w", v.Task.ID, err)
	}
	v.Task.Phases = whole.Phases
	return nil
}
