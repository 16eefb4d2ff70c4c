package main

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/git-brew/git-brew/internal/ledger"
	"github.com/git-brew/git-brew/internal/refsync"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/ui"
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
	failed := report.Failed()
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
	if err != nil {
		return err
	}
	for _, of := range failed {
		fmt.Fprintf(e.Err, "git-brew: %s is set aside: %s\n", recordName(report, of), judge(of.Err).line())
	}
	return failedSync(failed)
}

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

func (e *env) syncedJSON(r workflow.SyncRequest, report workflow.SyncReport, err error) error {
	doc := exchangeDocument{
		Remote: report.Remote, DryRun: r.DryRun, OK: err == nil && len(report.Failed()) == 0, First: report.First,
		Rounds: report.Rounds, Unchanged: report.Unchanged, Records: []syncedDocument{}, Notes: list(report.Notes),
	}
	for _, of := range report.Records {
		doc.Records = append(doc.Records, syncedDocument{
			Ref: string(of.Ref), Kind: string(of.Kind), ID: of.ID, Outcome: string(of.Outcome), Pushed: of.Pushed, Deleted: of.Deleted,
			OursOnly: of.Ours, TheirsOnly: of.Theirs, Conflicts: of.Conflicts, Notes: of.Notes, Error: problem(of),
		})
	}
	code := failedSync(report.Failed())
	if err != nil {
		view := judge(err)
		doc.Error, code = &view, exitWith(view.Code)
		fmt.Fprintf(e.Err, "git-brew: %s\n", view.line())
	}
	if jerr := ui.JSON(e.Out, doc); jerr != nil {
		return jerr
	}
	return code
}

// saySynced tells a person: a line with what was done, a line for each thing
// that concerns somebody, and after the first sync what holds from now on.
func (e *env) saySynced(ctx context.Context, s *workflow.Service, r workflow.SyncRequest, report workflow.SyncReport, err error) {
	done := summary(report, r)
	switch {
	case len(done) > 0 && r.DryRun:
		e.say("%s: it would be %s", ui.Safe(report.Remote), strings.Join(done, ", "))
	case len(done) > 0:
		e.say("%s: %s", ui.Safe(report.Remote), strings.Join(done, ", "))
	case err == nil && len(report.Failed()) == 0:
		e.say("%s: up to date", ui.Safe(report.Remote))
	}
	for _, of := range report.Records {
		for _, line := range tellings(report, of) {
			e.say("  %s", ui.Safe(line))
		}
	}
	for _, note := range report.Notes {
		e.say("  note: %s", ui.Safe(note))
	}
	if report.First && err == nil {
		e.say("  from now on state is shared with %s in the background too; 'git config brew.sync.auto false' stops that", ui.Safe(report.Remote))
	}
}

// summary counts what was done, in the order of what matters.
func summary(report workflow.SyncReport, r workflow.SyncRequest) []string {
	tasks := map[string]int{}
	var merges, others []string
	for _, of := range report.Records {
		word := fate(of, r)
		switch {
		case word == "" || of.Kind == ledger.KindLock:
		case of.Kind == ledger.KindTask:
			tasks[word]++
			if of.Outcome == refsync.Merged && len(merges) < maxMergesNamed {
				merges = append(merges, fmt.Sprintf("%s: %d + %d operations", recordName(report, of), of.Ours, of.Theirs))
			}
		case of.Kind == ledger.KindClone:
			others = append(others, "sessions of a clone "+word)
		default:
			others = append(others, recordKind(of.Kind)+" "+word)
		}
	}
	var parts []string
	for _, word := range []string{"pushed", "to push", "merged", "new", "updated", "archived"} {
		n := tasks[word]
		if n == 0 {
			continue
		}
		part := fmt.Sprintf("%d %s", n, word)
		if len(parts) == 0 {
			part = ui.Plural(n, "task") + " " + word
		}
		if word == "merged" && len(merges) > 0 {
			part += " (" + strings.Join(merges, ", ")
			if more := n - len(merges); more > 0 {
				part += fmt.Sprintf(", and %d more", more)
			}
			part += ")"
		}
		parts = append(parts, part)
	}
	return append(parts, others...)
}

// maxMergesNamed bounds how many merges are told one by one.
const maxMergesNamed = 3

// fate says what was done to a record, in a word; "" for nothing.
func fate(of workflow.SyncedRecord, r workflow.SyncRequest) string {
	switch of.Outcome {
	case refsync.Merged:
		return "merged"
	case refsync.New:
		return "new"
	case refsync.FastForwarded:
		return "updated"
	case refsync.Archived:
		return "archived"
	case refsync.Ahead:
		if of.Pushed || r.DryRun && r.Push {
			return "pushed"
		}
		if of.Err == nil {
			return "to push"
		}
	}
	return ""
}

// recordKind is what people call the records that there is one of.
func recordKind(kind ledger.Kind) string {
	switch kind {
	case ledger.KindConfig:
		return "shared settings"
	case ledger.KindNotes, ledger.KindArchive, ledger.KindKnowledge:
		return string(kind)
	}
	return string(kind)
}

// tellings are the lines about one record that concern somebody.
func tellings(report workflow.SyncReport, of workflow.SyncedRecord) []string {
	var lines []string
	name := recordName(report, of)
	switch of.Outcome {
	case refsync.LockConfirmed:
		lines = append(lines, "lock of "+name+" confirmed")
	case refsync.LockLost:
		lines = append(lines, "lock of "+name+" lost")
	}
	if len(lines) == 1 && len(of.Notes) > 0 {
		lines[0] += ": " + strings.Join(of.Notes, "; ")
	} else {
		for _, note := range of.Notes {
			lines = append(lines, name+": "+note)
		}
	}
	if len(of.Conflicts) > 0 {
		lines = append(lines, fmt.Sprintf("%s: two texts of %s could not be merged; 'git brew doc list --task %s' shows them, 'git brew doc resolve' settles it",
			name, strings.Join(of.Conflicts, ", "), name))
	}
	return lines
}

// recordName is what people call a record: a task's slug, where no other one in
// the report has the same.
func recordName(report workflow.SyncReport, of workflow.SyncedRecord) string {
	if of.Kind != ledger.KindTask && of.Kind != ledger.KindLock {
		if of.ID != "" {
			return ui.Safe(string(of.Kind) + " " + of.ID)
		}
		return recordKind(of.Kind)
	}
	slug := task.ID(of.ID).Slug()
	for _, other := range report.Records {
		if other.ID != of.ID && task.ID(other.ID).Slug() == slug {
			return ui.Safe(of.ID)
		}
	}
	return ui.Safe(slug)
}
