// Package work has the commands about what is done for a task: its phases and their
// reviews, verification, documents, questions, decisions, remarks, reports, and the
// pipeline around its steps.
package work

import (
	"context"
	"strings"

	"github.com/git-brew/git-brew/internal/app/phase"
	"github.com/git-brew/git-brew/internal/app/review"
	"github.com/git-brew/git-brew/internal/cli"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/rules"
	"github.com/git-brew/git-brew/internal/ui"
	"github.com/git-brew/git-brew/internal/view"
)

func Phase() cli.Command {
	var reason, title string
	var into []string
	verbs := []cli.Command{
		{
			Use: "start [<phase>]", Short: "begin a phase, or try it again",
			Task: changePhase(func(c *cli.Call) (phase.PhaseResult, error) {
				return c.App.Phases.StartPhase(c.Ctx, c.ID, cli.FirstArg(c.Args))
			}),
		},
		{
			Use: "done [<phase>]", Short: "say that a phase's work is done and awaits review",
			Task: changePhase(func(c *cli.Call) (phase.PhaseResult, error) {
				return c.App.Phases.PhaseDone(c.Ctx, c.ID, cli.FirstArg(c.Args))
			}),
		},
		phaseApprove(),
		phaseReject(),
		{
			Use: "fail [<phase>] -m <why>", Short: "give a phase up, and with it what depends on it",
			Flags: []cli.Flag{cli.Opt("m, message", &reason, "say `why`")},
			Task:  phaseWith((*phase.Phases).FailPhase, &reason),
		},
		{
			Use: "revise [<phase>] [--title <title>]", Short: "add and start a fix phase for what a review found",
			Flags: []cli.Flag{cli.Opt("title", &title, "the `title` of the fix; else Fix and the phase's own")},
			Task:  phaseWith((*phase.Phases).RevisePhase, &title),
		},
		{
			Use:   "split [<phase>] --into <title>...",
			Short: "break a phase into parts; it is in review when they are done",
			Flags: []cli.Flag{cli.Opt("into", &into, "`title` of a part; give it once for each")},
			Task:  phaseWith((*phase.Phases).SplitPhase, &into),
		},
		{
			Use: "reset [<phase>] [-m <why>]", Short: "set a phase back to pending; its iterations stay counted",
			Flags: []cli.Flag{cli.Opt("m, message", &reason, "say `why`")},
			Task:  phaseWith((*phase.Phases).ResetPhase, &reason),
		},
	}
	for i := range verbs {
		verbs[i].Worker = true
	}
	changes := append([]cli.Command{
		phaseAdd(),
		phaseEdit(),
		{
			Use: "drop <phase> -m <why>", Short: "end a phase that is not wanted any more",
			Flags: []cli.Flag{cli.Opt("m, message", &reason, "say `why`")},
			Task:  phaseWith((*phase.Phases).DropPhase, &reason),
		},
	}, verbs...)
	for i := range changes {
		changes[i].DryRun = cli.DryRunHelp
	}
	return cli.Command{
		Use: "phase <command> [<args>]", Short: "the steps of a task, and how far each one is",
		Subs: append([]cli.Command{phaseList(), phaseReview()}, changes...),
	}
}

// changePhase runs one use case on a phase and says what it did.
func changePhase(does func(*cli.Call) (phase.PhaseResult, error)) cli.Action {
	return func(c *cli.Call) (cli.Answer, error) {
		r, err := does(c)
		doc := c.Change(r.Task, r.Phase, r.Notes)
		doc.Others = r.Others
		words := ui.Safe(phaseWords(r.Task, r.Phase))
		return c.Changed(doc, "Phase %s %s: %s", ui.Safe(r.Phase.ID), ui.Safe(r.Phase.Title), words), err
	}
}

// phaseWith is a use case on the phase that is named or meant, which is given something
// more.
func phaseWith[T any](
	does func(*phase.Phases, context.Context, task.ID, string, T) (phase.PhaseResult, error), more *T,
) cli.Action {
	return changePhase(func(c *cli.Call) (phase.PhaseResult, error) {
		return does(c.App.Phases, c.Ctx, c.ID, cli.FirstArg(c.Args), *more)
	})
}

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
			return []string{string(row.action), ui.Either(row.closed == "", "open", "closed"), row.closed}
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

func ladderWords(p task.Phase, total int) string {
	actions := strings.Join(view.Each(p.Escalations, func(x task.Escalation) string { return string(x.Action) }), ", ")
	return ui.Plural(total, "iteration") + ui.Either(actions == "", ", not escalated", ", escalated: "+actions)
}
