package main

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/git-brew/git-brew/internal/app/archive"
	"github.com/git-brew/git-brew/internal/app/exchange"
	"github.com/git-brew/git-brew/internal/refsync"
	"github.com/git-brew/git-brew/internal/setup"
	"github.com/git-brew/git-brew/internal/ui"
)

// detachedLimit is how long a sync in the background may take.
const detachedLimit = 10 * time.Minute

func newSyncCmd(e *env) *cobra.Command {
	var r exchange.SyncRequest
	cmd := &cobra.Command{
		Use:   "sync [<remote>] [--fetch | --push] [-n]",
		Short: "share the tasks with a remote: fetch, merge, push",
		Long: `Brings tasks, knowledge, notes and shared settings together with what a remote
has: brew.remote, else the remote of this branch's upstream, else origin. What
was changed on both sides is merged; nobody's work is overwritten. It can be
repeated at any time, and run from cron or a hook.

Nothing is ever pushed before you ran it once by hand. From then on brew.remote
decides who holds a lock, and state follows in the background: when an agent's
session ends, when somebody finishes or pauses a task or releases its lock, when
the lease of a lock is renewed, and when you push (brew.sync.auto).

Exits with 6 where the remote refused, could not be reached or said nothing for
brew.sync.timeout, or where another sync is still under way; with 1 where some
records were set aside. The others are done, and nothing here is lost.`,
		Args: between(0, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			r.Remote = first(args)
			if r.Fetch && r.Push {
				return &usageError{"--fetch and --push together are what it does anyway", "give one of them, or none"}
			}
			if r.Detached {
				return syncDetached(e, cmd.Context(), r)
			}
			e.Environ = append(e.Environ[:len(e.Environ):len(e.Environ)], syncing+"=1")
			return e.onRepo(func(c *call) (answer, error) { return syncNow(c, r) })(cmd, args)
		},
	}
	flags := cmd.Flags()
	flags.BoolVar(&r.Fetch, "fetch", false, "only fetch and merge")
	flags.BoolVar(&r.Push, "push", false, "only push")
	flags.BoolVarP(&r.DryRun, "dry-run", "n", false, "fetch, tell what would be done, and change nothing")
	flags.BoolVar(&r.Detached, "detached", false, "say nothing, and leave it to a sync that is under way")
	_ = flags.MarkHidden("detached") // it is there
	return cmd
}

func syncNow(c *call, r exchange.SyncRequest) (answer, error) {
	r.Share = func(ctx context.Context, remote refsync.Remote) error {
		plan, err := setup.Share(ctx, c.s.Clone.Repo, remote.Name, remote.Namespace)
		if err != nil {
			return err
		}
		return plan.Apply()
	}
	line := c.progress()
	r.Progress = line.show
	report, err := c.s.Exchange.Sync(c.ctx, r)
	line.clear()
	if report.Again {
		c.syncLater(c.s)
	}
	a, err := syncAnswer(c, r, report, err)
	if err == nil && !c.Flags.JSON {
		err = c.print(answer{Records: a.Records, Text: a.Text})
		sayFailed(c, report)
		a = answer{End: a.End}
	}
	return a, err
}

// syncDetached syncs for nobody in particular: how it ended is on record.
func syncDetached(e *env, ctx context.Context, r exchange.SyncRequest) error {
	ctx, cancel := context.WithTimeout(ctx, detachedLimit)
	defer cancel()
	service, err := e.service()
	if err != nil {
		return err
	}
	_, err = service.Exchange.Sync(ctx, r)
	return err
}

// progressLine is one line on a terminal that is written over and over.
type progressLine struct {
	e     *env
	shown bool
}

func (e *env) progress() *progressLine { return &progressLine{e: e} }

// asking says on a terminal which remote is waited for, until it has answered.
func (e *env) asking(remote string) (done func()) { return e.waiting("asking " + remote) }

// waiting says on a terminal what is waited for, until it is over.
func (e *env) waiting(what string) (done func()) {
	line := e.progress()
	line.write(what + " …")
	return line.clear
}

func (p *progressLine) show(step refsync.Step, done, total int) {
	text := string(step)
	switch step {
	case archive.Archiving:
		text = "archiving"
	case refsync.Fetching:
		text = "fetching"
	case refsync.Settling:
		text = "merging"
	case refsync.Checking:
		text = "checking"
	case refsync.Pushing:
		text = "pushing"
	}
	if total > 0 {
		text = fmt.Sprintf("%s %d of %d", text, done, total)
	}
	p.write(text)
}

func (p *progressLine) write(text string) {
	if !p.e.ErrTerminal || p.e.Flags.Quiet || p.e.Getenv("TERM") == "dumb" {
		return
	}
	fmt.Fprintf(p.e.Err, "\r%s\x1b[K", ui.Truncate(ui.Safe(text), p.e.width()-1))
	p.shown = true
}

func (p *progressLine) clear() {
	if p.shown {
		fmt.Fprint(p.e.Err, "\r\x1b[K")
	}
}
