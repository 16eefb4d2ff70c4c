package cli

import (
	"context"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-brew/git-brew/internal/app"
	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/app/exchange"
	"github.com/git-brew/git-brew/internal/app/steps"
	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/hooks"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/ui"
)

// StoreName is our name under a repository's common directory.
const StoreName = "brew"

// OpenRequest says which repository to open, and for whom.
type OpenRequest struct {
	Place string       // a directory of it; "": the directory of the command line
	For   clone.Caller // who asks, beside what is the same for all who do
	// NoLazyFetch keeps git from the network, as a hook must.
	NoLazyFetch bool
}

// Service is the use cases on the repository here. It is opened on first use,
// so that what needs no repository asks for none.
func (e *Env) Service() (*app.App, error) {
	if e.Opened != nil {
		return e.Opened, nil
	}
	var err error
	e.Opened, err = e.Open(OpenRequest{For: clone.Caller{
		Session: e.Session(), Shell: e.ShellsSession(), Mark: hooks.AgentMark(e.Getenv), Above: e.Above,
		Client:     hooks.ShellClient(e.Getenv),
		ProjectDir: e.Getenv("CLAUDE_PROJECT_DIR"), Worker: e.Worker(),
	}})
	if err == nil && e.opening != nil {
		e.opening(e.Opened)
	}
	return e.Opened, err
}

// Open opens a repository. Whoever asks closes it.
func (e *Env) Open(r OpenRequest) (*app.App, error) {
	dir, err := r.Place, error(nil)
	if dir == "" {
		if dir, err = e.WorkDir(); err != nil {
			return nil, err
		}
	}
	openRepo := func(dir string) (*gitstore.Repo, error) {
		return gitstore.Open(gitstore.Options{
			Dir: dir, Environ: e.Environ, Name: StoreName, NoLazyFetch: r.NoLazyFetch, Now: e.Now,
		})
	}
	repo, err := openRepo(dir)
	if err != nil {
		return nil, err
	}
	caller := r.For
	caller.User, caller.Host, caller.Machine = e.User, e.Host, e.Machine()
	caller.Terminal, caller.PID = e.Attended, os.Getpid()
	caller.AllowSecret = e.Flags.AllowSecret
	caller.InHook = e.Getenv(steps.HookVariable)
	if id, err := task.ParseID(e.Getenv("BREW_TASK")); err == nil {
		caller.Task, caller.Phase = id, e.Getenv("BREW_PHASE")
	}
	caller.Unattended = r.NoLazyFetch || e.Getenv(SyncVariable) != "" // a hook, or what a sync started
	switch {
	case hooks.InCI(e.Getenv):
		caller.Off = clone.OffCI
	case hooks.Bypassed(e.Getenv):
		caller.Off = clone.OffEnvironment
	}
	options := app.Options{
		Repo: repo, Now: e.Now, Caller: caller, Open: openRepo,
		Asks: func(remote string) func() {
			return e.waiting("asking " + remote)
		}, Waits: e.waiting, Version: e.Version, Address: e.addressTo,
	}
	if e.Program != nil {
		options.Program = e.Program()
	}
	if !e.Flags.Quiet {
		e.hookOutput = newHookOutput(e)
		options.Output = e.hookOutput
	}
	s := app.New(options)
	if outer := s.Outer(); outer != nil {
		s = outer
	}
	if e.Flags.DryRun {
		s.Clone.SetDryRun()
	}
	return s, nil
}

// Close ends what service opened.
func (e *Env) Close() {
	if e.Opened != nil {
		_ = e.Opened.Clone.Repo.Close() // what it would tell came too late: the answer is out
	}
}

// asFound are the commands that take a repository as it is: they exchange
// records themselves, take git brew away, or answer an agent or a shell.
var asFound = []string{
	"sync", "uninit", "hook", "statusline", "mcp", cobra.ShellCompRequestCmd,
	cobra.ShellCompNoDescRequestCmd,
}

// BeforeCommand arranges that a command sees what plain git has fetched, and
// says where there is more than what is here.
func BeforeCommand(e *Env, cmd *cobra.Command) {
	top := cmd
	for top.HasParent() && top.Parent().HasParent() {
		top = top.Parent()
	}
	if slices.Contains(asFound, top.Name()) {
		return
	}
	ctx := cmd.Context()
	e.opening = func(s *app.App) {
		for _, line := range s.Exchange.TakeFetched(ctx, true) {
			if !e.Flags.Quiet {
				e.Complain("%s", ui.Safe(OneLine(line)))
			}
		}
		tellElsewhere(e, ctx, s)
	}
}

// tellElsewhere says where the state is that is not here.
func tellElsewhere(e *Env, ctx context.Context, s *app.App) {
	if e.Flags.Quiet {
		return
	}
	found, any := s.Exchange.Elsewhere(ctx)
	if !any {
		return
	}
	e.Found = &found
	if e.Flags.JSON || e.Flags.Porcelain {
		return
	}
	how := ui.Either(found.First() == "", " brings it", ", and then a sync brings it")
	e.Complain("%s has %s; '%s'%s", ui.Safe(found.Remote), StateThere(found), Bringing(e), how)
}

// Bringing is the command that brings state from elsewhere: to share ours is for
// the user to decide.
func Bringing(e *Env) string {
	if e.Found != nil && e.Found.First() != "" {
		return ui.Safe(e.Found.First())
	}
	return ui.Either(e.IsAgent(), "git brew sync --fetch", "git brew sync")
}

// StateThere names what a remote has.
func StateThere(found exchange.Elsewhere) string {
	tasks := ui.Either(found.Tasks > 0, "the state of "+ui.Plural(found.Tasks, "task"), "")
	under := ui.Either(found.Under == "", "", " under "+ui.Safe(strings.TrimSuffix(found.Under, "/")))
	return ui.Joined(" and ", tasks, ui.Either(found.Archive, "an archive", "")) + under
}

// SyncVariable is set in the environment of a sync and of all that it starts: what
// they do starts no other one.
const SyncVariable = "GIT_BREW_SYNC"

// SyncLater starts a sync in the background, where a person agreed to that and
// none is under way. It waits for nothing and says nothing: how the sync ended
// is told by status and doctor. Started: it is on its way.
func SyncLater(e *Env, s *app.App) (started bool) {
	if e.Flags.DryRun || e.Getenv(SyncVariable) != "" {
		return false
	}
	ctx := context.Background() // the command's own may be over
	start, err := s.Exchange.SyncLater(ctx)
	if err != nil || !start {
		return false
	}
	program, err := os.Executable()
	if err != nil {
		return false
	}
	// Where it fails, the next one does it.
	return s.Clone.Repo.Remote.StartDetached(ctx, program, []string{"sync", "--detached"}, SyncVariable+"=1") == nil
}

// TellFree tells the others that a lock is free now, in the background; notes are
// what there was to say of that they do not know yet.
func TellFree(e *Env, s *app.App, notes []string) []string {
	if SyncLater(e, s) && len(notes) > 0 {
		return []string{"others hear of it in the background"}
	}
	return notes
}
