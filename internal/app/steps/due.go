package steps

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/git-brew/git-brew/internal/app/change"
	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/app/config"
	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/pipeline"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/route"
)

// After runs what is due after the steps that a change ended. Where a prompt is all
// that made the change, it stays due.
func (r Runner) After(ctx context.Context, t change.Transition) error {
	points, err := pointsOf(t)
	if err != nil || t.Change.Heard {
		return err
	}
	for _, p := range points {
		h, there := t.Change.Task.HooksAt(p.row.Step, p.of, task.HookPost)
		if p.when != pipeline.Post || !there || !slices.ContainsFunc(h.Runs, notDone) {
			continue
		}
		if t.Change.Task, err = r.Pipelines.settle(ctx, t.Change.ID, p, h); err != nil {
			return err
		}
	}
	return nil
}

func notDone(r task.HookRun) bool { return r.Stops() || r.Outcome == task.HookDue }

// hooksPatience is how long what follows a step waits for what follows another one in
// the same work tree: an agent's client ends a command after two minutes. A hook that
// starts one without its environment waits for itself, for half of its time at most.
const hooksPatience = time.Minute

// settle runs what a record says is due after a step, up to the first required hook
// that does not do its part, and records how it came out. What is cut off stays due.
func (s *Pipelines) settle(ctx context.Context, id task.ID, p hookPoint,
	h task.StepHooks,
) (after task.Task, err error) {
	set, err := s.Config.Settings(ctx)
	if err != nil {
		return after, err
	}
	patience := min(hooksPatience, set.Period(config.KeyHookTimeout)/2)
	began := false
	err = s.Clone.Repo.Exclusive(ctx, "hooks-"+filepath.Base(s.Clone.Repo.GitDir), patience, func() error {
		began = true
		record := p.payload(nil)
		record.Record = h.UID
		if record.Runs, err = s.runDue(ctx, id, p, h); err != nil {
			return err
		}
		after, err = s.recordHooks(ctx, id, record)
		return err
	})
	switch {
	case !began && errors.Is(err, gitstore.ErrLocked):
		err = fmt.Errorf("the state is saved, and what follows %s waits for other hooks that run in this work tree; "+
			"'git brew pipeline retry' runs it then", p.stepWords())
	case err != nil:
		err = fmt.Errorf("the state is saved, and what follows %s did not run to its end "+
			"('git brew pipeline retry' runs it again): %w", p.stepWords(), err)
	}
	return after, err
}

// runDue runs the hooks that a record names, as the pipeline has them now: what is
// required there is required still, and what is not there any more is gone.
func (s *Pipelines) runDue(ctx context.Context, id task.ID, p hookPoint, h task.StepHooks) ([]task.HookRun, error) {
	in, err := s.soundPipeline(ctx)
	if err != nil {
		return nil, err
	}
	hooks := s.hooksOf(in, p)
	var runs []task.HookRun
	stopped := false
	for _, due := range h.Runs {
		i := slices.IndexFunc(hooks, func(h pipeline.Around) bool { return h.Path == due.Hook })
		run := task.HookRun{Hook: due.Hook, Kind: due.Kind, Optional: due.Optional, Outcome: task.HookDue}
		switch {
		case due.Optional && (stopped || i < 0):
			continue
		case stopped:
		case i < 0:
			run.Outcome, run.Detail = task.HookMissing, "it is gone, and neither a file nor the pipeline has it any more"
			s.noteHook(p, pipeline.Inline, run, false)
		default:
			hook := hooks[i]
			hook.Optional, hooks = due.Optional, slices.Delete(hooks, i, i+1)
			if run, err = s.runHook(ctx, id, p, hook); err != nil {
				return nil, err
			}
		}
		stopped = stopped || run.Stops()
		runs = append(runs, run)
	}
	return runs, nil
}

// recordHooks records what became of hooks. A failure that is on record as it is
// is not recorded twice.
func (s *Pipelines) recordHooks(ctx context.Context, id task.ID, record task.StepHookPayload) (task.Task, error) {
	return s.Engine.Update(ctx, id, func(ctx context.Context, c *change.Tx) error {
		if len(record.Runs) == 0 || !record.TellsNew(c.Task) {
			return nil
		}
		return c.Do(ctx, change.Op(task.OpStepHook, record))
	})
}

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
