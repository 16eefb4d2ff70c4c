package worktree

import (
	"context"
	"errors"

	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/task"
)

// ServiceState is where a service of a task stands in this work tree.
type ServiceState struct {
	task.Service
	There bool   // it is checked out
	On    string // the branch that is; "" where HEAD is detached
	// Ahead counts the commits of the task's branch since its base there; -1:
	// nobody can tell.
	Ahead int
	// Behind counts the commits of the base's branch there that the task's has
	// not, as far as anybody can tell.
	Behind int
}

// ServiceStates looks at the services of a task; what can't be read there is not
// told, for a status has to be told anyway.
func (s *Place) ServiceStates(ctx context.Context, t task.Task) []ServiceState {
	return s.lookInto(ctx, t, func(v *ServiceState, repo *gitstore.Repo) { v.count(ctx, repo, t.Branch) })
}

// ServiceHeads are the services of a task without what git would have to count.
func (s *Place) ServiceHeads(ctx context.Context, t task.Task) []ServiceState {
	return s.lookInto(ctx, t, func(*ServiceState, *gitstore.Repo) {})
}

func (s *Place) lookInto(ctx context.Context, t task.Task, more func(*ServiceState, *gitstore.Repo)) []ServiceState {
	var all []ServiceState
	for _, service := range t.Services {
		state := ServiceState{Service: service, Ahead: -1}
		_, _ = s.InService(service.Path, func(repo *gitstore.Repo) error { // what can't be read is not there
			head, err := repo.Refs.Head(ctx)
			if err == nil || errors.Is(err, gitstore.ErrNotExist) {
				state.There, state.On = true, clone.HeadBranch(head)
				more(&state, repo)
			}
			return err
		})
		all = append(all, state)
	}
	return all
}

func (v *ServiceState) count(ctx context.Context, repo *gitstore.Repo, branch string) {
	tip, err := repo.Refs.Get(ctx, gitstore.RefName("refs/heads/"+branch))
	if err != nil || v.BaseCommit == "" {
		return
	}
	if n, err := clone.CountIn(ctx, repo, tip.String(), "^"+v.BaseCommit); err == nil {
		v.Ahead = n
	}
	if v.Base == "" {
		return
	}
	base, err := repo.Refs.Get(ctx, gitstore.RefName("refs/heads/"+v.Base))
	if err != nil || base == tip {
		return
	}
	if n, err := clone.CountIn(ctx, repo, base.String(), "^"+tip.String()); err == nil {
		v.Behind = n
	}
}
