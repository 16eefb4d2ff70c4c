package workflow

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/ledger"
	"github.com/git-brew/git-brew/internal/operation"
	"github.com/git-brew/git-brew/internal/pipeline"
	"github.com/git-brew/git-brew/internal/task"
)

// recordDue records what follows the steps that this change ended, before any of
// it runs.
func (c *change) recordDue(ctx context.Context) error {
	if c.around == nil {
		return nil
	}
	for i, side := range c.around.ended {
		uid, err := operation.NewID(c.s.random)
		if err != nil {
			return err
		}
		c.around.ended[i].record = uid
		payload := side.payload()
		payload.Runs = append(slices.Clone(side.gone), dueRuns(side.hooks)...)
		err = c.retelling(ctx, func() error { return c.Do(ctx, ledger.Draft{ID: uid, Kind: task.OpStepHook, Payload: payload}) })
		if err != nil {
			return err
		}
	}
	return nil
}

// payload names the side in a record.
func (s side) payload() task.StepHookPayload {
	return task.StepHookPayload{Step: s.row.Step, Phase: s.of, When: string(s.when), Record: s.record}
}

func dueRuns(hooks []pipeline.Around) []task.HookRun {
	var runs []task.HookRun
	for _, h := range hooks {
		runs = append(runs, task.HookRun{Hook: h.Path, Kind: string(h.Kind), Optional: h.Optional, Outcome: task.HookDue})
	}
	return runs
}

// after runs what is due after the steps that a change ended, and records it.
// After is the state as the change left it.
func (a *around) after(ctx context.Context, after task.Task) (task.Task, error) {
	if len(a.ended) == 0 {
		return after, nil
	}
	set, err := a.s.Settings(ctx)
	if err != nil {
		return after, err
	}
	err = a.s.alone(ctx, min(hooksPatience, set.Period(KeyHookTimeout)/2), func() error {
		for _, side := range a.ended {
			recorded, err := a.s.settle(ctx, a.id, side)
			if err != nil {
				return err
			}
			after = recorded
		}
		return nil
	})
	if errors.Is(err, errHooksRun) {
		err = fmt.Errorf("the state is saved, and what follows %s waits for what follows another step and runs just now in this work tree; 'git brew pipeline retry' runs it then", stepWords(a.ended[0]))
	}
	return after, err
}

// settle runs what is due after a step, and records how it came out, beside what
// is gone. What was cut off stays due.
func (s *Service) settle(ctx context.Context, id task.ID, side side) (task.Task, error) {
	for _, r := range side.gone {
		s.hooksDone = append(s.hooksDone, HookDone{Step: side.row.Step, Phase: side.phase.ID, When: side.when, Mode: pipeline.Inline, HookRun: r})
	}
	record, err := s.runProved(ctx, id, side)
	ran := len(record.Runs)
	left := dueRuns(side.hooks[ran:])
	record.Runs = append(slices.Clone(side.gone), record.Runs...)
	if err == nil { // what was to come behind a failure is due still, as far as it is required
		record.Runs = append(record.Runs, slices.DeleteFunc(left, func(r task.HookRun) bool { return r.Optional })...)
		return s.recordHooks(ctx, id, record)
	}
	if ran > 0 {
		record.Runs = append(record.Runs, left...)
		if t, recording := s.recordHooks(background(ctx), id, record); recording != nil {
			return t, recording
		}
	}
	return task.Task{}, fmt.Errorf("the state is saved, and what follows %s did not run to its end ('git brew pipeline retry' runs it again): %w", stepWords(side), err)
}

// hooksPatience is how long at most hooks after a step wait for those of another
// process in the same work tree: an agent's client ends a command after two
// minutes. What a hook starts without the environment that it was given waits for
// that hook itself, and so no longer than half of the time that a hook has.
const hooksPatience = time.Minute

// errHooksRun says that somebody runs hooks in this work tree: those that were to run
// did not.
var errHooksRun = errors.New("what follows another step runs just now in this work tree")

// alone runs hooks after steps while nobody else in this work tree does: run once, or,
// with errHooksRun, not at all. What run itself could not lock is its own error.
func (s *Service) alone(ctx context.Context, patience time.Duration, run func() error) error {
	name, began := "hooks-"+filepath.Base(s.repo.GitDir()), false
	for _, wait := range []time.Duration{0, patience} {
		done := func() {}
		if wait > 0 {
			done = s.waits("waiting for what follows another step")
		}
		err := s.repo.Exclusive(ctx, name, wait, func() error {
			done()
			began = true
			return run()
		})
		done()
		switch {
		case began || !errors.Is(err, gitstore.ErrLocked):
			return err
		case patience <= 0:
			return errHooksRun
		}
	}
	return errHooksRun
}

// recordHooks records what became of hooks. A failure that is on record as it is
// is not recorded twice.
func (s *Service) recordHooks(ctx context.Context, id task.ID, record task.StepHookPayload) (task.Task, error) {
	return s.changeAlone(ctx, id, nil, func(ctx context.Context, c *change) error {
		if !record.TellsNew(c.Task) {
			return nil
		}
		return c.retelling(ctx, func() error { return c.do(ctx, task.OpStepHook, record) })
	})
}

// retelling changes what a task that has ended knows of hooks, and with that what
// its final report says of them, as long as that is git brew's.
func (c *change) retelling(ctx context.Context, do func() error) error {
	was := c.Task
	if err := do(); err != nil || !c.Task.Status.Terminal() || !c.Task.HasDoc(task.DocFinal) {
		return err
	}
	report, there := taskTexts{c.tx}.Text(was.Docs[task.DocFinal].OID)
	if !there {
		return nil
	}
	if now, ours := task.RetellHooks(string(report), was, c.Task); ours {
		return c.setText(ctx, task.DocFinal, []byte(now))
	}
	return nil
}
