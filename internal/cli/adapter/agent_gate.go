package adapter

import (
	"cmp"
	"context"
	"path/filepath"

	"github.com/git-brew/git-brew/internal/app"
	"github.com/git-brew/git-brew/internal/app/worktree"
	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/gitstore/place"
	"github.com/git-brew/git-brew/internal/hooks"
	"github.com/git-brew/git-brew/internal/hooks/claude"
	"github.com/git-brew/git-brew/internal/setup"
	"github.com/git-brew/git-brew/internal/task"
)

// topOf is the top of a work tree that is a repository's own by where it lies: what
// core.worktree says could be anybody's.
func topOf(r *gitstore.Repo) string {
	if top := r.WorkTree(); r.GitDir() == filepath.Join(top, ".git") || r.WorktreeID() != "" {
		return top
	}
	return ""
}

func (a *Agent) WorkTrees(p hooks.Place, path string) []string {
	return worktree.WorkTreesOf(path, cmp.Or(p.Cwd, a.Env.Dir), a.Env.Getenv("HOME"))
}

func (a *Agent) RunsHere(_ context.Context, p hooks.Place, dir string) (string, error) {
	if !filepath.IsAbs(dir) {
		// As it is written: what lies behind a link the system finds.
		dir = cmp.Or(p.Cwd, a.Env.Dir) + string(filepath.Separator) + dir
	}
	started := p
	started.Here = cmp.Or(p.ProjectDir, p.Here)
	var trusted []string
	for _, at := range []hooks.Place{p, started} {
		if s, err := a.at(at); err == nil { // else nothing is the user's own there
			trusted = append(trusted, s.Clone.Repo.CommonDir())
		}
	}
	return place.RunsHere(dir, a.Env.Environ, trusted...), nil
}

func (a *Agent) Target(ctx context.Context, p hooks.Place, path string) (worktree.Target, error) {
	s, err := a.at(p)
	if err != nil {
		return worktree.Target{}, err
	}
	home := a.Env.Getenv("HOME")
	keep := setup.AgentSettings(s.Clone.Repo.WorkTree(), p.ProjectDir, claude.Dir(a.Env.Getenv))
	if state := stateDir(a.Env); state != "" && p.Session != "" { // where the session started
		keep = append(keep, startFile(state, p.Session))
	}
	return s.Place.Target(ctx, path, home, keep)
}

func (a *Agent) Astray(ctx context.Context, p hooks.Place, path string) (*worktree.Astray, error) {
	return on(a, p, func(s *app.App) (*worktree.Astray, error) { return s.Place.Astray(ctx, path) })
}

func (a *Agent) Steps(ctx context.Context, p hooks.Place) (hooks.Steps, error) {
	return on(a, p, func(s *app.App) (hooks.Steps, error) { return s.Sessions.Steps(ctx) })
}

func (a *Agent) ApproveByWord(ctx context.Context, p hooks.Place, id task.ID, which []task.UID) (task.Phase, string,
	error,
) {
	s, err := a.at(p)
	if err != nil {
		return task.Phase{}, "", err
	}
	approved, why, err := s.Reviews.ApproveByWord(ctx, id, which)
	return approved, why, unable(ctx, s, err)
}

func (a *Agent) ChangeSteps(ctx context.Context, p hooks.Place, change func(hooks.Steps) hooks.Steps) (hooks.Steps,
	error,
) {
	return on(a, p, func(s *app.App) (hooks.Steps, error) { return s.Sessions.ChangeSteps(ctx, change) })
}

func (a *Agent) Tell(ctx context.Context, p hooks.Place, marks ...string) (bool, error) {
	return on(a, p, func(s *app.App) (bool, error) { return s.Sessions.Tell(ctx, marks...) })
}

func (a *Agent) ContextUse(ctx context.Context, p hooks.Place, path string) hooks.ContextUse {
	use, _ := on(a, p, func(s *app.App) (hooks.ContextUse, error) { return s.Sessions.ContextUse(ctx, path), nil })
	return use
}
