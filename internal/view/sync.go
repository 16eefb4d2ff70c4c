package view

import (
	"slices"

	"github.com/git-brew/git-brew/internal/app/exchange"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/ui"
)

// Sync tells what a sync did; err is why it ended, and problem says why a record failed.
func Sync(report exchange.SyncReport, dryRun bool, err any, problem func(exchange.SyncedRecord) string) ui.Object {
	synced := []ui.Object{}
	for _, of := range report.Records {
		synced = append(synced, ui.Object{
			"ref", of.Ref, "kind", of.Kind, "id?", of.ID, "outcome", of.Outcome, "pushed", of.Pushed, "deleted", of.Deleted,
			"ours_only?", of.Ours, "theirs_only?", of.Theirs, "conflicts?", paths(of.Conflicts), "notes?", of.Notes,
			"error?", problem(of),
		})
	}
	return ui.Object{
		"remote", report.Remote, "dry_run", dryRun, "ok", len(report.Failed()) == 0 && err == nil, "first", report.First,
		"rounds", report.Rounds, "unchanged", report.Unchanged, "records", synced, "notes", report.Notes, "error?", err,
	}
}

// paths are the documents of conflicts, each once.
func paths(all []task.Conflict) []string {
	var found []string
	for _, c := range all {
		if !slices.Contains(found, c.Path) {
			found = append(found, c.Path)
		}
	}
	return found
}
