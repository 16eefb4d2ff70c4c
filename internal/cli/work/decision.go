package work

import (
	"github.com/git-brew/git-brew/internal/app/review"
	"github.com/git-brew/git-brew/internal/cli"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/ui"
	"github.com/git-brew/git-brew/internal/view"
)

func Decision() cli.Command { //nolint:funlen // a table
	var all bool
	var reason string
	var r review.DecisionRequest
	return cli.Command{
		Use: "decision <command> [<args>]", Short: "what was decided, and why",
		Subs: []cli.Command{
			{
				Use: "list [--all]", Short: "list the decisions that hold",
				Flags: []cli.Flag{cli.Opt("all", &all, "those too that were superseded or revoked")},
				Look: func(c *cli.Call) (cli.Answer, error) {
					t, err := c.App.Records.Task(c.Ctx, c.ID)
					wanted := view.ActiveDecisions(t)
					if all {
						wanted = t.Decisions
					}
					return cli.Answer{
						JSON:    ui.Object{"task", c.ID, "decisions", view.NewDecisions(t, wanted)},
						Records: decisionRecords(t, wanted...),
						Text:    func() { printDecisions(c, t, wanted) },
					}, err
				},
			},
			{
				Use: "show <decision>", Short: "print a decision with its reasons",
				Task: func(c *cli.Call) (cli.Answer, error) {
					t, err := c.App.Records.Task(c.Ctx, c.ID)
					if err != nil {
						return cli.Answer{}, err
					}
					d, err := t.FindDecision(c.Args[0])
					return cli.Answer{
						JSON:    ui.Object{"task", c.ID, "decision", view.NewDecision(t, d)},
						Records: decisionRecords(t, d),
						Text:    func() { printDecision(c, t, d) },
					}, err
				},
			},
			{
				Use: "add <title> [<options>]", Short: "record a decision",
				Flags: decides(&r), DryRun: cli.DryRunHelp,
				Task: changeDecision("Decided", func(c *cli.Call) (task.Task, task.Decision, error) {
					r.Title = c.Args[0]
					return c.App.Reviews.AddDecision(c.Ctx, c.ID, r)
				}),
			},
			{
				Use: "supersede <decision> --by <title> [<options>]", Short: "put a new decision in another's place",
				Flags: decides(&r, cli.Opt("by", &r.Title, "the new decision's `title`")), DryRun: cli.DryRunHelp,
				Task: changeDecision("Decided", func(c *cli.Call) (task.Task, task.Decision, error) {
					if r.Title == "" {
						return task.Task{}, task.Decision{}, cli.UsageOf(c.Cmd, "what takes its place is not said")
					}
					r.Supersedes = c.Args[0]
					return c.App.Reviews.AddDecision(c.Ctx, c.ID, r)
				}),
			},
			{
				Use: "revoke <decision> -m <why>", Short: "give a decision up, with nothing in its place",
				Flags:  []cli.Flag{cli.Opt("m, message", &reason, "say `why`")},
				DryRun: cli.DryRunHelp,
				Task: changeDecision("Revoked", func(c *cli.Call) (task.Task, task.Decision, error) {
					return c.App.Reviews.RevokeDecision(c.Ctx, c.ID, c.Args[0], reason)
				}),
			},
		},
	}
}

// changeDecision is a command that changes a decision, and tells what became of it.
func changeDecision(did string, does func(*cli.Call) (task.Task, task.Decision, error)) cli.Action {
	return func(c *cli.Call) (cli.Answer, error) {
		t, made, err := does(c)
		replaces := made.Supersedes != "" && made.Status == task.DecisionActive
		instead := ui.Either(replaces, " instead of "+t.DecisionID(made.Supersedes), "")
		a := c.Wrote(t, "%s %s%s: %s", did, t.DecisionID(made.UID), instead, ui.Safe(made.Title))
		a.JSON = ui.Object{c.Change(t, task.Phase{}, nil), "decision", view.NewDecision(t, made)}
		a.Records = decisionRecords(t, made)
		return a, err
	}
}

// decides are the options that say why something was decided.
func decides(r *review.DecisionRequest, own ...cli.Flag) []cli.Flag {
	return append(own, cli.Opt("m, message", &r.Why, "say `why`"),
		cli.Opt("rejected", &r.Rejected, "`what` was not chosen, as \"WHAT: why\"; repeatable"),
		cli.Opt("phase", &r.Phase, "the `phase` that it is about"))
}

func decisionRecords(t task.Task, all ...task.Decision) cli.Porcelain {
	return cli.Each(all, func(d task.Decision) []string {
		return []string{t.DecisionID(d.UID), string(d.Status), t.DecisionID(d.By), d.At, d.Title}
	})
}

func printDecisions(c *cli.Call, t task.Task, all []task.Decision) {
	switch {
	case len(all) == 0 && len(t.Decisions) > 0:
		c.Say("No decision of %s holds, of %d.", c.Name(c.ID), len(t.Decisions))
		c.Next("git brew decision list --all")
		return
	case len(all) == 0:
		c.HasNone("decisions", "git brew decision add TITLE -m WHY")
		return
	}
	style := c.Style()
	table := c.Table("")
	table.Leave, table.Give = []int{1}, []int{2, 3}
	for _, d := range all {
		standing := ui.Either(d.Status == task.DecisionActive, "", task.DecisionStanding(t, d))
		table.Add(style.Bright(t.DecisionID(d.UID)), cli.Ago(c.Env, d.At), ui.Safe(d.Title), style.Dim(standing))
	}
	c.WriteTable(table)
}

func printDecision(c *cli.Call, t task.Task, d task.Decision) {
	c.Tell("%s  %s\n", c.Style().Bright(t.DecisionID(d.UID)), ui.Safe(d.Title))
	facts := c.Facts("  ")
	facts.Fact("status", string(d.Status))
	facts.Fact("by", t.DecisionID(d.By))
	facts.Fact("instead of", t.DecisionID(d.Supersedes))
	facts.Fact("because", ui.Safe(d.Reason))
	facts.Fact("phase", ui.Safe(view.PhaseID(t, d.Phase)))
	facts.Fact("decided", cli.Ago(c.Env, d.At))
	facts.Fact("why", ui.Safe(d.Why))
	for _, a := range d.Rejected {
		facts.Fact("rejected", ui.Safe(ui.Joined(": ", a.What, a.Why)))
	}
	c.WriteTable(facts)
}
