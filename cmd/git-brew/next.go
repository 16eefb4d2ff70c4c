package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/ui"
	"github.com/git-brew/git-brew/internal/workflow"
)

// nextAnswer is `next --json`.
type nextAnswer struct {
	Task task.ID      `json:"task"`
	Next nextDocument `json:"next"`
	// Ready is every phase whose work can begin now; with --all.
	Ready []phaseDocument `json:"ready,omitzero"`
}

func newNextCmd(e *env) *cobra.Command {
	var all bool
	cmd := &cobra.Command{
		Use:   "next [<task>] [--all]",
		Short: "say what comes next",
		Long: `Prints the step that comes next, why, and the command for it; with --all every
phase whose work can begin now, for workers that run side by side.`,
		Args: between(0, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			s, id, ok, err := e.reading(cmd.Context(), first(args))
			if err != nil || !ok {
				return err
			}
			r, err := s.Next(cmd.Context(), id)
			if err != nil {
				return err
			}
			return e.printNext(r, all)
		},
	}
	cmd.Flags().BoolVar(&all, "all", false, "every phase that is ready")
	return cmd
}

func (e *env) printNext(r workflow.NextResult, all bool) error {
	if e.Flags.JSON {
		doc := nextAnswer{Task: r.Task.ID, Next: nextDocument(r.Step)}
		if all {
			doc.Ready = newPhaseDocuments(r.Task, r.Ready)
		}
		return ui.JSON(e.Out, doc)
	}
	if all {
		return e.printReady(r)
	}
	if e.Flags.Porcelain {
		return ui.Record(e.Out, r.Step.Step, r.Step.Pipeline, r.Step.Phase, r.Step.Reason, r.Step.Command)
	}
	fmt.Fprintf(e.Out, "%s: %s\n", sentence(ui.Deed(r.Step)), ui.Safe(r.Step.Reason))
	if r.Step.Command != "" {
		fmt.Fprintf(e.Out, "  %s\n", ui.Safe(r.Step.Command))
	}
	return nil
}

func (e *env) printReady(r workflow.NextResult) error {
	if e.Flags.Porcelain {
		for _, p := range r.Ready {
			if err := ui.Record(e.Out, p.ID, string(p.Kind), string(p.Tier), p.Title); err != nil {
				return err
			}
		}
		return nil
	}
	if len(r.Ready) == 0 {
		e.say("No phase is ready: %s", ui.Safe(r.Step.Reason))
		return nil
	}
	table := ui.Table{}
	for _, p := range r.Ready {
		table.Add(ui.Safe(p.ID), ui.Safe(p.Title), "git brew phase start "+ui.Safe(p.ID))
	}
	return table.Write(e.Out)
}
