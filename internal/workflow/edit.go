package workflow

import (
	"context"

	"github.com/git-brew/git-brew/internal/task"
)

// EditRequest changes what a task is called; empty fields stay.
type EditRequest struct{ Title, Branch, Type string }

// EditTask changes a task's title, branch or type. A new branch name is taken
// as it is: the branch itself is renamed with git.
func (s *Service) EditTask(ctx context.Context, id task.ID, r EditRequest) (task.Task, error) {
	if r.Type != "" {
		if err := knownType(r.Type); err != nil {
			return task.Task{}, err
		}
	}
	var old string
	t, err := s.change(ctx, id, func(ctx context.Context, c *change) error {
		old = c.Task.Branch
		p := task.EditPayload{Title: other(r.Title, c.Task.Title), Branch: other(r.Branch, c.Task.Branch), Type: other(r.Type, c.Task.Type)}
		if p == (task.EditPayload{}) {
			return nil
		}
		return c.do(ctx, task.OpEdit, p)
	})
	if err != nil || t.Branch == old {
		return t, err
	}
	return t, s.moveClaim(background(ctx), old, t.Branch, id)
}

// other is want where it differs from have.
func other(want, have string) string {
	if want == have {
		return ""
	}
	return want
}

func (s *Service) moveClaim(ctx context.Context, old, branch string, id task.ID) error {
	if claimed, err := s.ledger.Claimed(old); err == nil && claimed == string(id) {
		if err := s.ledger.Unclaim(ctx, old); err != nil {
			return err
		}
	}
	return s.ledger.Claim(ctx, branch, string(id))
}

// DeleteTask deletes a task, by an operation: an edit that somebody made
// elsewhere meanwhile revives it.
func (s *Service) DeleteTask(ctx context.Context, id task.ID) (task.Task, error) {
	t, err := s.change(ctx, id, func(ctx context.Context, c *change) error {
		if err := c.do(ctx, task.OpDelete, task.EmptyPayload{}); err != nil {
			return err
		}
		return c.release(ctx)
	})
	if err != nil {
		return t, err
	}
	if claimed, cerr := s.ledger.Claimed(t.Branch); cerr == nil && claimed == string(id) {
		_ = s.ledger.Unclaim(background(ctx), t.Branch)
	}
	return t, nil
}
