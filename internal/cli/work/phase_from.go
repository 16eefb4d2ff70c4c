package work

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/git-brew/git-brew/internal/app/phase"
	"github.com/git-brew/git-brew/internal/cli"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/ui"
	"github.com/git-brew/git-brew/internal/view"
)

// checkAddFrom refuses what is about one phase beside --from.
func checkAddFrom(c *cli.Call) error {
	other := ""
	c.Cmd.Flags().Visit(func(f *pflag.Flag) {
		everywhere := c.Cmd.Root().PersistentFlags().Lookup(f.Name) != nil
		if !everywhere && !slices.Contains([]string{"from", "task", "dry-run", "session"}, f.Name) {
			other = "--" + f.Name
		}
	})
	switch {
	case len(c.Args) > 0:
		return cli.UsageOf(c.Cmd, "--from takes the titles from the document")
	case other != "":
		return cli.UsageOf(c.Cmd, other+" is about one phase, and --from adds all that the document plans")
	}
	return nil
}

// addFrom adds the phases that a document plans.
func addFrom(c *cli.Call, from string) (cli.Answer, error) {
	r, err := c.App.Phases.AddPlanned(c.Ctx, c.ID, from)
	return cli.Answer{
		JSON: view.Planned(r, c.Flags.DryRun),
		Records: cli.Each(r.Added, func(added task.Phase) []string {
			return []string{added.ID, string(added.Kind), added.Title}
		}),
		Text: func() { sayPlanned(c, r) },
	}, err
}

func sayPlanned(c *cli.Call, r phase.PlannedResult) {
	c.Did("%s", addedWords(r))
	for _, added := range r.Added {
		line := "  " + ui.Safe(added.ID) + " " + ui.Safe(added.Title)
		if waits := view.PhaseIDs(r.Task, added.DependsOn); len(waits) > 0 {
			line += ", after " + ui.Safe(strings.Join(waits, ", "))
		}
		c.Say("%s", line)
	}
	c.Notes(c.AddressedAll(r.Notes))
	if len(r.Added) > 0 {
		c.Next("%s", c.Hint(r.Next))
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
