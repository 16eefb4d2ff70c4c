// Package adapter answers what package hooks asks about a repository: it is the port of an
// agent's events on the use cases. It opens repositories for an agent, and says when it
// can't.
package adapter

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/git-brew/git-brew/internal/app"
	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/app/session"
	"github.com/git-brew/git-brew/internal/app/worktree"
	"github.com/git-brew/git-brew/internal/cli"
	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/gitstore/gitfile"
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
		Place: cmp.Or(p.Here, p.Cwd), For: clone.Caller{
			Dir: p.Cwd, Session: p.Session, Client: p.Client, ProjectDir: p.ProjectDir,
		},
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

// HasOwnHooks looks in the work trees that the session started in, or is in.
func (a *Agent) HasOwnHooks(client string, p hooks.Place) bool {
	if client == "vscode" { // its other files are Copilot CLI's
		client = "copilot"
	}
	for _, dir := range []string{p.ProjectDir, cmp.Or(p.Cwd, a.Env.Dir)} {
		if dir != "" && slices.ContainsFunc(a.WorkTrees(p, dir), func(top string) bool {
			return setup.ClientRegistered(top, client)
		}) {
			return true
		}
	}
	return false
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

// startsKept is how long it is kept where a session started that never said that it
// ended.
const startsKept = 30 * 24 * time.Hour

// stateDir is where a person's state of git brew lies that belongs to no repository;
// "" where there is no place for it.
func stateDir(e *cli.Env) string {
	if dir := e.Getenv("XDG_STATE_HOME"); filepath.IsAbs(dir) {
		return filepath.Join(dir, "git-brew")
	}
	switch runtime.GOOS {
	case "windows", "darwin":
		if dir, err := os.UserCacheDir(); err == nil {
			return filepath.Join(dir, "git-brew")
		}
	default:
		if home := e.Getenv("HOME"); filepath.IsAbs(home) {
			return filepath.Join(home, ".local", "state", "git-brew")
		}
	}
	return ""
}

// startFile is the file that says where a session started; "" for none. A session is
// safe as the name of one.
func startFile(state, session string) string {
	if state == "" || session == "" {
		return ""
	}
	return filepath.Join(state, "sessions", session)
}

// keepStart keeps where a session started: its gate goes by that wherever its agent
// goes (hooks.Brew). Where it can't be kept, the session has what its client says.
func keepStart(state, session, dir string, now time.Time) {
	path := startFile(state, session)
	if path == "" || os.MkdirAll(filepath.Dir(path), 0o700) != nil {
		return
	}
	tidyStarts(filepath.Dir(path), now.Add(-startsKept))
	_ = gitfile.ReplaceFile(path, "", []byte(dir+"\n"), 0o600, true)
}

// tidyStarts takes away what was kept before, of sessions that crashed.
func tidyStarts(dir string, before time.Time) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	for _, e := range entries {
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() && info.ModTime().Before(before) {
			_ = os.Remove(filepath.Join(dir, e.Name()))
		}
	}
}

// keptStart reads what keepStart wrote; "" where there is nothing. Whoever asks looks
// whether it can be a directory.
func keptStart(state, session string) string {
	data, err := gitfile.ReadFile(startFile(state, session))
	if err != nil {
		return ""
	}
	return strings.TrimSuffix(string(data), "\n")
}

func forgetStart(state, session string) {
	_ = os.Remove(startFile(state, session)) // else it goes when it is old
}
