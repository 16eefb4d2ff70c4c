package tasks

import (
	"strings"

	"github.com/git-brew/git-brew/internal/app"
	"github.com/git-brew/git-brew/internal/app/overlap"
	"github.com/git-brew/git-brew/internal/app/steps"
	"github.com/git-brew/git-brew/internal/cli"
	"github.com/git-brew/git-brew/internal/cli/taskview"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/route"
	"github.com/git-brew/git-brew/internal/ui"
	"github.com/git-brew/git-brew/internal/view"
)

type nextOptions struct {
	all, claim        bool
	skip, reason      string
	auto, interactive bool
}

// mode is how whoever asks goes through the pipeline.
func (o nextOptions) mode() steps.RunMode {
	switch {
	case o.auto:
		return steps.RunAuto
	case o.interactive:
		return steps.RunInteractive
	}
	return steps.RunDefault
}

func Next() cli.Command {
	var o nextOptions
	return cli.Command{
		Use: "next [<task>] [--all | --claim | --skip <step> -m <why>]", Short: "say what comes next",
		Flags: []cli.Flag{
			cli.Opt("all", &o.all, "every phase that is under way, or ready"),
			cli.Opt("claim", &o.claim, "start one that is ready, for this worker alone"),
			cli.Opt("skip", &o.skip, "pass over this `step`: clarify, research or plan"),
			cli.Opt("m, message", &o.reason, "say `why` it is skipped"),
			cli.Opt("auto", &o.auto, "ask the user before no step"),
			cli.Opt("interactive", &o.interactive, "ask the user before every step"),
		},
		Worker: true,
		DryRun: "with --claim or --skip: " + cli.DryRunHelp,
		Check:  o.check,
		Repo: func(c *cli.Call) (cli.Answer, error) {
			switch {
			case o.claim:
				return c.OnTask(claimNext)
			case o.skip != "":
				return c.OnTask(func(c *cli.Call) (cli.Answer, error) { return skipNext(c, o) })
			}
			return c.LookAt(func(c *cli.Call) (cli.Answer, error) { return sayNext(c, o) })
		},
	}
}

// sayNext says what comes next, and how it is taken.
func sayNext(c *cli.Call, o nextOptions) (cli.Answer, error) {
	r, err := c.App.Work.Next(c.Ctx, c.ID)
	if err != nil {
		return cli.Answer{}, err
	}
	if r.Plan, err = c.App.Pipelines.StepPlan(c.Ctx, r.Task, r.Step, o.mode()); err != nil {
		return cli.Answer{}, err
	}
	if c.IsAgent() {
		r.Step = r.Plan.AskFirst(r.Step)
	}
	if seen, ok := c.App.Radar.Of(c.Ctx, r.Task); ok {
		r.Overlap = &seen
	}
	return nextAnswer(c, r, o.all), nil
}

func (o *nextOptions) check(c *cli.Call) error {
	cmd := c.Cmd
	given := func(name string) bool { return cmd.Flags().Changed(name) }
	switch {
	case given("all") && given("claim"), given("all") && given("skip"), given("claim") && given("skip"):
		return cli.UsageOf(cmd, "--all, --claim and --skip don't go together")
	case o.auto && o.interactive:
		return cli.UsageOf(cmd, "--auto and --interactive exclude each other")
	case given("worker") && o.skip != "":
		return cli.UsageOf(cmd, "a step of the task is skipped, and none of a worker")
	case given("message") != given("skip"):
		return cli.UsageOf(cmd, "--skip needs an -m, and -m a --skip")
	case given("skip") && strings.TrimSpace(o.skip) == "":
		return cli.UsageOf(cmd, "--skip needs the step")
	}
	return nil
}

func nextAnswer(c *cli.Call, r app.NextResult, all bool) cli.Answer {
	var plan *steps.StepPlan
	if r.Plan.From != "" {
		known := r.Plan // as it is: what is printed may have no pause
		plan = &known
	}
	if all {
		return readyAnswer(c, r, plan)
	}
	doc := view.NextStep(r.Task, r.Step, plan, view.Overlap(r.Overlap)...)
	return cli.Answer{JSON: doc, Records: stepRecord(r.Step), Text: func() {
		what := cli.Sentence(ui.Asks(r.Step)) + ": " + ui.Safe(r.Step.Reason)
		asks := c.IsAgent() && r.Step.Ask != ""
		c.Tell("%s\n", ui.Either(asks, "Ask the user: "+ui.Safe(r.Step.Ask), what))
		if r.Step.Command != "" {
			c.Tell("  %s\n", ui.Safe(r.Step.Command))
		}
		if c.IsAgent() {
			r.Plan.Pause = false // what the user is asked says so
		}
		if r.Step.Runs() {
			r.Plan.Commit = nil // workers commit as they like
		}
		taskview.PrintPlan(c.Env, c.Style(), r.Plan)
		sayOverlap(c, r.Overlap)
	}}
}

// sayOverlap names the tasks whose branches conflict with this one's.
func sayOverlap(c *cli.Call, seen *overlap.Seen) {
	if seen == nil {
		return
	}
	for _, met := range seen.Conflicts {
		in := overlap.Named(met.Paths, met.More)
		c.Say("Its branch conflicts with %s of %s%s", ui.Safe(met.Branch), ui.Safe(c.Name(met.Task)),
			ui.Either(in != "", " in "+ui.Safe(in), ""))
	}
}

func stepRecord(s route.Step) cli.Porcelain {
	return cli.Record(s.Step, s.Pipeline, s.Phase, s.Reason, s.Command)
}

// readyAnswer tells of every phase that is under way, and every one that can begin.
func readyAnswer(c *cli.Call, r app.NextResult, plan *steps.StepPlan) cli.Answer {
	doc := append(view.NextStep(r.Task, r.Step, plan, "ready", view.Work(r.Task, r.Ready, r.Begin),
		"under_way", view.Work(r.Task, r.UnderWay, r.WorkOn)), view.Overlap(r.Overlap)...)
	ready := cli.Each(r.Ready, func(p task.Phase) []string {
		return []string{p.ID, string(p.Kind), string(p.Tier), p.Title}
	})
	return cli.Answer{JSON: doc, Records: ready, Text: func() {
		if len(r.Ready) == 0 {
			c.Say("No phase can begin now. %s: %s", cli.Sentence(ui.Asks(r.Step)), ui.Safe(r.Step.Reason))
		}
		if len(r.Ready)+len(r.UnderWay) == 0 {
			c.Next("%s", c.Hint(r.Step))
		}
		table := c.Table("")
		table.Leave, table.Give = []int{3}, []int{1, 3}
		for _, p := range r.UnderWay {
			state := "under way" + ui.Either(p.Claim.UID == "", "", ", by "+p.Claim.By())
			table.Add(ui.Safe(p.ID), ui.Safe(p.Title), ui.Safe(r.WorkOn(p).Command), ui.Safe(state))
		}
		for _, p := range r.Ready {
			table.Add(ui.Safe(p.ID), ui.Safe(p.Title), ui.Safe(r.Begin(p).Command))
		}
		c.WriteTable(table)
		sayOverlap(c, r.Overlap)
	}}
}

// claimNext gives a worker a phase.
func claimNext(c *cli.Call) (cli.Answer, error) {
	r, err := c.App.Work.ClaimPhase(c.Ctx, c.ID, c.Worker())
	doc := c.Change(r.Task, r.Phase, r.Notes)
	doc.Next = r.Next
	words := "Claimed phase %s %s"
	switch {
	case r.Again:
		words = "Phase %s %s is yours already"
	case r.From != "":
		words = "Took phase %s %s over from " + strings.ReplaceAll(ui.Safe(r.From), "%", "%%") + ", who left it"
	}
	a := c.Changed(doc, words, ui.Safe(r.Phase.ID), ui.Safe(r.Phase.Title))
	a.JSON = ui.Object{doc, "worker", c.Worker(), "from?", r.From, "again", r.Again}
	a.Records = stepRecord(r.Next)
	return a, err
}

// skipNext passes over the step that comes next.
func skipNext(c *cli.Call, o nextOptions) (cli.Answer, error) {
	r, err := c.App.Work.SkipStep(c.Ctx, c.ID, o.skip, o.reason)
	if err != nil {
		return cli.Answer{}, err
	}
	skips := view.Skips(r.Task)
	skipped := r.Task.Skips[len(skips)-1]
	doc := view.NextStep(r.Task, r.Step, nil, "skipped", skips[len(skips)-1], "dry_run?", c.Flags.DryRun)
	return cli.Answer{JSON: doc, Records: stepRecord(r.Step), Text: func() {
		c.Did("Skipped %s: %s", ui.Safe(r.Task.ShownStep(skipped.Passed)), ui.Safe(skipped.Reason))
		c.Next("%s", c.Hint(r.Step))
	}}, nil
}
