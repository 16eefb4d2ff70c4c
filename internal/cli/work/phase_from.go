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

func phaseEdit() cli.Command {
	var r phase.PhaseEditRequest
	var tier string
	return cli.Command{
		Use:   "edit [<phase>] <options>",
		Short: "change what a phase is called, needs and waits for",
		Long: `Changes a phase; what is not named stays. An agent can add commands that verify
a phase, which wait for your trust, but takes none out.`,
		Flags: []cli.Flag{
			cli.Opt("title", &r.Title, "the new `title`"),
			cli.Opt("tier", &tier, "the worker's `tier`: auto, junior, senior, executive"),
			cli.Opt("acceptance", &r.Acceptance, "`text` of what has to hold in the end, too; repeatable"),
			cli.Opt("no-acceptance", &r.NoAcceptance, "`text` of what has to hold no longer; repeatable"),
			cli.Opt("verify", &r.Verify, "a `command` that checks it, too; repeatable"),
			cli.Opt("no-verify", &r.NoVerify, "a `command` that checks it no longer; repeatable"),
			cli.Opt("agent", &r.Agents, "`name` of an agent that owes a report, too; repeatable"),
			cli.Opt("no-agent", &r.NoAgents, "`name` of an agent that owes none any more; repeatable"),
			cli.Opt("depends-on", &r.DependsOn, "a `phase` to be completed first, too; repeatable"),
			cli.Opt("no-depends-on", &r.NoLongerDepends, "a `phase` that it waits for no longer; repeatable"),
		},
		Check: func(*cli.Call) (err error) {
			if tier != "" {
				r.Tier, err = task.ParseTier(tier)
			}
			return err
		},
		Task: changePhase(func(c *cli.Call) (phase.PhaseResult, error) {
			return c.App.Phases.EditPhase(c.Ctx, c.ID, cli.FirstArg(c.Args), r)
		}),
	}
}
