package main

import (
	"context"
	"errors"
	"slices"
	"strconv"

	"github.com/git-brew/git-brew/internal/ledger"
	"github.com/git-brew/git-brew/internal/refsync"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/ui"
	"github.com/git-brew/git-brew/internal/view"
	"github.com/git-brew/git-brew/internal/workflow"
)

// exchangeDocument is `sync --json`.
type exchangeDocument struct {
	Remote string `json:"remote"`
	DryRun bool   `json:"dry_run"`
	// OK: nothing was set aside, and the remote did all that was asked of it.
	OK        bool             `json:"ok"`
	First     bool             `json:"first"`
	Rounds    int              `json:"rounds"`
	Unchanged int              `json:"unchanged"`
	Records   []syncedDocument `json:"records"`
	Notes     []string         `json:"notes"`
	Error     *errorView       `json:"error,omitempty"`
}

// syncedDocument is what became of one record.
type syncedDocument struct {
	Ref     string `json:"ref"`
	Kind    string `json:"kind"`
	ID      string `json:"id,omitempty"`
	Outcome string `json:"outcome"`
	Pushed  bool   `json:"pushed"`
	Deleted bool   `json:"deleted"`
	// OursOnly and TheirsOnly count the operations of a merge.
	OursOnly   int      `json:"ours_only,omitempty"`
	TheirsOnly int      `json:"theirs_only,omitempty"`
	Conflicts  []string `json:"conflicts,omitempty"`
	Notes      []string `json:"notes,omitempty"`
	Error      string   `json:"error,omitempty"`
}

// synced prints what a sync did, and gives its exit code: the error's, else 1
// where records were set aside.
func (e *env) synced(ctx context.Context, s *workflow.Service, r workflow.SyncRequest, report workflow.SyncReport, err error) error {
	if report.Remote == "" {
		return err
	}
	switch {
	case e.Flags.JSON:
		return e.syncedJSON(r, report, err)
	case e.Flags.Porcelain:
		for _, of := range report.Records {
			if perr := ui.Record(e.Out, string(of.Ref), string(of.Outcome), strconv.FormatBool(of.Pushed), problem(of)); perr != nil {
				return perr
			}
		}
	default:
		e.saySynced(ctx, s, r, report, err)
	}
	e.sayFailed(ctx, s, report)
	if err != nil {
		return err
	}
	return failedSync(report.Failed())
}

// sayFailed names the records that were set aside. What the remote refused is
// told by the error of the whole.
func (e *env) sayFailed(ctx context.Context, s *workflow.Service, report workflow.SyncReport) {
	failed := report.Failed()
	if len(failed) == 0 {
		return
	}
	names := recordNames(s.Names(ctx))
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
			e.complain("%s is set aside: %s", what, problem(of))
		}
	}
	if named > maxFailed {
		e.complain("%d more are set aside; 'git brew sync --porcelain' lists them", named-maxFailed)
	}
}

// maxFailed is how many records that were set aside are named one by one.
const maxFailed = 20

// failedSync is the exit code where the sync itself went through.
func failedSync(failed []workflow.SyncedRecord) error {
	if len(failed) == 0 {
		return nil
	}
	return exitWith(exitFailed)
}

// problem is why a record failed, one line.
func problem(of workflow.SyncedRecord) string {
	if of.Err == nil {
		return ""
	}
	return judge(of.Err).line()
}

// conflictPaths are the documents of conflicts, each once.
func conflictPaths(all []task.Conflict) []string {
	var paths []string
	for _, c := range all {
		if !slices.Contains(paths, c.Path) {
			paths = append(paths, c.Path)
		}
	}
	return paths
}

func (e *env) syncedJSON(r workflow.SyncRequest, report workflow.SyncReport, err error) error {
	doc := exchangeDocument{
		Remote: report.Remote, DryRun: r.DryRun, OK: err == nil && len(report.Failed()) == 0, First: report.First,
		Rounds: report.Rounds, Unchanged: report.Unchanged, Records: []syncedDocument{}, Notes: view.List(report.Notes),
	}
	for _, of := range report.Records {
		doc.Records = append(doc.Records, syncedDocument{
			Ref: string(of.Ref), Kind: string(of.Kind), ID: of.ID, Outcome: string(of.Outcome), Pushed: of.Pushed, Deleted: of.Deleted,
			OursOnly: of.Ours, TheirsOnly: of.Theirs, Conflicts: conflictPaths(of.Conflicts), Notes: of.Notes, Error: problem(of),
		})
	}
	code := failedSync(report.Failed())
	if err != nil {
		view := judge(err)
		doc.Error, code = &view, exitWith(view.Code)
		e.complain("%s", view.line())
	}
	if jerr := ui.JSON(e.Out, doc); jerr != nil {
		return jerr
	}
	return code
}
