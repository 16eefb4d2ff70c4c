package work

import (
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/app/phase"
	"github.com/git-brew/git-brew/internal/cli"
	"github.com/git-brew/git-brew/internal/cli/taskview"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/route"
	"github.com/git-brew/git-brew/internal/ui"
	"github.com/git-brew/git-brew/internal/view"
)

func phaseAdd() cli.Command {
	var r phase.PhaseAddRequest
	var kind, tier, from string
	return cli.Command{
		Use: "add (<title> [<options>] | --from <document>)", Short: "add a phase, or those that the roadmap plans",
		Args: cli.Between(0, 1),
		Flags: []cli.Flag{
			cli.Opt("from", &from, "add what this `document` plans: roadmap or plan"),
			cli.Opt("id", &r.ShownID, "the `id` that people type; the next number otherwise"),
			cli.Opt("kind", &kind, "the `kind`: verification, research or final_review"),
			cli.Opt("of", &r.Parent, "the `phase` that a verification or research belongs to"),
			cli.Opt("after", &r.After, "put it behind this `phase`, not at the end"),
			cli.Opt("depends-on", &r.DependsOn, "a `phase` to be completed first; repeatable, or 1,2"),
			cli.Opt("acceptance", &r.Acceptance, "`text` of what has to hold in the end; repeatable"),
			cli.Opt("verify", &r.Verify, "a `command` that checks it; repeatable"),
			cli.Opt("tier", &tier, "the `tier`: junior, senior, executive; else auto"),
			cli.Opt("agent", &r.Agents, "`name` of an agent that owes a report; repeatable"),
		},
		Check: func(c *cli.Call) error {
			if c.Cmd.Flags().Changed("from") {
				return checkAddFrom(c)
			}
			if len(c.Args) == 0 {
				return cli.UsageOf(c.Cmd, "missing argument")
			}
			r.Title = c.Args[0]
			var err error
			if r.Tier, err = task.ParseTier(tier); err != nil {
				return err
			}
			if kind != "" { // otherwise the id may say it
				if r.Kind, err = task.ParsePhaseKind(kind); err != nil {
					return err
				}
			}
			return nil
		},
		Task: func(c *cli.Call) (cli.Answer, error) {
			if c.Cmd.Flags().Changed("from") {
				return addFrom(c, from)
			}
			return changePhase(func(c *cli.Call) (phase.PhaseResult, error) {
				return c.App.Phases.AddPhase(c.Ctx, c.ID, r)
			})(c)
		},
	}
}

func phaseList() cli.Command {
	var asPRD bool
	return cli.Command{
		Use: "list [--prd]", Short: "list the phases of the task",
		Flags: []cli.Flag{cli.Opt("prd", &asPRD, "as the JSON that 'git brew create --prd' reads")},
		Look: func(c *cli.Call) (cli.Answer, error) {
			t, err := c.App.Records.Task(c.Ctx, c.ID)
			if err != nil {
				return cli.Answer{}, err
			}
			if asPRD {
				out, err := c.App.Tasks.PRD(c.Ctx, t)
				return cli.Answer{Text: func() { _, _ = c.Out.Write(out) }}, err
			}
			waiting, err := c.App.Trust.UntrustedCommands(c.Ctx, t)
			doc := ui.Object{"task", t.ID, "phases", view.NewTrustedPhases(t, waiting)}
			say := c.OrNone(len(t.Phases), "phases", route.CommandAdd(t), func() { taskview.SayPhases(c, t, waiting) })
			return cli.Answer{JSON: doc, Records: cli.Each(t.Phases, phaseRecord), Text: say}, err
		},
	}
}

// phaseWords says where a phase stands, for a line that shows no marker.
func phaseWords(t task.Task, p task.Phase) string {
	pending := ui.Either(p.Status == task.PhasePending, "pending", "")
	return ui.Joined(", ", pending, taskview.PhaseState(&t, p))
}

func phaseRecord(p task.Phase) []string {
	return []string{
		p.ID, string(p.Status), string(p.Review), strconv.Itoa(p.Iteration), string(p.Kind), string(p.Tier),
		p.StartCommit, p.EndCommit, p.Title,
	}
}

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
		waits := strings.Join(view.PhaseIDs(r.Task, added.DependsOn), ", ")
		c.Say("  %s %s%s", ui.Safe(added.ID), ui.Safe(added.Title), ui.Either(waits == "", "", ", after "+ui.Safe(waits)))
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
	kept := ui.Either(len(r.Kept) == 0, "", "; "+clone.Counted(len(r.Kept), "was there", "were there"))
	return "Added " + ui.Plural(len(r.Added), "phase") + " of " + from + kept
}

func phaseEdit() cli.Command {
	var edit task.PhaseEditPayload
	var dependsOn, noLonger []string
	var tier string
	return cli.Command{
		Use: "edit [<phase>] <options>", Short: "change what a phase is called, needs and waits for",
		Flags: []cli.Flag{
			cli.Opt("title", &edit.Title, "the new `title`"),
			cli.Opt("tier", &tier, "the worker's `tier`: auto, junior, senior, executive"),
			cli.Opt("acceptance", &edit.AddAcceptance, "`text` of what has to hold in the end, too; repeatable"),
			cli.Opt("no-acceptance", &edit.DropAcceptance, "`text` of what has to hold no longer; repeatable"),
			cli.Opt("verify", &edit.AddVerification, "a `command` that checks it, too; repeatable"),
			cli.Opt("no-verify", &edit.DropVerification, "a `command` that checks it no longer; repeatable"),
			cli.Opt("agent", &edit.AddAgents, "`name` of an agent that owes a report, too; repeatable"),
			cli.Opt("no-agent", &edit.DropAgents, "`name` of an agent that owes none any more; repeatable"),
			cli.Opt("depends-on", &dependsOn, "a `phase` to be completed first, too; repeatable"),
			cli.Opt("no-depends-on", &noLonger, "a `phase` that it waits for no longer; repeatable"),
		},
		Check: func(*cli.Call) (err error) {
			if tier != "" {
				edit.Tier, err = task.ParseTier(tier)
			}
			return err
		},
		Task: changePhase(func(c *cli.Call) (phase.PhaseResult, error) {
			return c.App.Phases.EditPhase(c.Ctx, c.ID, cli.FirstArg(c.Args), edit, dependsOn, noLonger)
		}),
	}
}
