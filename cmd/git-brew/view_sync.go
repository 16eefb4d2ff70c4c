package main

import (
	"errors"
	"strconv"

	"github.com/git-brew/git-brew/internal/app/exchange"
	"github.com/git-brew/git-brew/internal/ledger"
	"github.com/git-brew/git-brew/internal/refsync"
	"github.com/git-brew/git-brew/internal/view"
)

// syncAnswer tells what a sync did; it ends with the error's exit code, else with 1 where
// records were set aside.
func syncAnswer(c *call, r exchange.SyncRequest, report exchange.SyncReport, err error) (answer, error) {
	if report.Remote == "" {
		return answer{}, err
	}
	doc := view.NewSync(report, r.DryRun, problem)
	doc.OK = doc.OK && err == nil
	end := failedSync(report.Failed())
	if err != nil {
		end = err
	}
	if err != nil && c.Flags.JSON { // the document has it
		about := judge(err)
		doc.Error, end = &about, exitWith(about.Code)
		c.complain("%s", about.line())
	}
	return answer{
		JSON: doc, End: end,
		Records: each(report.Records, func(of exchange.SyncedRecord) []string {
			return []string{string(of.Ref), string(of.Outcome), strconv.FormatBool(of.Pushed), problem(of)}
		}),
		Text: func() { saySynced(c, r, report, err) },
	}, nil
}

// sayFailed names the records that were set aside. What the remote refused is
// told by the error of the whole.
func sayFailed(c *call, report exchange.SyncReport) {
	failed := report.Failed()
	if len(failed) == 0 {
		return
	}
	names := recordNames(c.s.Records.Names(c.ctx))
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
			c.complain("%s is set aside: %s", what, problem(of))
		}
	}
	if named > maxFailed {
		c.complain("%d more are set aside; 'git brew sync --porcelain' lists them", named-maxFailed)
	}
}

// maxFailed is how many records that were set aside are named one by one.
const maxFailed = 20

// failedSync is the exit code where the sync itself went through.
func failedSync(failed []exchange.SyncedRecord) error {
	if len(failed) == 0 {
		return nil
	}
	return exitWith(exitFailed)
}

// problem is why a record failed, one line.
func problem(of exchange.SyncedRecord) string {
	if of.Err == nil {
		return ""
	}
	return judge(of.Err).line()
}
