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
			Long: `Starts work on a phase, the next one that is ready if none is named. What it
depends on has to be completed or dropped, and the task in progress. The first
start records where the task's branch is, from where reviews and 'git brew diff'
look; each one counts as an iteration. A phase without a plan of its own is
started all the same, and that is recorded.

A start that begins the task's work is refused (5) while its plan is not ready,
which 'git brew doc check' shows, or a board on spec or plan is not READY.`,
			Task: changePhase(func(c *cli.Call) (phase.PhaseResult, error) {
				return c.App.Phases.StartPhase(c.Ctx, c.ID, cli.FirstArg(c.Args))
			}),
		},
		{
			Use:   "done [<phase>]",
			Short: "say that a phase's work is done and awaits review",
			Long: `Says that the work on a phase is done: it awaits its verification, where it has
commands, and its review. The review looks at what is committed on the task's
branch, also at what follows before the approval. No report is needed yet.`,
			Task: changePhase(func(c *cli.Call) (phase.PhaseResult, error) {
				return c.App.Phases.PhaseDone(c.Ctx, c.ID, cli.FirstArg(c.Args))
			}),
		},
		phaseApprove(),
		phaseReject(),
		{
			Use:   "fail [<phase>] -m <why>",
			Short: "give a phase up, and with it what depends on it",
			Long: `Gives a phase up. What depends on it fails with it, and so do its fixes and its
verification; other phases go on. 'git brew phase start' tries it again, and
brings back what failed with it.`,
			Flags: []cli.Flag{cli.Opt("m, message", &reason, "say `why`")},
			Task:  phaseWith((*phase.Phases).FailPhase, &reason),
		},
		{
			Use:   "revise [<phase>] [--title <title>]",
			Short: "add and start a fix phase for what a review found",
			Long: `Adds the next fix of a phase (2.1, 2.2, ...) for what its review or verification
found, and starts it, with a start commit of its own. Fixes come before the next
phase; when the last one is approved, the phase is up for review again.`,
			Flags: []cli.Flag{cli.Opt("title", &title, "the `title` of the fix; else Fix and the phase's own")},
			Task:  phaseWith((*phase.Phases).RevisePhase, &title),
		},
		{
			Use:   "split [<phase>] --into <title>...",
			Short: "break a phase into parts; it is in review when they are done",
			Long: `Breaks a phase into two parts or more, 2a, 2b and on, each of them a phase. It
is pending until they are completed, and in review then.`,
			Flags: []cli.Flag{cli.Opt("into", &into, "`title` of a part; give it once for each")},
			Task:  phaseWith((*phase.Phases).SplitPhase, &into),
		},
		{
			Use:   "reset [<phase>] [-m <why>]",
			Short: "set a phase back to pending; its iterations stay counted",
			Long: `Sets a phase that was begun, failed, completed or dropped back to pending. Its
start commit is forgotten: the next start records another one. Iterations stay
counted, and reports stay.`,
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
			Long: `Ends a phase that is not wanted any more, wherever it stands but completed. It
holds nothing up: what depends on it begins without it, and the task can be
finished. Its parts, fixes, verifications and research are dropped with it, but
for what is completed. The final review is not dropped.

'git brew phase reset' takes it up again, and what was dropped with it. In
discussion mode an agent drops only what nobody has begun.`,
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
		Long: `A phase goes from pending through in progress and in review to completed, by a
verdict that approves it. Without an id, start takes the next phase that is
ready, and the others the one that this session or worker claimed, else the
current one; where several could be meant, they ask.`,
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
