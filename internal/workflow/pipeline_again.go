package workflow

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/git-brew/git-brew/internal/pipeline"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/route"
)

// RetryHooks runs what failed behind steps, or was cut off, again: the first one
// first, up to one that fails again. What is not there any more counts as failed:
// that nobody has it is no reason that it passed. A text that failed is told again to
// a person alone: to tell it is all that git brew can do, and counts.
func (s *Service) RetryHooks(ctx context.Context, id task.ID) (task.Task, error) {
	t, err := s.Task(ctx, id)
	if err != nil {
		return t, err
	}
	if len(t.OpenHooks()) == 0 {
		return t, nothingOpen()
	}
	if s.caller.InHook != "" {
		return t, refuse("do it when the hook has ended", "a hook (%s) can't run others", s.caller.InHook)
	}
	if err := s.mayAct(ctx, id); err != nil {
		return t, err
	}
	err = s.alone(ctx, 0, func() error {
		t, err = s.retryHooks(ctx, id)
		return err
	})
	if errors.Is(err, errHooksRun) {
		err = refuse("wait until it has ended; 'git brew next' tells", "what follows a step runs just now")
	}
	return t, err
}

func (s *Service) retryHooks(ctx context.Context, id task.ID) (task.Task, error) {
	t, err := s.Task(ctx, id) // what ran meanwhile is on record
	if err != nil {
		return t, err
	}
	open := t.OpenHooks()
	if len(open) == 0 {
		return t, nothingOpen()
	}
	p, err := s.soundPipeline(ctx)
	if err != nil {
		return t, err
	}
	for _, h := range open {
		if !slices.ContainsFunc(t.OpenHooks(), func(o task.StepHooks) bool { return o.UID == h.UID }) {
			continue // what ran for another record tells of it, too
		}
		if h.TextFailed() {
			if err := s.forPeopleOpen(t); err != nil {
				return t, err
			}
		}
		side, ok := sideOf(t, h)
		if !ok {
			return t, refuse("'git brew pipeline skip -m WHY' passes it over", "%s is no hook that this git-brew runs", h.Name())
		}
		side.hooks, side.record = s.hooksOf(p, side), h.UID
		if s.Rehearses() {
			s.wouldRun(side, side.hooks)
			continue
		}
		side.insist(task.Unmet([]task.StepHooks{h}))
		if t, err = s.settle(ctx, id, side); err != nil {
			return t, err
		}
		if _, stopped := s.HookStopped(); stopped {
			return t, nil
		}
	}
	return t, nil
}

// sideOf is the side of a step that a record tells of.
func sideOf(t task.Task, h task.StepHooks) (side, bool) {
	phase, of := t.Phase(h.Phase)
	for _, row := range StepTable() {
		if row.Step == h.Step && (row.phase != nil) == of {
			return side{row: row, when: pipeline.When(h.When), phase: phase, of: h.Phase}, true
		}
	}
	return side{}, false
}

// SkipHooks passes over what failed behind steps, for a reason. An agent can't: a
// required hook is what a person asked for.
func (s *Service) SkipHooks(ctx context.Context, id task.ID, reason string) (task.Task, []string, error) {
	var passed []string
	t, err := s.changeAlone(ctx, id, nil, func(ctx context.Context, c *change) error {
		passed = nil
		open := c.Task.OpenHooks()
		if len(open) == 0 {
			return nothingOpen()
		}
		if err := s.forPeopleOpen(c.Task); err != nil {
			return err
		}
		return c.retelling(ctx, func() error {
			for _, h := range open {
				if err := c.do(ctx, task.OpHookSkip, task.HookSkipPayload{Record: h.UID, Reason: reason}); err != nil {
					return err
				}
				passed = append(passed, h.Name())
			}
			return nil
		})
	})
	return t, passed, err
}

// forPeopleOpen refuses to an agent what passes over a hook.
func (s *Service) forPeopleOpen(t task.Task) error {
	hint := "mend it and 'git brew pipeline retry', or the user decides"
	if t.OpenHooks()[0].TextFailed() {
		hint = "the user decides, with 'git brew pipeline skip -m WHY'"
	}
	return s.caller.ForPeople("pass over what is required: "+route.Next(t).Reason, hint)
}

func nothingOpen() error {
	return refuse("see 'git brew next'", "no failed hook holds up the task")
}

// HookFailedRequest says that a text that is followed around a step did not work
// out.
type HookFailedRequest struct {
	// Hook is the side and the step, as post-execute; Phase by its shown id.
	Hook, Phase, Reason string
}

// HookFailed records that a workflow around a step failed, as whoever followed
// it says. Git brew runs no text: so it can't see that itself.
func (s *Service) HookFailed(ctx context.Context, id task.ID, r HookFailedRequest) (task.Task, error) {
	t, err := s.Task(ctx, id)
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
	for _, row := range StepTable() {
		if (row.phase != nil) != (r.Phase != "") {
			continue
		}
		for _, when := range []pipeline.When{pipeline.Pre, pipeline.Post} {
			if string(when)+"-"+row.Step != r.Hook {
				continue
			}
			side := side{row: row, when: when, phase: phase, of: phase.UID}
			for _, h := range s.hooksOf(p, side) {
				if h.Kind != pipeline.KindWorkflow {
					continue
				}
				run := task.HookRun{Hook: h.Path, Kind: string(h.Kind), Optional: h.Optional, Outcome: task.HookFailed, Detail: r.Reason}
				side.record = tellsFirst(t, side)
				record := side.payload()
				record.Runs = []task.HookRun{run}
				return s.recordHooks(ctx, id, record)
			}
		}
	}
	if slices.Contains(HookNames(), r.Hook) {
		return t, refuse("see 'git brew pipeline show'", "no hook of %s is a workflow here", r.Hook)
	}
	return t, refuse("see 'git brew pipeline show'", "there is no workflow %s", fmt.Sprintf("%.64q", r.Hook))
}

// tellsFirst is the record after which a text on a side is followed; "" for none, and
// for what comes before a step.
func tellsFirst(t task.Task, side side) task.UID {
	for _, h := range slices.Backward(t.StepHooks) {
		if side.when == pipeline.Post && side.is(h) && h.Settled != task.HooksUndone {
			return h.UID
		}
	}
	return ""
}

// HookNames are the sides of all steps, as post-execute.
func HookNames() []string {
	var names []string
	for _, row := range StepTable() {
		for _, when := range []pipeline.When{pipeline.Pre, pipeline.Post} {
			if name := string(when) + "-" + row.Step; !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
}
