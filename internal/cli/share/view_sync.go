package share

import (
	"errors"
	"strconv"

	"github.com/git-brew/git-brew/internal/app/exchange"
	"github.com/git-brew/git-brew/internal/cli"
	"github.com/git-brew/git-brew/internal/ledger"
	"github.com/git-brew/git-brew/internal/refsync"
	"github.com/git-brew/git-brew/internal/view"
)

// syncAnswer tells what a sync did; it ends with the error's exit code, else with 1 where
// records were set aside.
func syncAnswer(c *cli.Call, r exchange.SyncRequest, report exchange.SyncReport, err error) (cli.Answer, error) {
	if report.Remote == "" {
		return cli.Answer{}, err
	}
	end, about := failedSync(report.Failed()), any(nil)
	if err != nil {
		end = err
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
			what := names.of(of)
			if of.Kind == ledger.KindLock {
				what = "the lock of " + what
			}
			c.Complain("%s is set aside: %s", what, problem(of))
		}
	}
	if named > maxFailed {
		c.Complain("%d more are set aside; 'git brew sync --porcelain' lists them", named-maxFailed)
	}
}

// maxFailed is how many records that were set aside are named one by one.
const maxFailed = 20

// failedSync is the exit code where the sync itself went through.
func failedSync(failed []exchange.SyncedRecord) error {
	if len(failed) == 0 {
		return nil
	}
	return cli.ExitWith(cli.ExitFailed)
}

// problem is why a record failed, one line.
func problem(of exchange.SyncedRecord) string {
	if of.Err == nil {
		return ""
	}
	return cli.Judge(of.Err).Line()
}
