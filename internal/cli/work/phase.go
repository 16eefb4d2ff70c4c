// Package work has the commands about what is done for a task: its phases and their
// reviews, verification, documents, questions, decisions, remarks, reports, and the
// pipeline around its steps.
package work

import (
	"context"

	"github.com/git-brew/git-brew/internal/app/phase"
	"github.com/git-brew/git-brew/internal/cli"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/ui"
)

func Phase() cli.Command { //nolint:funlen // a table
	var reason, title string
	var into []string
	verbs := []cli.Command{
		{
			Use:   "start [<phase>]",
			Short: "begin a phase, or try it again",
			Task: changePhase(func(c *cli.Call) (phase.PhaseResult, error) {
				return c.App.Phases.StartPhase(c.Ctx, c.ID, cli.FirstArg(c.Args))
			}),
		},
		{
			Use:   "done [<phase>]",
			Short: "say that a phase's work is done and awaits review",
			Task: changePhase(func(c *cli.Call) (phase.PhaseResult, error) {
				return c.App.Phases.PhaseDone(c.Ctx, c.ID, cli.FirstArg(c.Args))
			}),
		},
		phaseApprove(),
		phaseReject(),
		{
			Use:   "fail [<phase>] -m <why>",
			Short: "give a phase up, and with it what depends on it",
			Flags: []cli.Flag{cli.Opt("m, message", &reason, "say `why`")},
			Task:  phaseWith((*phase.Phases).FailPhase, &reason),
		},
		{
			Use:   "revise [<phase>] [--title <title>]",
			Short: "add and start a fix phase for what a review found",
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
			Use:   "reset [<phase>] [-m <why>]",
			Short: "set a phase back to pending; its iterations stay counted",
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
			Use:   "drop <phase> -m <why>",
			Short: "end a phase that is not wanted any more",
			Flags: []cli.Flag{cli.Opt("m, message", &reason, "say `why`")},
			Task:  phaseWith((*phase.Phases).DropPhase, &reason),
		},
	}, verbs...)
	for i := range changes {
		changes[i].DryRun = cli.DryRunHelp
	}
	return cli.Command{
		Use:   "phase <command> [<args>]",
		Short: "the steps of a task, and how far each one is",
		Subs:  append([]cli.Command{phaseList(), phaseReview()}, changes...),
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
