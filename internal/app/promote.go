package app

import (
	"context"

	"github.com/git-brew/git-brew/internal/app/change"
	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/app/learn"
	"github.com/git-brew/git-brew/internal/knowledge"
	"github.com/git-brew/git-brew/internal/ledger"
)

// PromoteBacklog makes a task of an item.
func (s *Tasks) PromoteBacklog(ctx context.Context, arg string, r CreateRequest) (CreateResult, error) {
	p, err := s.knowledge.Project(ctx)
	if err != nil {
		return CreateResult{}, err
	}
	item, err := learn.FindItem(p.Backlog, arg)
	if err != nil {
		return CreateResult{}, err
	}
	if !item.Open() {
		return CreateResult{}, clone.Refuse("see 'git brew backlog list --all'", "that item is done, or a task already")
	}
	if r.Title == "" {
		r.Title = item.Txt
	}
	created, err := s.Create(ctx, r)
	if err != nil {
		return created, err
	}
	s.engine.Last = change.LastChange{} // an item that is a task stays one
	return created, s.knowledge.ChangeProject(ctx, func(knowledge.State) ([]ledger.Draft, error) {
		return []ledger.Draft{{
			Kind:    knowledge.OpBacklogPromote,
			Payload: knowledge.BacklogPromotePayload{Item: item.ID, Task: string(created.Task.ID)},
		}}, nil
	})
}
