package share

import (
	"context"
	"errors"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/git-brew/git-brew/internal/app/exchange"
	"github.com/git-brew/git-brew/internal/cli"
	"github.com/git-brew/git-brew/internal/ledger"
	"github.com/git-brew/git-brew/internal/refsync"
	"github.com/git-brew/git-brew/internal/setup"
	"github.com/git-brew/git-brew/internal/ui"
	"github.com/git-brew/git-brew/internal/view"
)

const detachedLimit = 10 * time.Minute

func Sync() cli.Command {
	var r exchange.SyncRequest
	return cli.Command{
		Use: "sync [<remote>] [--fetch | --push] [-n]", Short: "share the tasks with a remote: fetch, merge, push",
		Flags: []cli.Flag{
			cli.Opt("fetch", &r.Fetch, "only fetch and merge"),
			cli.Opt("push", &r.Push, "only push"),
			cli.Opt("n, dry-run", &r.DryRun, "fetch, tell what would be done, and change nothing"),
			cli.Opt("detached", &r.Detached, "say nothing, and leave it to a sync that is under way"),
		},
		Check: func(c *cli.Call) error {
			r.Remote = cli.FirstArg(c.Args)
			if r.Fetch && r.Push {
				return cli.Misused("--fetch and --push together are what it does anyway", "give one of them, or none")
			}
			c.Environ = append(c.Environ[:len(c.Environ):len(c.Environ)], cli.SyncVariable+"=1")
			return nil
		},
		Setup: func(_ *cli.Env, cmd *cobra.Command) { cmd.Flags().Lookup("detached").Hidden = true },
		Repo: func(c *cli.Call) (cli.Answer, error) {
			if !r.Detached {
				return syncNow(c, r)
			}
			ctx, cancel := context.WithTimeout(c.Ctx, detachedLimit)
			defer cancel()
			_, err := c.App.Exchange.Sync(ctx, r) // for nobody in particular: how it ended is on record
			return cli.Answer{}, err
		},
	}
}

func syncNow(c *cli.Call, r exchange.SyncRequest) (cli.Answer, error) {
	r.Share = func(ctx context.Context, remote refsync.Remote) error {
		plan, err := setup.Share(ctx, c.App.Clone.Repo, remote.Name, remote.Namespace)
		if err != nil {
			return err
		}
		return plan.Apply(ctx)
	}
	line := cli.NewProgress(c.Env)
	r.Progress = line.Show
	report, err := c.App.Exchange.Sync(c.Ctx, r)
	line.Clear()
	if report.Again {
		cli.SyncLater(c.Env, c.App)
	}
	a, err := syncAnswer(c, r, report, err)
	if err == nil && !c.Flags.JSON {
		err = c.Print(cli.Answer{Records: a.Records, Text: a.Text})
		sayFailed(c, report)
		a = cli.Answer{End: a.End}
	}
	return a, err
}

// syncAnswer tells what a sync did; it ends with the error's exit code, else with 1 where
// records were set aside.
func syncAnswer(c *cli.Call, r exchange.SyncRequest, report exchange.SyncReport, err error) (cli.Answer, error) {
	if report.Remote == "" {
		return cli.Answer{}, err
	}
	end, about := err, any(nil)
	if err == nil && len(report.Failed()) > 0 {
		end = cli.ExitWith(cli.ExitFailed)
	}
	if err != nil && c.Flags.JSON { // the document has it
		judged := cli.Judge(err)
		about, end = judged, cli.ExitWith(judged.Code)
		c.Complain("%s", judged.Line())
	}
	return cli.Answer{
		JSON: view.Sync(report, r.DryRun, about, problem), End: end,
		Records: cli.Each(report.Records, func(of exchange.SyncedRecord) []string {
			return []string{string(of.Ref), string(of.Outcome), strconv.FormatBool(of.Pushed), problem(of)}
		}),
		Text: func() { saySynced(c, r, report, err) },
	}, nil
}

// sayFailed names the records that were set aside. What the remote refused is
// told by the error of the whole.
func sayFailed(c *cli.Call, report exchange.SyncReport) {
	failed := report.Failed()
	if len(failed) == 0 {
		return
	}
	names := recordNames(c.App.Records.Names(c.Ctx))
	named := 0
	for _, of := range failed {
		if _, refused := errors.AsType[*refsync.RemoteError](of.Err); !refused {
			if named++; named > maxFailed {
				continue
			}
			what := ui.Either(of.Kind == ledger.KindLock, "the lock of ", "") + names.of(of)
			c.Complain("%s is set aside: %s", what, problem(of))
		}
	}
	if named > maxFailed {
		c.Complain("%d more are set aside; 'git brew sync --porcelain' lists them", named-maxFailed)
	}
}

const maxFailed = 20

func problem(of exchange.SyncedRecord) string {
	if of.Err == nil {
		return ""
	}
	return cli.Judge(of.Err).Line()
}
