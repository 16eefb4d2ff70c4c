package workflow

import (
	"context"
	"fmt"
	"slices"

	"github.com/git-brew/git-brew/internal/pipeline"
	"github.com/git-brew/git-brew/internal/task"
)

// RetryHooks runs what failed behind steps again, the first failure first, up to
// one that fails again.
func (s *Service) RetryHooks(ctx context.Context, id task.ID) (task.Task, error) {
	t, err := s.Task(ctx, id)
	if err != nil {
		return t, err
	}
	open := t.OpenHooks()
	if len(open) == 0 {
		return t, nothingOpen()
	}
	if s.caller.InHook != "" {
		return t, refuse("do it when the hook has ended", "a hook (%s) can't run others", s.caller.InHook)
	}
	p, err := s.soundPipeline(ctx)
	if err != nil {
		return t, err
	}
	for _, h := range open {
		side, ok := sideOf(t, h)
		if !ok {
			return t, refuse("'git brew pipeline skip --reason WHY' passes it over", "%s is no hook that this git-brew runs", h.Name())
		}
		hooks := s.hooksOf(p, side)
		if s.Rehearses() {
			s.wouldRun(side, hooks)
			continue
		}
		record, err := s.runHooks(ctx, id, side, hooks)
		if err != nil {
			return t, err
		}
		if len(record.Runs) == 0 { // nothing is to run there any more
			t, err = s.skipHook(ctx, id, h.UID, "the pipeline has no such hook any more")
		} else {
			t, err = s.recordHooks(ctx, id, record)
		}
		if _, stopped := s.HookStopped(); err != nil || stopped {
			return t, err
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

// SkipHooks passes over what failed behind steps, for a reason.
func (s *Service) SkipHooks(ctx context.Context, id task.ID, reason string) (task.Task, []string, error) {
	var passed []string
	t, err := s.changeAlone(ctx, id, nil, func(ctx context.Context, c *change) error {
		passed = nil
		open := c.Task.OpenHooks()
		if len(open) == 0 {
			return nothingOpen()
		}
		for _, h := range open {
			if err := c.do(ctx, task.OpHookSkip, task.HookSkipPayload{Record: h.UID, Reason: reason}); err != nil {
				return err
			}
			passed = append(passed, h.Name())
		}
		return nil
	})
	return t, passed, err
}

func (s *Service) skipHook(ctx context.Context, id task.ID, record task.UID, reason string) (task.Task, error) {
	return s.changeAlone(ctx, id, nil, func(ctx context.Context, c *change) error {
		return c.do(ctx, task.OpHookSkip, task.HookSkipPayload{Record: record, Reason: reason})
	})
}

func nothingOpen() error {
	return refuse("see 'git brew next'", "no hook that failed is waited for")
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
				return s.recordHooks(ctx, id, task.StepHookPayload{Step: row.Step, Phase: phase.UID, When: string(when), Runs: []task.HookRun{run}})
			}
		}
	}
	return t, refuse("see 'git brew pipeline show'", "there is no workflow %s", fmt.Sprintf("%.64q", r.Hook))
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
