package steps

import (
	"context"
	"fmt"
	"strings"

	"github.com/git-brew/git-brew/internal/app/change"
	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/pipeline"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/route"
)

// RetryHooks runs what failed behind steps, or was cut off, again: the first one
// first, up to one that fails again. What is not there any more counts as failed:
// that nobody has it is no reason that it passed. A text that failed is told again to
// a person alone: to tell it is all that git brew can do, and counts.
func (s *Pipelines) RetryHooks(ctx context.Context, id task.ID) (task.Task, error) {
	t, err := s.Records.Task(ctx, id)
	if err != nil {
		return t, err
	}
	open := t.OpenHooks()
	switch {
	case len(open) == 0:
		return t, nothingOpen()
	case s.Clone.Caller.InHook != "":
		return t, clone.Refuse("do it when the hook has ended", "a hook (%s) can't run others", s.Clone.Caller.InHook)
	}
	if err := s.Locks.MayAct(ctx, id); err != nil {
		return t, err
	}
	for _, h := range open {
		if h.TextFailed() {
			if err := s.forPeopleOpen(t); err != nil {
				return t, err
			}
		}
		p, ok := pointOf(t, h)
		if !ok {
			return t, clone.Refuse("'git brew pipeline skip -m WHY' passes it over", "%s is no hook that this git-brew runs",
				h.Name())
		}
		if s.Clone.DryRun() {
			for _, run := range h.Runs {
				s.noteHook(p, pipeline.Inline, run, true)
			}
			continue
		}
		if t, err = s.settle(ctx, id, p, h); err != nil {
			return t, err
		}
		if _, stopped := s.HookStopped(); stopped {
			break
		}
	}
	return t, nil
}

// pointOf is the side of a step that a record tells of.
func pointOf(t task.Task, h task.StepHooks) (hookPoint, bool) {
	phase, of := t.Phase(h.Phase)
	for _, row := range StepTable() {
		if row.Step == h.Step && (row.phase != nil) == of {
			return hookPoint{row: row, when: pipeline.When(h.When), phase: phase, of: h.Phase}, true
		}
	}
	return hookPoint{}, false
}

// SkipHooks passes over what failed behind steps, for a reason. An agent can't: a
// required hook is what a person asked for.
func (s *Pipelines) SkipHooks(ctx context.Context, id task.ID, reason string) (task.Task, []string, error) {
	var passed []string
	t, err := s.Engine.Update(ctx, id, func(ctx context.Context, c *change.Tx) error {
		passed = nil
		open := c.Task.OpenHooks()
		if len(open) == 0 {
			return nothingOpen()
		}
		if err := s.forPeopleOpen(c.Task); err != nil {
			return err
		}
		for _, h := range open {
			if err := c.Do(ctx, change.Op(task.OpHookSkip, task.HookSkipPayload{Record: h.UID, Reason: reason})); err != nil {
				return err
			}
			passed = append(passed, h.Name())
		}
		return nil
	})
	return t, passed, err
}

// forPeopleOpen refuses to an agent what passes over a hook.
func (s *Pipelines) forPeopleOpen(t task.Task) error {
	return s.Clone.Caller.ForPeople("pass over what is required: "+route.Next(t).Reason,
		s.OpenHooksHint(t.OpenHooks()[0].TextFailed()))
}

func nothingOpen() error {
	return clone.Refuse("see 'git brew next'", "no failed hook holds up the task")
}

// HookFailedRequest says that a text that is followed around a step did not work
// out.
type HookFailedRequest struct {
	// Hook is the side and the step, as post-execute; Phase by its shown id.
	Hook, Phase, Reason string
}

// HookFailed records that a workflow around a step failed, as whoever followed
// it says. Git brew runs no text: so it can't see that itself.
func (s *Pipelines) HookFailed(ctx context.Context, id task.ID, r HookFailedRequest) (task.Task, error) {
	t, err := s.Records.Task(ctx, id)
	if err != nil {
		return t, err
	}
	var phase task.Phase
	if r.Phase != "" {
		if phase, err = t.FindPhase(r.Phase); err != nil {
			return t, err
		}
	}
	p, err := s.soundPipeline(ctx)
	if err != nil {
		return t, err
	}
	when, step, _ := strings.Cut(r.Hook, "-")
	if side, ok := pointOf(t, task.StepHooks{Step: step, Phase: phase.UID, When: when}); ok {
		for _, h := range s.hooksOf(p, side) {
			if h.Kind == pipeline.KindWorkflow {
				return s.recordHooks(ctx, id, side.payload([]task.HookRun{{
					Hook: h.Path, Kind: string(h.Kind), Optional: h.Optional, Outcome: task.HookFailed, Detail: r.Reason,
				}}))
			}
		}
	}
	return t, clone.Refuse("see 'git brew pipeline show'", "no workflow is followed at %s", fmt.Sprintf("%.64q", r.Hook))
}
