package main

import (
	"github.com/spf13/cobra"

	"github.com/git-brew/git-brew/internal/ui"
	"github.com/git-brew/git-brew/internal/view"
	"github.com/git-brew/git-brew/internal/workflow"
)

// switchDocument is the answer of `switch --json`.
type switchDocument struct {
	Task view.Task `json:"task"`
	Made string    `json:"made_from"`
	Note string    `json:"note,omitempty"`
	// Gone: it is archived, and this takes it up again.
	Gone string `json:"gone,omitempty"`
	// Services are where the branch is, in a task with services.
	Services []switchedDocument `json:"services,omitempty"`

	Undo   string `json:"undo,omitzero"` // as in view.Change
	DryRun bool   `json:"dry_run,omitzero"`
}

type switchedDocument struct {
	Path   string `json:"path"` // "": this work tree, back to the task's base
	Branch string `json:"branch"`
	Made   string `json:"made_from"`
	Moved  bool   `json:"moved"`
}

func newSwitchCmd(e *env) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "switch <task>|-",
		Short: "check a task's branch out",
		Long: `Checks the task's branch out; - is the previous task. A branch that is only on a
remote is made from there, and fetched first where that was not done yet; one
that is nowhere is made at the commit where the task began. Local changes in the
way are never overwritten. A task with services has its branch in these alone:
all of them are switched, or none. Where several tasks claim the branch that is
checked out, it says which one is meant here.`,
		Args: between(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			service, err := e.service()
			if err != nil {
				return err
			}
			went, err := service.Switch(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			t := went.Task
			switch {
			case e.Flags.JSON:
				doc := switchDocument{Task: view.NewTask(t, ""), Made: went.Made, Note: went.Note, Gone: went.Gone, Undo: e.undoneBy(cmd.Context()), DryRun: e.Flags.DryRun}
				for _, s := range went.Services {
					doc.Services = append(doc.Services, switchedDocument(s))
				}
				return ui.JSON(e.Out, doc)
			case e.Flags.Porcelain:
				return ui.Record(e.Out, string(t.ID), t.Branch, went.Made)
			}
			from := ""
			if went.Made != "" {
				from = " (made from " + ui.Safe(went.Made) + ")"
			}
			e.did("Switched to %s on %s%s", e.colours(service).Bright(e.name(cmd.Context(), service, t.ID)), ui.Safe(t.Branch), from)
			for _, s := range went.Services {
				e.say("  %s", switchedWords(s))
			}
			if went.Note != "" {
				e.say("  %s", ui.Safe(went.Note))
			}
			if went.Gone != "" {
				e.say("  %s", ui.Safe(went.Gone))
				return nil
			}
			e.next(cmd.Context(), service, "%s", e.hint(service.NextStep(cmd.Context(), t)))
			return nil
		},
	}
	dryRunFlag(e, dryRunHelp, cmd)
	return cmd
}

// switchedWords tells of one service that was switched, or stayed.
func switchedWords(s workflow.SwitchedService) string {
	words := ui.Safe(s.Path)
	switch {
	case s.Path == "":
		return "this work tree went back to " + ui.Safe(s.Branch)
	case !s.Moved:
		words += ", was there already"
	case s.Made != "":
		words += ", made from " + ui.Safe(s.Made)
	}
	return words
}
