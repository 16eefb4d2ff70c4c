// Package agent has the commands that an agent's client calls: hooks and the status line.
// They are on its way at every step, so they open no more than they need.
package agent

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/git-brew/git-brew/internal/app"
	"github.com/git-brew/git-brew/internal/cli"
	"github.com/git-brew/git-brew/internal/cli/adapter"
	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/hooks"
	"github.com/git-brew/git-brew/internal/hooks/claude"
	"github.com/git-brew/git-brew/internal/hooks/settings"
	"github.com/git-brew/git-brew/internal/safego"
	"github.com/git-brew/git-brew/internal/setup"
	"github.com/git-brew/git-brew/internal/ui"
)

// hookLimit is how long a hook may take: under the 2 s that it is allowed, so
// that it still gets to say that it gave up.
const hookLimit = 1900 * time.Millisecond

// agentFlag names the client that starts the hook, before all else.
const agentFlag = "--agent"

var errHookLimit = errors.New("it took too long")

func Hook() cli.Command {
	var client string
	return cli.Command{
		Use: "hook [--agent <client>] [<event>]", Short: "answer an agent's hook, or git's post-rewrite and pre-push",
		Args:  cobra.ArbitraryArgs,
		Flags: []cli.Flag{cli.Opt("agent", &client, "the `client` that asks; else claude-code")},
		Bare: func(c *cli.Call) (cli.Answer, error) {
			args := c.Args
			if client != "" {
				args = append([]string{agentFlag, client}, args...)
			}
			return cli.Answer{End: cli.ExitWith(RunHook(c.Ctx, c.Env, args))}, nil
		},
		Setup: func(_ *cli.Env, cmd *cobra.Command) { cmd.Flags().SetInterspersed(false) }, // the arguments are git's
	}
}

// RunHook answers one hook call and gives the exit code. It is on the agent's
// hot path: nothing of cobra is built before it.
func RunHook(ctx context.Context, e *cli.Env, args []string) int {
	ctx, cancel := context.WithTimeoutCause(ctx, hookLimit, errHookLimit)
	defer cancel()
	var client string
	if len(args) > 1 && args[0] == agentFlag {
		client, args = args[1], args[2:]
	}
	event := cli.FirstArg(args)
	if event == "post-rewrite" || event == "pre-push" {
		return e.Report(answerGit(ctx, e, event, args[1:]))
	}
	if event == settings.FromPlugin {
		if event = ""; setup.HookRegistered(claude.Path(e.Getenv("CLAUDE_PROJECT_DIR")), claude.Dir(e.Getenv)) {
			_, _ = hooks.Read(ctx, e.In, claude.MaxInput) // a client reports a pipe that breaks
			return 0
		}
	}
	return AnswerHook(ctx, e, &adapter.Agent{Env: e, Open: map[hooks.Place]*app.App{}}, client, event)
}

// AnswerHook answers one call of an agent, of that client ("": Claude Code). What was
// found for the next time is kept once the answer is out, as long as the hook may take: a
// slow disk holds back no denial.
func AnswerHook(ctx context.Context, e *cli.Env, a *adapter.Agent, client, event string) int {
	in := hooks.Input{Agent: client, Event: event, Stdin: e.In, Getenv: e.Getenv, Now: e.Now}
	answer := hooks.Handle(ctx, a, in)
	if answer.Stderr != "" {
		fmt.Fprintf(e.Err, "git-brew: %s\n", ui.Safe(answer.Stderr))
	}
	_, err := e.Out.Write(answer.Stdout)
	if err == nil {
		err = e.Flush()
	}
	if !answer.GaveUp { // else a call is still in there: the process ends without it
		Within(ctx, a.Close)
	}
	if err != nil && !errors.Is(err, cli.ErrBrokenPipe) {
		return cli.ExitFailed
	}
	return answer.Exit
}

// Within does something that nobody needs, and waits for it until ctx ends. What
// goes wrong in it is not said: a crash would exit with 2, which a client takes for
// "block", whatever was answered before.
func Within(ctx context.Context, do func()) {
	_, _ = safego.Await(ctx, func() (struct{}, error) {
		do()
		return struct{}{}, nil
	})
}

// answerGit answers git's own hooks: post-rewrite carries notes to the commits that git
// has just rewritten; pre-push lets tasks follow a push to the remote that they are
// shared with, which git names: by its name, or else its address, and its address. git's
// list on standard input stays unread then, and no error is one: a push is never ours to
// stop.
func answerGit(ctx context.Context, e *cli.Env, event string, args []string) error {
	service, err := e.Open(cli.OpenRequest{NoLazyFetch: true})
	if errors.Is(err, gitstore.ErrNotRepository) || err != nil && event == "pre-push" {
		return nil
	}
	if err != nil {
		return err
	}
	defer Within(ctx, func() { _ = service.Clone.Repo.Close() })
	if event == "post-rewrite" {
		return service.Code.Rewritten(ctx, e.In)
	}
	if service.Config.SharedWith(ctx, args...) {
		cli.SyncLater(e, service)
	}
	return nil
}
