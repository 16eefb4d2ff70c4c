package cli

import (
	"context"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-brew/git-brew/internal/app"
	"github.com/git-brew/git-brew/internal/app/exchange"
	"github.com/git-brew/git-brew/internal/refsync"
	"github.com/git-brew/git-brew/internal/ui"
)

// longFold is how many records are so many that a person is told how far it is.
const longFold = 1000

// asFound are the commands that take a repository as it is: they exchange
// records themselves, take git brew away, or answer an agent or a shell.
var asFound = []string{
	"sync", "uninit", "hook", "statusline", cobra.ShellCompRequestCmd,
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
		foldIn(e, ctx, s)
		tellElsewhere(e, ctx, s)
	}
}

// foldIn takes over what was fetched.
func foldIn(e *Env, ctx context.Context, s *app.App) {
	line := NewProgress(e)
	lines := s.Exchange.FoldInTelling(ctx, func(step refsync.Step, done, total int) {
		if total > longFold {
			line.Show(step, done, total)
		}
	})
	line.Clear()
	if e.Flags.Quiet {
		return
	}
	for _, line := range lines {
		e.Complain("%s", ui.Safe(OneLine(line)))
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
	how := "'" + Bringing(e) + "' brings it"
	if found.First() != "" {
		how = "'" + ui.Safe(found.First()) + "', and then a sync brings it"
	}
	e.Complain("%s has %s; %s", ui.Safe(found.Remote), StateThere(found), how)
}

// Bringing is the command that brings state from elsewhere: to share ours is for
// the user to decide.
func Bringing(e *Env) string {
	if e.Found != nil && e.Found.First() != "" {
		return ui.Safe(e.Found.First())
	}
	if e.IsAgent() {
		return "git brew sync --fetch"
	}
	return "git brew sync"
}

// StateThere names what a remote has.
func StateThere(found exchange.Elsewhere) string {
	var parts []string
	if found.Tasks > 0 {
		parts = append(parts, "the state of "+ui.Plural(found.Tasks, "task"))
	}
	if found.Archive {
		parts = append(parts, "an archive")
	}
	there := strings.Join(parts, " and ")
	if found.Under != "" {
		there += " under " + ui.Safe(strings.TrimSuffix(found.Under, "/"))
	}
	return there
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
