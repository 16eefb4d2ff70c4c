package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/ui"
	"github.com/git-brew/git-brew/internal/view"
	"github.com/git-brew/git-brew/internal/workflow"
)

// plannedDocument is `phase add --from --json`.
type plannedDocument struct {
	Task  task.ID      `json:"task"`
	From  string       `json:"from"`
	Added []view.Phase `json:"added"`
	Kept  []string     `json:"kept"` // ids of phases that were there
	Next  view.Next    `json:"next"`
	Notes []string     `json:"notes"`
	Undo  string       `json:"undo,omitzero"`
	// DryRun: this is what would be.
	DryRun bool `json:"dry_run,omitzero"`
}

// addFrom adds the phases that a document plans.
func (p *phaseCommand) addFrom(cmd *cobra.Command, args []string, from string) error {
	other := ""
	cmd.Flags().Visit(func(f *pflag.Flag) {
		everywhere := cmd.Root().PersistentFlags().Lookup(f.Name) != nil
		if !everywhere && !slices.Contains([]string{"from", "task", "dry-run", "session"}, f.Name) {
			other = "--" + f.Name
		}
	})
	switch {
	case len(args) > 0:
		return usageOf(cmd, "--from takes the titles from the document")
	case other != "":
		return usageOf(cmd, other+" is about one phase, and --from adds all that the document plans")
	}
	e := p.env
	s, id, err := e.target(cmd.Context(), p.task)
	if err != nil {
		return err
	}
	r, err := s.AddPlanned(cmd.Context(), id, from)
	if err != nil {
		return err
	}
	switch {
	case e.Flags.JSON:
		doc := plannedDocument{
			Task: r.Task.ID, From: r.From, Added: view.NewPhases(r.Task, r.Added), Kept: []string{}, Next: view.Next(r.Next),
			Notes: view.List(r.Notes), Undo: s.Made(cmd.Context()).Undo, DryRun: e.Flags.DryRun,
		}
		for _, k := range r.Kept {
			doc.Kept = append(doc.Kept, k.ID)
		}
		return ui.JSON(e.Out, doc)
	case e.Flags.Porcelain:
		for _, added := range r.Added {
			if err := ui.Record(e.Out, added.ID, string(added.Kind), added.Title); err != nil {
				return err
			}
		}
		return nil
	}
	e.did("%s", addedWords(r))
	for _, added := range r.Added {
		line := "  " + ui.Safe(added.ID) + " " + ui.Safe(added.Title)
		if waits := view.PhaseIDs(r.Task, added.DependsOn); len(waits) > 0 {
			line += ", after " + ui.Safe(strings.Join(waits, ", "))
		}
		e.say("%s", line)
	}
	for _, note := range r.Notes {
		e.say("  %s", ui.Safe(e.addressed(note)))
	}
	if len(r.Added) > 0 {
		e.next(cmd.Context(), s, "%s", e.hint(r.Next))
	}
	return nil
}

func addedWords(r workflow.PlannedResult) string {
	if len(r.Added) == 0 {
		return "Nothing to add: the task has the phases of " + ui.Safe(r.From)
	}
	words := "Added 1 phase of " + ui.Safe(r.From)
	if n := len(r.Added); n > 1 {
		words = fmt.Sprintf("Added %d phases of %s", n, ui.Safe(r.From))
	}
	switch n := len(r.Kept); n {
	case 0:
	case 1:
		words += "; 1 was there"
	default:
		words += fmt.Sprintf("; %d were there", n)
	}
	return words
}
