package phase

import (
	"cmp"
	"context"

	"github.com/git-brew/git-brew/internal/app/change"
	"github.com/git-brew/git-brew/internal/operation"
	"github.com/git-brew/git-brew/internal/task"
)

// PromoteItem makes a phase of an item of the backlog, which is open no more. Its undo opens
// the item again.
func (s *Phases) PromoteItem(ctx context.Context, id task.ID, arg, title string) (PhaseResult, error) {
	uid, err := operation.NewID(s.Clone.Random)
	if err != nil {
		return PhaseResult{}, err
	}
	return s.Change(ctx, id, Meant{UID: uid}, func(ctx context.Context, c *change.Tx, _ task.Phase) ([]string, error) {
		item, err := s.Knowledge.Promote(ctx, c, arg, uid)
		if err != nil {
			return nil, err
		}
		p := Worded(item.Txt)
		p.Title = cmp.Or(title, p.Title)
		draft, err := AddDraft(c.Task, uid, p)
		if err != nil {
			return nil, err
		}
		before := c.Task
		err = c.Do(ctx, draft)
		return AlongWith(before, c.Task, uid), err
	})
}

// Worded is a phase that does what a text of one line asks for. What is too long for a title
// is one of its acceptance criteria.
func Worded(text string) task.PhaseAddPayload {
	p := task.PhaseAddPayload{Title: text}
	if len(text) > task.MaxTitle {
		p.Title, p.Acceptance = task.Clip(text, task.MaxTitle-len("…")), []string{text}
	}
	return p
}
