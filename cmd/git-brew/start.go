package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/ui"
	"github.com/git-brew/git-brew/internal/view"
	"github.com/git-brew/git-brew/internal/workflow"
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
		RunE: func(cmd *cobra.Command, args []string) error {
			ctx := cmd.Context()
			s, id, err := e.target(ctx, first(args))
			if err == nil && o.steal {
				err = e.forPeople("take a lock away from its holder")
			}
			if err != nil {
				return err
			}
			r, err := s.Start(ctx, id, o.restart, o.steal)
			if err != nil {
				return err
			}
			return e.started(ctx, s, r)
		},
	}
	cmd.Flags().BoolVar(&o.restart, "restart", false, "also where the task has ended")
	cmd.Flags().BoolVar(&o.steal, "steal", false, "take the lock from whoever holds it")
	dryRunFlag(e, dryRunHelp, cmd)
	return cmd
}

func (e *env) started(ctx context.Context, s *workflow.Service, r workflow.StartResult) error {
	doc := newChange(ctx, s, r.Task, task.Phase{}, r.Notes)
	lock := view.NewLock(r.Lock.Lock, r.Lock.State, r.Lock.Confirmed, e.Now())
	doc.Lock, doc.From = &lock, r.From
	did := fmt.Sprintf("Started %s: %s -> %s", e.name(ctx, s, r.Task.ID), ui.Words(string(r.From)), ui.Words(string(r.Task.Status)))
	if r.From == r.Task.Status {
		did = "Went on with " + e.name(ctx, s, r.Task.ID)
	}
	return e.changed(ctx, s, doc, "%s\n  lock held by %s (%s%s)", did, ui.Safe(r.Lock.Lock.Holder()), e.lease(r.Lock), confirmation(r.Lock))
}

// lease is a lock's fence and end, in brackets' words.
func (e *env) lease(l workflow.LockView) string {
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
			ctx := cmd.Context()
			s, id, err := e.target(ctx, first(args))
			if errors.Is(err, task.ErrNoTask) && strings.Contains(first(args), " ") {
				return &usageError{fmt.Sprintf("%q is no task", args[0]), "say a reason with -m: 'git brew pause -m WHY'"}
			}
			if err != nil {
				return err
			}
			cause, words := task.CauseHandoff, "Paused %s; the lock is free"
			if why != "" {
				cause, words = task.CauseWaiting, "Paused %s, which waits: %s; the lock is free"
			}
			r, err := s.Pause(ctx, id, cause, why)
			if err != nil {
				return err
			}
			notes := append(r.Notes(), e.tellFree(s, s.Unheard(ctx, r.Task.ID))...)
			said := []any{e.name(ctx, s, r.Task.ID)}
			if why != "" {
				said = append(said, ui.Safe(r.Task.Reason))
			}
			return e.changed(ctx, s, newChange(ctx, s, r.Task, task.Phase{}, notes), words, said...)
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
				return e.showStage(cmd.Context(), of)
			}
			to, err := task.ParseStage(args[0])
			if err != nil {
				return err
			}
			ctx := cmd.Context()
			s, id, err := e.target(ctx, of)
			if err != nil {
				return err
			}
			r, err := s.SetStage(ctx, id, to)
			if err != nil {
				return err
			}
			return e.changed(ctx, s, newChange(ctx, s, r.Task, task.Phase{}, r.Notes), "%s is in stage %s", e.name(ctx, s, r.Task.ID), r.Task.Stage)
		},
	}
	taskFlag(cmd, &of)
	return cmd
}

func (e *env) showStage(ctx context.Context, of string) error {
	s, id, ok, err := e.reading(ctx, of)
	if err != nil || !ok {
		return err
	}
	v, err := s.Status(ctx, id)
	if err != nil {
		return err
	}
	if e.Flags.JSON {
		return ui.JSON(e.Out, struct {
			Task  task.ID    `json:"task"`
			Stage task.Stage `json:"stage"`
		}{id, v.Task.Stage})
	}
	_, err = fmt.Fprintln(e.Out, v.Task.Stage)
	return err
}
