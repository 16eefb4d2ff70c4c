package steps

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"github.com/git-brew/git-brew/internal/app/change"
	"github.com/git-brew/git-brew/internal/app/config"
	"github.com/git-brew/git-brew/internal/pipeline"
	"github.com/git-brew/git-brew/internal/task"
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
	err = s.Clone.Repo.Exclusive(ctx, "hooks-"+filepath.Base(s.Clone.Repo.GitDir()), patience, func() error {
		record := p.payload(nil)
		record.Record = h.UID
		if record.Runs, err = s.runDue(ctx, id, p, h); err != nil {
			return err
		}
		after, err = s.recordHooks(ctx, id, record)
		return err
	})
	if err != nil {
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
