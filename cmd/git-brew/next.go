package main

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/ui"
	"github.com/git-brew/git-brew/internal/view"
	"github.com/git-brew/git-brew/internal/workflow"
)

// nextAnswer is `next --json`.
type nextAnswer struct {
	Task task.ID   `json:"task"`
	Next view.Next `json:"next"`
	// Skip says what is done without where the step is skipped; none: it can't
	// be.
	Skip string `json:"skip,omitempty"`
	// Plan is how the step is taken; null where it is none of a pipeline.
	Plan *stepPlanDocument `json:"plan"`
	// Ready is every phase whose work can begin now, UnderWay every one that is
	// worked on; with --all.
	Ready    []workDocument `json:"ready,omitzero"`
	UnderWay []workDocument `json:"under_way,omitzero"`
	// Skipped is set where this command skipped a step.
	Skipped *view.Skip `json:"skipped,omitempty"`
	DryRun  bool       `json:"dry_run,omitzero"`
}

// workDocument is a phase, and what comes next for whoever works on it.
type workDocument struct {
	view.Phase
	Next view.Next `json:"next"`
}

func newWorkDocuments(t task.Task, phases []task.Phase, next func(task.Phase) task.Step) []workDocument {
	all := make([]workDocument, 0, len(phases))
	for _, p := range phases {
		all = append(all, workDocument{view.NewPhase(t, p), view.Next(next(p))})
	}
	return all
}

// claimAnswer is `next --claim --json`.
type claimAnswer struct {
	view.Change
	Worker string `json:"worker"`
	// From had claimed the phase, and left it; Again: it is the worker's already.
	From  string `json:"from,omitempty"`
	Again bool   `json:"again"`
}

// nextOptions are the forms of `next`.
type nextOptions struct {
	all, claim        bool
	skip, reason      string
	auto, interactive bool
}

// mode is how whoever asks goes through the pipeline.
func (o nextOptions) mode() workflow.RunMode {
	switch {
	case o.auto:
		return workflow.RunAuto
	case o.interactive:
		return workflow.RunInteractive
	}
	return workflow.RunDefault
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
				return e.claimNext(cmd.Context(), first(args))
			case o.skip != "":
				return e.skipNext(cmd.Context(), first(args), o)
			}
			s, id, ok, err := e.reading(cmd.Context(), first(args))
			if err != nil || !ok {
				return err
			}
			r, err := s.Next(cmd.Context(), id)
			if err != nil {
				return err
			}
			if r.Plan, err = s.StepPlan(cmd.Context(), r.Task, r.Step, o.mode()); err != nil {
				return err
			}
			if e.isAgent() {
				r.Step = r.Plan.AskFirst(r.Step)
			}
			return e.printNext(cmd.Context(), s, r, o.all)
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

func (e *env) printNext(ctx context.Context, s *workflow.Service, r workflow.NextResult, all bool) error {
	if e.Flags.JSON {
		doc := nextAnswer{Task: r.Task.ID, Next: view.Next(r.Step), Skip: r.Step.Skip}
		if r.Plan.From != "" {
			plan := newStepPlanDocument(r.Plan)
			doc.Plan = &plan
		}
		if all {
			doc.Ready, doc.UnderWay = newWorkDocuments(r.Task, r.Ready, r.Begin), newWorkDocuments(r.Task, r.UnderWay, r.WorkOn)
		}
		return ui.JSON(e.Out, doc)
	}
	if all {
		return e.printReady(ctx, s, r)
	}
	if e.Flags.Porcelain {
		return e.stepRecord(r.Step)
	}
	what := sentence(ui.Asks(r.Step)) + ": " + ui.Safe(r.Step.Reason)
	if e.isAgent() && r.Step.Ask != "" {
		what = "Ask the user: " + ui.Safe(r.Step.Ask)
	}
	e.tell("%s\n", what)
	if r.Step.Command != "" {
		e.tell("  %s\n", ui.Safe(r.Step.Command))
	}
	if e.isAgent() {
		r.Plan.Pause = false // what the user is asked says so
	}
	return e.printPlan(e.colours(s), r.Plan)
}

// stepRecord is a step for scripts.
func (e *env) stepRecord(s task.Step) error {
	return ui.Record(e.Out, s.Step, s.Pipeline, s.Phase, s.Reason, s.Command)
}

func (e *env) printReady(ctx context.Context, s *workflow.Service, r workflow.NextResult) error {
	if e.Flags.Porcelain {
		for _, p := range r.Ready {
			if err := ui.Record(e.Out, p.ID, string(p.Kind), string(p.Tier), p.Title); err != nil {
				return err
			}
		}
		return nil
	}
	if len(r.Ready) == 0 {
		e.say("No phase can begin now. %s: %s", sentence(ui.Asks(r.Step)), ui.Safe(r.Step.Reason))
	}
	if len(r.Ready)+len(r.UnderWay) == 0 {
		e.next(ctx, s, "%s", e.hint(r.Step))
		return nil
	}
	table := e.table("")
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
	return table.Write(e.Out)
}

// claimNext gives a worker a phase.
func (e *env) claimNext(ctx context.Context, arg string) error {
	s, id, err := e.target(ctx, arg)
	if err != nil {
		return err
	}
	r, err := s.ClaimPhase(ctx, id, e.worker())
	if err != nil {
		return err
	}
	doc := newChange(ctx, s, r.Task, r.Phase, r.Notes)
	doc.Next, doc.DryRun = view.Next(r.Next), e.Flags.DryRun
	switch {
	case e.Flags.JSON:
		return ui.JSON(e.Out, claimAnswer{doc, e.worker(), r.From, r.Again})
	case e.Flags.Porcelain:
		return e.stepRecord(r.Next)
	}
	words := "Claimed phase %s %s"
	switch {
	case r.Again:
		words = "Phase %s %s is yours already"
	case r.From != "":
		words = "Took phase %s %s over from " + strings.ReplaceAll(ui.Safe(r.From), "%", "%%") + ", who left it"
	}
	return e.changed(ctx, s, doc, words, ui.Safe(r.Phase.ID), ui.Safe(r.Phase.Title))
}

// skipNext passes over the step that comes next.
func (e *env) skipNext(ctx context.Context, arg string, o nextOptions) error {
	s, id, err := e.target(ctx, arg)
	if err != nil {
		return err
	}
	r, err := s.SkipStep(ctx, id, o.skip, o.reason)
	if err != nil {
		return err
	}
	skips := view.NewSkips(r.Task)
	skipped := skips[len(skips)-1]
	switch {
	case e.Flags.JSON:
		return ui.JSON(e.Out, nextAnswer{Task: r.Task.ID, Next: view.Next(r.Step), Skip: r.Step.Skip, Skipped: &skipped, DryRun: e.Flags.DryRun})
	case e.Flags.Porcelain:
		return e.stepRecord(r.Step)
	}
	e.did("Skipped %s: %s", ui.Safe(skipped.What), ui.Safe(skipped.Reason))
	e.next(ctx, s, "%s", e.hint(r.Step))
	return nil
}
