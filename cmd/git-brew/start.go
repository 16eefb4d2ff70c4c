package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-brew/git-brew/internal/app"
	"github.com/git-brew/git-brew/internal/app/claim"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/ui"
	"github.com/git-brew/git-brew/internal/view"
)

func newStartCmd(e *env) *cobra.Command {
	var o struct{ restart, steal bool }
	cmd := &cobra.Command{
		Use:   "start [<task>] [--restart] [--steal]",
		Short: "take a task's lock and begin, or go on with it",
		Long: `Takes the lock of the task and sets it in progress: from pending or paused, and
also where it was interrupted. It needs no phases and no checkout. A lock whose
lease has run out is taken over; a live one only with --steal.

Where state is shared with a remote ('git brew sync'), that remote decides who
of several machines holds the lock, before anything is recorded, and gets the
task with it: others see it in progress. Where it can't be reached within 15
seconds the lock is held here, unconfirmed, and the next sync confirms it or
tells who has it.`,
		Args: between(0, 1),
		RunE: e.onTask(nil, func(c *call) (answer, error) {
			if o.steal {
				if err := c.forPeople("take a lock away from its holder"); err != nil {
					return answer{}, err
				}
			}
			r, err := c.s.Work.Start(c.ctx, c.id, o.restart, o.steal)
			if err != nil {
				return answer{}, err
			}
			return startedAnswer(c, r), nil
		}),
	}
	cmd.Flags().BoolVar(&o.restart, "restart", false, "also where the task has ended")
	cmd.Flags().BoolVar(&o.steal, "steal", false, "take the lock from whoever holds it")
	dryRunFlag(e, dryRunHelp, cmd)
	return cmd
}

func startedAnswer(c *call, r app.StartResult) answer {
	doc := c.change(r.Task, task.Phase{}, r.Notes)
	lock := view.NewLock(r.Lock.Lock, r.Lock.State, r.Lock.Confirmed, c.Now())
	doc.Lock, doc.From = &lock, r.From
	name := c.name(r.Task.ID)
	did := fmt.Sprintf("Started %s: %s -> %s", name, ui.Words(string(r.From)), ui.Words(string(r.Task.Status)))
	if r.From == r.Task.Status {
		did = "Went on with " + name
	}
	holder := ui.Safe(r.Lock.Lock.Holder())
	return c.changed(doc, "%s\n  lock held by %s (%s%s)", did, holder, c.lease(r.Lock), confirmation(r.Lock))
}

// lease is a lock's fence and end, in brackets' words.
func (e *env) lease(l claim.LockView) string {
	text := fmt.Sprintf("fence %d", l.Lock.Fence)
	if end := leaseEnd(l.Lock, l.State, e.Now()); end != "" {
		text += ", " + end
	}
	return text
}

// first is the argument that may be left out.
func first(args []string) string {
	if len(args) == 0 {
		return ""
	}
	return args[0]
}

func newPauseCmd(e *env) *cobra.Command {
	var why string
	cmd := &cobra.Command{
		Use:   "pause [<task>] [-m <why>]",
		Short: "stop the work on a task, and let go of it",
		Long: `Sets the task paused: nobody works on it now. With -m it waits for what that
says, a person or something outside; without, whoever likes goes on, and finds
the summary of the iteration, and knowledge compacted where that was due. The
lock is released, and the agent may stop. 'git brew start' goes on.`,
		Args: between(0, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			err := e.onTask(nil, func(c *call) (answer, error) {
				cause := task.CauseHandoff
				if why != "" {
					cause = task.CauseWaiting
				}
				r, err := c.s.Work.Pause(c.ctx, c.id, cause, why)
				if err != nil {
					return answer{}, err
				}
				waits := ""
				if why != "" {
					waits = ", which waits: " + ui.Safe(r.Task.Reason)
				}
				notes := append(r.Notes(), c.tellFree(c.s, c.s.Claims.Unheard(c.ctx, r.Task.ID))...)
				doc := c.change(r.Task, task.Phase{}, notes)
				return c.changed(doc, "Paused %s%s; the lock is free", c.name(r.Task.ID), waits), nil
			})(cmd, args)
			if errors.Is(err, task.ErrNoTask) && strings.Contains(first(args), " ") {
				return &usageError{fmt.Sprintf("%q is no task", args[0]), "say a reason with -m: 'git brew pause -m WHY'"}
			}
			return err
		},
	}
	messageFlag(cmd, &why, "say `what` it waits for")
	dryRunFlag(e, dryRunHelp, cmd)
	return cmd
}

func newStageCmd(e *env) *cobra.Command {
	var of string
	cmd := &cobra.Command{
		Use:   "stage [clarify|research|plan|execute|complete]",
		Short: "show or set how far the thinking on a task is",
		Long: `Shows the stage of a task, or sets it, forward or back. Steps that are left
behind by that are recorded as skipped. Refused (5) are plan, and what comes
after it, while a board on the spec is not READY; execute and complete also
while the plan is not ready ('git brew doc check'), or its board not READY.`,
		Args: between(0, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return e.looksAt(&of, stageAnswer)(cmd, args)
			}
			to, err := task.ParseStage(args[0])
			if err != nil {
				return err
			}
			return e.onTask(&of, func(c *call) (answer, error) {
				r, err := c.s.Work.SetStage(c.ctx, c.id, to)
				if err != nil {
					return answer{}, err
				}
				doc := c.change(r.Task, task.Phase{}, r.Notes)
				return c.changed(doc, "%s is in stage %s", c.name(r.Task.ID), r.Task.Stage), nil
			})(cmd, args)
		},
	}
	taskFlag(cmd, &of)
	return cmd
}

func stageAnswer(c *call) (answer, error) {
	v, err := c.s.Overview.Status(c.ctx, c.id)
	if err != nil {
		return answer{}, err
	}
	stage := v.Task.Stage
	return answer{JSON: view.Stage{Task: c.id, Stage: stage}, Text: func() { c.line(string(stage)) }}, nil
}
