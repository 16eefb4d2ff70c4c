package main

import (
	"github.com/spf13/cobra"

	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/ui"
	"github.com/git-brew/git-brew/internal/view"
	"github.com/git-brew/git-brew/internal/workflow"
)

// archiveDocument is what archive answers with.
type archiveDocument struct {
	Tasks   []view.Task `json:"tasks"`
	Already []task.ID   `json:"already"` // those that were there before
	DryRun  bool        `json:"dry_run"`
}

// maxArchivedShown is how many tasks are named to a person: more than these scroll
// what was asked for out of sight.
const maxArchivedShown = 20

func newArchiveCmd(e *env) *cobra.Command {
	var r workflow.ArchiveRequest
	cmd := &cobra.Command{
		Use:   "archive [-n] [--due] [<task>...]",
		Short: "put tasks that have ended out of the way",
		Long: `Moves tasks that have ended into the archive: the named ones, or the one here.
The archive is a single ref, refs/brew/archive, which keeps the live refs few.
show, log and status find an archived task as before, and 'git brew list
--archived' lists them. Any change, for example 'git brew start --restart',
makes a task live again.

--due archives the tasks that ended longer than brew.archive.after ago, and that
nobody touched since. Where state is shared, the remote must have them as they
are here. 'git brew sync' does that by itself.`,
		ValidArgsFunction: func(cmd *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
			return endedNames(cmd.Context(), e), cobra.ShellCompDirectiveNoFileComp
		},
		Args: func(_ *cobra.Command, args []string) error {
			if r.Due && len(args) > 0 {
				return &usageError{"--due and tasks exclude each other", "give one of them"}
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			service, err := e.service()
			if err != nil {
				return err
			}
			if len(args) == 0 && !r.Due {
				args = []string{""}
			}
			for _, arg := range args {
				_, id, err := e.target(cmd.Context(), arg)
				if err != nil {
					return err
				}
				r.Tasks = append(r.Tasks, id)
			}
			if len(args) > 1 {
				e.meant = "" // no hint is about all of them
			}
			done, err := service.Archive(cmd.Context(), r)
			if err != nil {
				return err
			}
			return e.answerArchive(cmd, service, r, done)
		},
	}
	cmd.Flags().BoolVar(&r.Due, "due", false, "all that ended long enough ago")
	cmd.Flags().BoolVarP(&r.DryRun, "dry-run", "n", false, "only say what would be archived")
	return cmd
}

func (e *env) answerArchive(cmd *cobra.Command, s *workflow.Service, r workflow.ArchiveRequest, done workflow.ArchiveResult) error {
	switch {
	case e.Flags.JSON:
		doc := archiveDocument{Tasks: []view.Task{}, Already: view.List(done.Already), DryRun: r.DryRun}
		for _, t := range done.Tasks {
			about := view.NewTask(t, "")
			about.Archived = !r.DryRun
			doc.Tasks = append(doc.Tasks, about)
		}
		return ui.JSON(e.Out, doc)
	case e.Flags.Porcelain:
		for _, t := range done.Tasks {
			if err := ui.Record(e.Out, string(t.ID), statusName(t.Status, t.Deleted), t.Branch, t.Title); err != nil {
				return err
			}
		}
		return nil
	}
	for _, id := range done.Already {
		e.say("%s is archived already", ui.Safe(string(id)))
	}
	did := "Archived"
	if r.DryRun {
		did = "Would archive"
	}
	switch n := len(done.Tasks); {
	case n == 0 && r.Due && done.After == workflow.Never:
		e.say("Nothing is due: brew.archive.after is never")
	case n == 0 && r.Due:
		e.say("Nothing is due: no task ended longer than %s ago", done.After)
	case n == 0:
		return nil
	case n == 1:
		e.say("%s %s", did, ui.Safe(string(done.Tasks[0].ID)))
	default:
		e.say("%s %s", did, ui.Plural(n, "task"))
		for _, t := range done.Tasks[:min(n, maxArchivedShown)] {
			e.say("  %s", ui.Safe(string(t.ID)))
		}
		if n > maxArchivedShown {
			e.say("  and %d more", n-maxArchivedShown)
		}
	}
	if len(done.Tasks) > 0 && !r.DryRun {
		e.next(cmd.Context(), s, "git brew list --archived")
	}
	return nil
}
