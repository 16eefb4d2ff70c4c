package adapter

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/git-brew/git-brew/internal/app"
	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/app/session"
	"github.com/git-brew/git-brew/internal/app/worktree"
	"github.com/git-brew/git-brew/internal/cli"
	"github.com/git-brew/git-brew/internal/gitstore"
	repository "github.com/git-brew/git-brew/internal/gitstore/place"
	"github.com/git-brew/git-brew/internal/hooks"
	"github.com/git-brew/git-brew/internal/hooks/claude"
	"github.com/git-brew/git-brew/internal/hooks/place"
	"github.com/git-brew/git-brew/internal/setup"
)

// Agent gives hooks the use cases, each in the repository of the place that the
// hook runs in.
type Agent struct {
	Env  *cli.Env
	mu   sync.Mutex // a hook that gave up leaves a call behind that goes on
	Open map[hooks.Place]*app.App

	// Unrecorded: what hooks answer leaves no event.
	Unrecorded bool

	unclear string // see hooks.View
}

var _ hooks.Brew = (*Agent)(nil)

// at returns the service at a place; place.ErrNothingHere where git brew has
// nothing to say.
func (a *Agent) at(p hooks.Place) (*app.App, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if s, ok := a.Open[p]; ok {
		return s, nil
	}
	s, err := Open(a.Env, cli.OpenRequest{
		Place: cmp.Or(p.Here, p.Cwd), For: clone.Caller{Dir: p.Cwd, Session: p.Session, ProjectDir: p.ProjectDir},
	})
	if _, unreadable := errors.AsType[*gitstore.UnreadableError](err); unreadable {
		return nil, err // by whatever rights: the gate may be closed there
	}
	if err != nil {
		return nil, unable(context.Background(), nil, err)
	}
	a.Open[p] = s
	return s, nil
}

// Open opens the repository that an agent works in, or the one that its
// session started in where that directory is gone. It is place.ErrNothingHere
// where git brew is not at home, so that it disturbs nobody there.
func Open(e *cli.Env, r cli.OpenRequest) (*app.App, error) {
	r.NoLazyFetch = true
	s, err := e.Open(r)
	if errors.Is(err, fs.ErrNotExist) && r.For.ProjectDir != "" {
		r.Place = r.For.ProjectDir
		s, err = e.Open(r)
	}
	unreadable, is := errors.AsType[*gitstore.UnreadableError](err)
	switch {
	case is && !session.UsedThere(unreadable.CommonDir, cli.StoreName),
		errors.Is(err, gitstore.ErrNotRepository), errors.Is(err, gitstore.ErrNotTrusted), errors.Is(err, fs.ErrNotExist),
		err == nil && !s.Sessions.Used():
		return nil, place.ErrNothingHere
	}
	return s, err
}

func (a *Agent) Look(ctx context.Context, p hooks.Place) (hooks.View, error) {
	s, err := a.at(p)
	if err != nil {
		return hooks.View{}, err
	}
	v, err := s.Sessions.Agent(ctx)
	if err != nil {
		return hooks.View{}, unable(ctx, s, err)
	}
	out := hooks.View{AgentView: v, Repo: s.Clone.Repo.CommonDir, Top: topOf(s.Clone.Repo)}
	if v.Task == nil {
		out.Unclear = a.unclear
	}
	return out, nil
}

// topOf is the top of a work tree that is a repository's own by where it lies: what
// core.worktree says could be anybody's.
func topOf(r *gitstore.Repo) string {
	if top := r.WorkTree; r.GitDir == filepath.Join(top, ".git") || r.WorktreeID() != "" {
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
			trusted = append(trusted, s.Clone.Repo.CommonDir)
		}
	}
	return repository.RunsHere(dir, a.Env.Environ, trusted...), nil
}

func (a *Agent) Target(ctx context.Context, p hooks.Place, path string) (worktree.Target, error) {
	s, err := a.at(p)
	if err != nil {
		return worktree.Target{}, err
	}
	home := a.Env.Getenv("HOME")
	keep := setup.AgentSettings(s.Clone.Repo.WorkTree, p.ProjectDir, claude.Dir(a.Env.Getenv))
	if state := stateDir(a.Env); state != "" && p.Session != "" { // where the session started
		keep = append(keep, startFile(state, p.Session))
	}
	return s.Place.Target(ctx, path, home, keep)
}

func (a *Agent) Astray(ctx context.Context, p hooks.Place, path string) (*worktree.Astray, error) {
	s, err := a.at(p)
	if err != nil {
		return nil, err
	}
	return s.Place.Astray(ctx, path)
}

// LatestPlan looks where the client keeps the plans of its plan mode.
func (a *Agent) LatestPlan() hooks.Plan {
	client := claude.Dir(a.Env.Getenv)
	if client == "" {
		return hooks.Plan{}
	}
	dir := filepath.Join(client, "plans")
	entries, err := os.ReadDir(dir)
	if err != nil {
		return hooks.Plan{} // no plans
	}
	var latest hooks.Plan
	for _, e := range entries {
		info, err := e.Info()
		if err != nil || !info.Mode().IsRegular() || !strings.HasSuffix(e.Name(), ".md") {
			continue
		}
		if info.ModTime().After(latest.Written) {
			latest = hooks.Plan{Path: filepath.Join(dir, e.Name()), Written: info.ModTime()}
		}
	}
	return latest
}

// StartedIn reads what keepStart wrote.
func (a *Agent) StartedIn(session string) string { return keptStart(stateDir(a.Env), session) }

func (a *Agent) Close() {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, s := range a.Open {
		_ = s.Clone.Repo.Close()
	}
}
