package main

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-brew/git-brew/internal/app"
	"github.com/git-brew/git-brew/internal/app/steps"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/route"
	"github.com/git-brew/git-brew/internal/ui"
	"github.com/git-brew/git-brew/internal/view"
)

// nextOptions are the forms of `next`.
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

func newNextCmd(e *env) *cobra.Command {
	var o nextOptions
	cmd := &cobra.Command{
		Use:   "next [<task>] [--all | --claim | --skip <step> -m <why>]",
		Short: "say what comes next",
		Long: `Prints the step that comes next, why, the command for it, and how it is taken:
the workflow that is followed, the hooks around it, whether the user is asked
first. That is so where the pipeline says it, with --interactive before every
step, with --auto before none. With --all every phase that is under way, and
every one whose work can begin now, for workers that run side by side. Porcelain
has step, pipeline, phase, reason and command; with --all the phases that can
begin: id, kind, tier, title.

--claim starts one of those for this worker, and never the same for two; what a
worker left that is gone comes back. A worker that gives itself a name, with
--worker or BREW_WORKER, is told what comes next for the phase that it claimed,
until that is completed; so is a session that claimed one. One that has none, or
whose phase waits for others, is told what nobody else sees to. Who handed its
phase over may claim another. Where none is to be had, --claim is refused (5).

--skip passes over the step that comes next, and records why: clarify (the
questions stay open), research, and plan. Work, reviews and verifications are
never skipped.`,
		Args: between(0, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := o.check(cmd); err != nil {
				return err
			}
			switch {
			case o.claim:
				return e.onTask(nil, claimNext)(cmd, args)
			case o.skip != "":
				return e.onTask(nil, func(c *call) (answer, error) { return skipNext(c, o) })(cmd, args)
			}
			return e.looksAt(nil, func(c *call) (answer, error) {
				r, err := c.s.Work.Next(c.ctx, c.id)
				if err != nil {
					return answer{}, err
				}
				if r.Plan, err = c.s.Pipelines.StepPlan(c.ctx, r.Task, r.Step, o.mode()); err != nil {
					return answer{}, err
				}
				if c.isAgent() {
					r.Step = r.Plan.AskFirst(r.Step)
				}
				return nextAnswer(c, r, o.all), nil
			})(cmd, args)
		},
	}
	cmd.Flags().BoolVar(&o.all, "all", false, "every phase that is under way, or ready")
	cmd.Flags().BoolVar(&o.claim, "claim", false, "start one that is ready, for this worker alone")
	workerFlag(e, cmd)
	cmd.Flags().StringVar(&o.skip, "skip", "", "pass over the `step` that comes next")
	messageFlag(cmd, &o.reason, "say `why` it is skipped")
	cmd.Flags().BoolVar(&o.auto, "auto", false, "ask the user before no step")
	cmd.Flags().BoolVar(&o.interactive, "interactive", false, "ask the user before every step")
	dryRunFlag(e, "with --claim or --skip: "+dryRunHelp, cmd)
	return cmd
}

func (o nextOptions) check(cmd *cobra.Command) error {
	given := func(name string) bool { return cmd.Flags().Changed(name) }
	forms := 0
	for _, name := range []string{"all", "claim", "skip"} {
		if given(name) {
			forms++
		}
	}
	switch {
	case forms > 1:
		return usageOf(cmd, "--all, --claim and --skip don't go together")
	case o.auto && o.interactive:
		return usageOf(cmd, "--auto and --interactive exclude each other")
	case given("worker") && o.skip != "":
		return usageOf(cmd, "a step of the task is skipped, and none of a worker")
	case given("message") != given("skip"):
		return usageOf(cmd, "--skip needs an -m, and -m a --skip")
	case given("skip") && strings.TrimSpace(o.skip) == "":
		return usageOf(cmd, "--skip needs the step")
	}
	return nil
}

func nextAnswer(c *call, r app.NextResult, all bool) answer {
	doc := view.NewNextStep(r.Task, r.Step)
	if r.Plan.From != "" {
		plan := view.NewStepPlan(r.Plan)
		doc.Plan = &plan
	}
	if all {
		return readyAnswer(c, r, doc)
	}
	return answer{JSON: doc, Records: stepRecord(r.Step), Text: func() {
		what := sentence(ui.Asks(r.Step)) + ": " + ui.Safe(r.Step.Reason)
		if c.isAgent() && r.Step.Ask != "" {
			what = "Ask the user: " + ui.Safe(r.Step.Ask)
		}
		c.tell("%s\n", what)
		if r.Step.Command != "" {
			c.tell("  %s\n", ui.Safe(r.Step.Command))
		}
		if c.isAgent() {
			r.Plan.Pause = false // what the user is asked says so
		}
		printPlan(c.env, c.style(), r.Plan)
	}}
}

// stepRecord is a step for scripts.
func stepRecord(s route.Step) porcelain {
	return record(s.Step, s.Pipeline, s.Phase, s.Reason, s.Command)
}

// readyAnswer tells of every phase that is under way, and every one that can begin.
func readyAnswer(c *call, r app.NextResult, doc view.NextStep) answer {
	doc.Ready, doc.UnderWay = view.NewWork(r.Task, r.Ready, r.Begin), view.NewWork(r.Task, r.UnderWay, r.WorkOn)
	ready := each(r.Ready, func(p task.Phase) []string {
		return []string{p.ID, string(p.Kind), string(p.Tier), p.Title}
	})
	return answer{JSON: doc, Records: ready, Text: func() {
		if len(r.Ready) == 0 {
			c.say("No phase can begin now. %s: %s", sentence(ui.Asks(r.Step)), ui.Safe(r.Step.Reason))
		}
		if len(r.Ready)+len(r.UnderWay) == 0 {
			c.next("%s", c.hint(r.Step))
		}
		table := c.table("")
		table.Leave, table.Give = []int{3}, []int{1, 3}
		for _, p := range r.UnderWay {
			state := "under way"
			if p.Claim.UID != "" {
				state += ", by " + p.Claim.By()
			}
			table.Add(ui.Safe(p.ID), ui.Safe(p.Title), ui.Safe(r.WorkOn(p).Command), ui.Safe(state))
		}
		for _, p := range r.Ready {
			table.Add(ui.Safe(p.ID), ui.Safe(p.Title), ui.Safe(r.Begin(p).Command))
		}
		c.write(table)
	}}
}

// claimNext gives a worker a phase.
func claimNext(c *call) (answer, error) {
	r, err := c.s.Work.ClaimPhase(c.ctx, c.id, c.worker())
	if err != nil {
		return answer{}, err
	}
	doc := c.change(r.Task, r.Phase, r.Notes)
	doc.Next = view.Next(r.Next)
	words := "Claimed phase %s %s"
	switch {
	case r.Again:
		words = "Phase %s %s is yours already"
	case r.From != "":
		words = "Took phase %s %s over from " + strings.ReplaceAll(ui.Safe(r.From), "%", "%%") + ", who left it"
	}
	a := c.changed(doc, words, ui.Safe(r.Phase.ID), ui.Safe(r.Phase.Title))
	a.JSON = view.Claimed{Change: doc, Worker: c.worker(), From: r.From, Again: r.Again}
	a.Records = stepRecord(r.Next)
	return a, nil
}

// skipNext passes over the step that comes next.
func skipNext(c *call, o nextOptions) (answer, error) {
	r, err := c.s.Work.SkipStep(c.ctx, c.id, o.skip, o.reason)
	if err != nil {
		return answer{}, err
	}
	skips := view.NewSkips(r.Task)
	skipped := skips[len(skips)-1]
	doc := view.NewNextStep(r.Task, r.Step)
	doc.Skipped, doc.DryRun = &skipped, c.Flags.DryRun
	return answer{JSON: doc, Records: stepRecord(r.Step), Text: func() {
		c.did("Skipped %s: %s", ui.Safe(skipped.What), ui.Safe(skipped.Reason))
		c.next("%s", c.hint(r.Step))
	}}, nil
}
