package work

import (
	"strings"

	"github.com/git-brew/git-brew/internal/app/phase"
	"github.com/git-brew/git-brew/internal/app/review"
	"github.com/git-brew/git-brew/internal/cli"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/rules"
	"github.com/git-brew/git-brew/internal/ui"
	"github.com/git-brew/git-brew/internal/view"
)

func Escalate() cli.Command {
	var r review.EscalateRequest
	var tier string
	return cli.Command{
		Use:   "escalate [<phase>] [--action <action> [<options>]]",
		Short: "take a phase that does not succeed up the ladder",
		Flags: []cli.Flag{
			cli.Opt("action", (*string)(&r.Action), "`action`: research, split, upgrade, reassign or ask"),
			cli.Opt("agree", &r.Agreed, "`name` of an agent that wants it; repeatable"),
			cli.Opt("m, message", &r.Reason, "say `why`; of ask it is the question"),
			cli.Opt("tier", &tier, "the new `tier`: junior, senior, executive"),
			cli.Opt("agent", &r.Agents, "`name` of an agent that gets the phase; repeatable"),
			cli.Opt("into", &r.Into, "`title` of a part; give it once for each"),
		},
		Worker: true,
		DryRun: cli.DryRunHelp,
		OnTask: true,
		Check: func(c *cli.Call) (err error) {
			r.Phase = cli.FirstArg(c.Args)
			if tier != "" {
				r.Tier, err = task.ParseTier(tier)
			}
			return err
		},
		Repo: func(c *cli.Call) (cli.Answer, error) {
			if !c.Cmd.Flags().Changed("action") {
				return c.LookAt(func(c *cli.Call) (cli.Answer, error) { return ladderAnswer(c, r) })
			}
			return c.OnTask(changePhase(func(c *cli.Call) (phase.PhaseResult, error) {
				return c.App.Reviews.Escalate(c.Ctx, c.ID, r)
			}))
		},
	}
}

// rungRow is a rung of a ladder, and why it is closed, "" where it is open.
type rungRow struct {
	action task.EscalationAction
	closed string
}

// ladderAnswer tells which rungs are open to a phase.
func ladderAnswer(c *cli.Call, r review.EscalateRequest) (cli.Answer, error) {
	t, p, ladder, err := c.App.Reviews.Escalation(c.Ctx, c.ID, r.Phase)
	if err != nil {
		return cli.Answer{}, err
	}
	var rungs []rungRow
	var docs []ui.Object
	for _, rung := range ladder.For(p) {
		row := rungRow{action: rung.Action}
		if closed := rung.Open(t, p, r.Agreed); closed != nil {
			row.closed = cli.Judge(closed).Message
		}
		rungs = append(rungs, row)
		docs = append(docs, ui.Object{"action", row.action, "open", row.closed == "", "why", row.closed, "after", rung.After})
	}
	total := rules.Attempts(t, p)
	return cli.Answer{
		JSON: ui.Object{
			"task", t.ID, "phase", view.NewPhase(t, p), "ladder", ladder.Name,
			"iterations", rules.SinceEscalation(t, p), "total_iterations", total, "escalations", p.Escalations,
			"rungs", docs, "next", view.Next(c.App.Next.Step(c.Ctx, t)),
		},
		Records: cli.Each(rungs, func(row rungRow) []string {
			word := "closed"
			if row.closed == "" {
				word = "open"
			}
			return []string{string(row.action), word, row.closed}
		}),
		Text: func() {
			c.Say("Phase %s %s: %s; ladder %s", ui.Safe(p.ID), ui.Safe(p.Title), ui.Safe(ladderWords(p, total)), ladder.Name)
			table := c.Facts("")
			for _, row := range rungs {
				told := "not now: " + ui.Safe(c.Addressed(row.closed))
				if row.closed == "" {
					options := map[task.EscalationAction]string{
						task.ActionSplit:    " --into TITLE --into TITLE",
						task.ActionReassign: " --agent NAME",
						task.ActionAsk:      " -m QUESTION",
					}[row.action]
					told = c.Addressed("git brew escalate " + ui.Safe(p.ID) + " --action " + string(row.action) + options)
				}
				table.Add("  "+string(row.action), told)
			}
			c.WriteTable(table)
		},
	}, nil
}

// ladderWords say how far a phase is.
func ladderWords(p task.Phase, total int) string {
	words := ui.Plural(total, "iteration")
	if len(p.Escalations) == 0 {
		return words + ", not escalated"
	}
	var actions []string
	for _, x := range p.Escalations {
		actions = append(actions, string(x.Action))
	}
	return words + ", escalated: " + strings.Join(actions, ", ")
}
