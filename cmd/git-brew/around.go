package main

import (
	"context"
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
var asFound = []string{"sync", "uninit", "hook", "statusline", cobra.ShellCompRequestCmd, cobra.ShellCompNoDescRequestCmd}

// beforeCommand arranges that a command sees what plain git has fetched, and
// says where there is more than what is here.
func beforeCommand(e *env, cmd *cobra.Command) {
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
		e.elsewhere(ctx, s)
	}
}

// foldIn takes over what was fetched.
func foldIn(e *env, ctx context.Context, s *app.App) {
	line := e.progress()
	lines := s.Exchange.FoldInTelling(ctx, func(step refsync.Step, done, total int) {
		if total > longFold {
			line.show(step, done, total)
		}
	})
	line.clear()
	if e.Flags.Quiet {
		return
	}
	for _, line := range s.Clone.Untold(lines) {
		e.complain("%s", ui.Safe(oneLine(line)))
	}
}

// elsewhere says where the state is that is not here.
func (e *env) elsewhere(ctx context.Context, s *app.App) {
	if e.Flags.Quiet {
		return
	}
	found, any := s.Exchange.Elsewhere(ctx)
	if !any {
		return
	}
	e.found = &found
	if e.Flags.JSON || e.Flags.Porcelain {
		return
	}
	how := "'" + e.bringing() + "' brings it"
	if found.First() != "" {
		how = "'" + ui.Safe(found.First()) + "', and then a sync brings it"
	}
	e.complain("%s has %s; %s", ui.Safe(found.Remote), stateThere(found), how)
}

// bringing is the command that brings state from elsewhere: to share ours is for
// the user to decide.
func (e *env) bringing() string {
	if e.found != nil && e.found.First() != "" {
		return ui.Safe(e.found.First())
	}
	if e.isAgent() {
		return "git brew sync --fetch"
	}
	return "git brew sync"
}

// stateThere names what a remote has.
func stateThere(found exchange.Elsewhere) string {
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
