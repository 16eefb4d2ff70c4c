package adapter

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/git-brew/git-brew/internal/app"
	"github.com/git-brew/git-brew/internal/app/claim"
	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/app/config"
	"github.com/git-brew/git-brew/internal/app/journal"
	"github.com/git-brew/git-brew/internal/app/lock"
	"github.com/git-brew/git-brew/internal/app/review"
	"github.com/git-brew/git-brew/internal/app/session"
	"github.com/git-brew/git-brew/internal/app/worktree"
	"github.com/git-brew/git-brew/internal/cli"
	"github.com/git-brew/git-brew/internal/event"
	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/hooks"
	"github.com/git-brew/git-brew/internal/hooks/place"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/route"
)

// foldInLimit is how long the start of a session may take over what was fetched;
// what is left is done by the next command.
const foldInLimit = 500 * time.Millisecond

// here is hooks.Here: the use cases at a place as they are, but for those that hooks see
// otherwise.
type here struct {
	*session.Sessions
	*claim.Claims
	*journal.Journal
	*lock.Locks
	*review.Reviews
	*app.Work
	app   *app.App
	agent *Agent
	place hooks.Place
}

// At is hooks.Brew's.
func (a *Agent) At(p hooks.Place) hooks.Here {
	s, _ := a.at(p) // it is open: Look had an answer
	return here{s.Sessions, s.Claims, s.Journal, s.Locks, s.Reviews, s.Work, s, a, p}
}

func (h here) NextStep(ctx context.Context) (route.Step, error) {
	v, err := h.Agent(ctx)
	if err != nil || v.Task == nil {
		return route.Step{}, err
	}
	return h.app.Next.AskedHere(ctx, v), nil
}

func (h here) Brief(ctx context.Context) (hooks.Briefing, error) {
	set, err := h.app.Config.Settings(ctx)
	if err != nil {
		return hooks.Briefing{}, err
	}
	b := hooks.Briefing{Constraints: set.Bool(config.KeyConstraints), Search: set.Text(config.KeySearchReminder)}
	id, err := h.app.Place.Here(ctx)
	if err != nil {
		return b, err
	}
	if b.Knowledge, err = h.app.Knowledge.Digest(ctx, id); err != nil || id == "" {
		return b, err
	}
	plan, err := h.app.Documents.Document(ctx, id, "plan")
	if err != nil && !errors.Is(err, clone.ErrNotFound) {
		return b, err
	}
	b.Plan = string(plan.Text)
	b.PlanTrusted, err = h.app.Trust.PlanTrusted(ctx, plan.Text)
	return b, err
}

func (h here) Record(ctx context.Context, e event.Event) error {
	if h.agent.Unrecorded {
		return nil
	}
	return unable(ctx, h.app, h.Journal.Record(ctx, e))
}

func (h here) SessionStarted(ctx context.Context, st hooks.Start) (bool, error) {
	env := h.agent.Env
	if dir := cmp.Or(h.place.Here, h.place.Cwd, env.Dir); st.Source != "compact" ||
		h.agent.StartedIn(h.place.Session) == "" {
		keepStart(stateDir(env), h.place.Session, dir, env.Now())
	}
	bounded, cancel := context.WithTimeout(ctx, foldInLimit)
	h.app.Exchange.TakeFetched(bounded, false) // what plain git fetched; what is left alone a command says
	cancel()
	id, err := h.app.Tasks.Discover(ctx)
	if _, several := errors.AsType[*worktree.BranchError](err); several {
		h.agent.unclear = err.Error()
	} else if err != nil {
		return false, err
	}
	return h.Sessions.SessionStarted(ctx, st, id)
}

func (h here) SessionEnded(ctx context.Context, reason string) error {
	forgetStart(stateDir(h.agent.Env), h.place.Session)
	return unable(ctx, h.app, h.Sessions.SessionEnded(ctx, reason))
}

func (h here) StopBlocked(ctx context.Context, tip string) error {
	return unable(ctx, h.app, h.Sessions.StopBlocked(ctx, tip))
}

func (h here) RenewLock(ctx context.Context, id task.ID) error {
	_, err := h.Claims.RenewLock(ctx, id)
	return unable(ctx, h.app, err)
}

func (h here) ShareLater() { cli.SyncLater(h.agent.Env, h.app) }

func (h here) Compacting(ctx context.Context, id task.ID) ([]string, error) {
	r, err := h.Pause(ctx, id, task.CauseCompaction, "")
	if err != nil {
		return nil, err
	}
	var warnings []string
	for _, path := range r.Missing {
		warnings = append(warnings, "missing report: "+path)
	}
	return warnings, nil
}

func (h here) ApproveByWord(ctx context.Context, id task.ID, which []task.UID) (task.Phase, string, error) {
	approved, why, err := h.Reviews.ApproveByWord(ctx, id, which)
	return approved, why, unable(ctx, h.app, err)
}

// OldestGit is the oldest git that knows all that is asked of it.
var OldestGit = [2]int{2, 30}

// TooOld reports whether git, by the version that it names, is older than that.
// What can't be read is not.
func TooOld(version string) bool {
	parts := strings.SplitN(version, ".", 3)
	if len(parts) < 2 {
		return false
	}
	major, err1 := strconv.Atoi(parts[0])
	minor, err2 := strconv.Atoi(parts[1])
	return err1 == nil && err2 == nil && (major < OldestGit[0] || major == OldestGit[0] && minor < OldestGit[1])
}

// VersionOfGit is the version that git names, such as 2.39.5.
func VersionOfGit(ctx context.Context, s *app.App) (string, error) {
	out, err := s.Clone.Repo.Git.Run(ctx, "version")
	return strings.TrimPrefix(strings.TrimSpace(string(out)), "git version "), err
}

// unable marks an error that every hook here would meet again (place.ErrUnable).
// Where a command of git failed, git is asked how old it is.
func unable(ctx context.Context, s *app.App, err error) error {
	if err == nil {
		return nil
	}
	if errors.Is(err, gitstore.ErrNoGit) || errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS) {
		return fmt.Errorf("%w: %w", place.ErrUnable, err)
	}
	if _, failed := errors.AsType[*gitstore.CommandError](err); failed && s != nil {
		if version, verr := VersionOfGit(ctx, s); verr == nil && TooOld(version) {
			return fmt.Errorf("%w: git %s is too old; install git %d.%d or newer", place.ErrUnable, version, OldestGit[0],
				OldestGit[1])
		}
	}
	return err
}
