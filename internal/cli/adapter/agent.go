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
	"time"

	"github.com/git-brew/git-brew/internal/app"
	"github.com/git-brew/git-brew/internal/app/claim"
	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/app/config"
	"github.com/git-brew/git-brew/internal/app/session"
	"github.com/git-brew/git-brew/internal/app/worktree"
	"github.com/git-brew/git-brew/internal/cli"
	"github.com/git-brew/git-brew/internal/event"
	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/hooks"
	"github.com/git-brew/git-brew/internal/hooks/claude"
	"github.com/git-brew/git-brew/internal/hooks/place"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/lease"
	"github.com/git-brew/git-brew/internal/task/route"
)

// foldInLimit is how long the start of a session may take over what was fetched;
// what is left is done by the next command.
const foldInLimit = 500 * time.Millisecond

// Agent gives hooks the use cases, each in the repository of the place that the
// hook runs in.
type Agent struct {
	Env  *cli.Env
	mu   sync.Mutex // a hook that gave up leaves a call behind that goes on
	Open map[hooks.Place]*app.App

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
	out := hooks.View{AgentView: v, Repo: s.Clone.Repo.CommonDir(), Top: topOf(s.Clone.Repo)}
	if v.Task == nil {
		out.Unclear = a.unclear
	}
	return out, nil
}

// NextStep is hooks.Brew's.
func (a *Agent) NextStep(ctx context.Context, p hooks.Place) (route.Step, error) {
	return on(a, p, func(s *app.App) (route.Step, error) {
		v, err := s.Sessions.Agent(ctx)
		if err != nil || v.Task == nil {
			return route.Step{}, err
		}
		return s.Next.AskedHere(ctx, v), nil
	})
}

func (a *Agent) Brief(ctx context.Context, p hooks.Place) (hooks.Briefing, error) {
	s, err := a.at(p)
	if err != nil {
		return hooks.Briefing{}, err
	}
	set, err := s.Config.Settings(ctx)
	if err != nil {
		return hooks.Briefing{}, err
	}
	b := hooks.Briefing{Constraints: set.Bool(config.KeyConstraints), Search: set.Text(config.KeySearchReminder)}
	id, err := s.Place.Here(ctx)
	if err != nil {
		return b, err
	}
	if b.Knowledge, err = s.Knowledge.Digest(ctx, id); err != nil || id == "" {
		return b, err
	}
	plan, err := s.Documents.Document(ctx, id, "plan")
	if err != nil && !errors.Is(err, clone.ErrNotFound) {
		return b, err
	}
	b.Plan = string(plan.Text)
	b.PlanTrusted, err = s.Trust.PlanTrusted(ctx, plan.Text)
	return b, err
}

// LatestPlan looks where the client keeps the plans of its plan mode.
func (a *Agent) LatestPlan(context.Context, hooks.Place) (hooks.Plan, error) {
	client := claude.Dir(a.Env.Getenv)
	if client == "" {
		return hooks.Plan{}, nil
	}
	dir := filepath.Join(client, "plans")
	entries, err := os.ReadDir(dir)
	if err != nil {
		return hooks.Plan{}, nil //nolint:nilerr // no plans
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
	return latest, nil
}

func (a *Agent) Record(ctx context.Context, p hooks.Place, e event.Event) error {
	s, err := a.at(p)
	if err != nil {
		return err
	}
	return unable(ctx, s, s.Journal.Record(ctx, e))
}

func (a *Agent) SessionStarted(ctx context.Context, p hooks.Place, st hooks.Start) (bool, error) {
	s, err := a.at(p)
	if err != nil {
		return false, err
	}
	if dir := cmp.Or(p.Here, p.Cwd, a.Env.Dir); st.Source != "compact" || a.StartedIn(p.Session) == "" {
		keepStart(stateDir(a.Env), p.Session, dir, a.Env.Now())
	}
	bounded, cancel := context.WithTimeout(ctx, foldInLimit)
	s.Exchange.TakeFetched(bounded, false) // what plain git fetched; what is left alone a command says
	cancel()
	id, err := s.Tasks.Discover(ctx)
	if _, several := errors.AsType[*worktree.BranchError](err); several {
		a.unclear = err.Error()
	} else if err != nil {
		return false, err
	}
	return s.Sessions.SessionStarted(ctx, st, id)
}

// StartedIn reads what keepStart wrote.
func (a *Agent) StartedIn(session string) string { return keptStart(stateDir(a.Env), session) }

func (a *Agent) SessionEnded(ctx context.Context, p hooks.Place, reason string) error {
	forgetStart(stateDir(a.Env), p.Session)
	return a.do(p, func(s *app.App) error { return unable(ctx, s, s.Sessions.SessionEnded(ctx, reason)) })
}

func (a *Agent) StopBlocked(ctx context.Context, p hooks.Place, tip string) error {
	return a.do(p, func(s *app.App) error { return unable(ctx, s, s.Sessions.StopBlocked(ctx, tip)) })
}

func (a *Agent) SetMode(ctx context.Context, p hooks.Place, to hooks.Mode, by string) error {
	return a.do(p, func(s *app.App) error {
		_, err := s.Sessions.UserMode(ctx, to, by)
		return err
	})
}

func (a *Agent) BindLock(ctx context.Context, p hooks.Place, id task.ID) error {
	_, err := on(a, p, func(s *app.App) (claim.LockView, error) { return s.Claims.BindLock(ctx, id) })
	return err
}

func (a *Agent) RenewLock(ctx context.Context, p hooks.Place, id task.ID) error {
	return a.do(p, func(s *app.App) error {
		_, err := s.Claims.RenewLock(ctx, id)
		return unable(ctx, s, err)
	})
}

func (a *Agent) ReleaseLock(ctx context.Context, p hooks.Place, id task.ID) error {
	_, err := on(a, p, func(s *app.App) (claim.LockView, error) { return s.Claims.ReleaseLock(ctx, id) })
	return err
}

func (a *Agent) ClearLock(ctx context.Context, p hooks.Place, id task.ID, seen lease.Lock) error {
	return a.do(p, func(s *app.App) error { return s.Sessions.ClearLock(ctx, id, seen) })
}

func (a *Agent) LostTold(ctx context.Context, p hooks.Place, aside bool) (bool, error) {
	return on(a, p, func(s *app.App) (bool, error) { return s.Locks.LostTold(ctx, aside) })
}

func (a *Agent) ShareLater(_ context.Context, p hooks.Place) error {
	return a.do(p, func(s *app.App) error {
		cli.SyncLater(a.Env, s)
		return nil
	})
}

func (a *Agent) Compacting(ctx context.Context, p hooks.Place, id task.ID) ([]string, error) {
	r, err := on(a, p, func(s *app.App) (app.PauseResult, error) {
		return s.Work.Pause(ctx, id, task.CauseCompaction, "")
	})
	if err != nil {
		return nil, err
	}
	var warnings []string
	for _, path := range r.Missing {
		warnings = append(warnings, "missing report: "+path)
	}
	return warnings, nil
}

func (a *Agent) ResumeHandoff(ctx context.Context, p hooks.Place, id task.ID) error {
	return a.do(p, func(s *app.App) error { return s.Work.Resume(ctx, id) })
}

func (a *Agent) AgentFailed(ctx context.Context, p hooks.Place, id task.ID, phase task.UID, name,
	text string,
) (after task.Phase, err error) {
	err = a.do(p, func(s *app.App) error {
		after, err = s.Reviews.AgentFailed(ctx, id, phase, name, text)
		return err
	})
	return after, err
}

func (a *Agent) Launched(ctx context.Context, p hooks.Place, id task.ID, phase task.UID, name string) error {
	return a.do(p, func(s *app.App) error { return s.Sessions.Launched(ctx, id, phase, name) })
}

func (a *Agent) do(p hooks.Place, f func(*app.App) error) error {
	s, err := a.at(p)
	if err != nil {
		return err
	}
	return f(s)
}

// on asks the use cases at a place.
func on[T any](a *Agent, p hooks.Place, ask func(*app.App) (T, error)) (T, error) {
	s, err := a.at(p)
	if err != nil {
		var none T
		return none, err
	}
	return ask(s)
}

func (a *Agent) Close() {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, s := range a.Open {
		_ = s.Clone.Repo.Close()
	}
}

// HandTranscript hands a sub-agent its share of the session's transcript.
func (a *Agent) HandTranscript(ctx context.Context, p hooks.Place, path, call string) (hooks.Handed, error) {
	return on(a, p, func(s *app.App) (hooks.Handed, error) { return s.Journal.HandTranscript(ctx, path, call) })
}
