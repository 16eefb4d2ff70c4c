package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/git-brew/git-brew/internal/app/phase"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/ui"
	"github.com/git-brew/git-brew/internal/view"
)

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
	return p.env.onTask(&p.task, func(c *call) (answer, error) {
		r, err := c.s.Phases.AddPlanned(c.ctx, c.id, from)
		return answer{
			JSON: view.NewPlanned(r, c.Flags.DryRun),
			Records: each(r.Added, func(added task.Phase) []string {
				return []string{added.ID, string(added.Kind), added.Title}
			}),
			Text: func() { sayPlanned(c, r) },
		}, err
	})(cmd, args)
}

func sayPlanned(c *call, r phase.PlannedResult) {
	c.did("%s", addedWords(r))
	for _, added := range r.Added {
		line := "  " + ui.Safe(added.ID) + " " + ui.Safe(added.Title)
		if waits := view.PhaseIDs(r.Task, added.DependsOn); len(waits) > 0 {
			line += ", after " + ui.Safe(strings.Join(waits, ", "))
		}
		c.say("%s", line)
	}
	c.notes(c.addressedAll(r.Notes))
	if len(r.Added) > 0 {
		c.next("%s", c.hint(r.Next))
	}
}

func addedWords(r phase.PlannedResult) string {
	from := ui.Safe(r.From)
	if len(r.Added) == 0 {
		return "Nothing to add: the task has the phases of " + from
	}
	words := "Added " + ui.Plural(len(r.Added), "phase") + " of " + from
	switch n := len(r.Kept); n {
	case 0:
	case 1:
		words += "; 1 was there"
	default:
		words += fmt.Sprintf("; %d were there", n)
	}
	return words
}
