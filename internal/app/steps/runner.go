// Package steps runs the pipeline: what stands before and after the steps of a task. Its
// Runner observes changes.
package steps

import (
	"context"
	"fmt"
	"slices"

	"github.com/git-brew/git-brew/internal/app/change"
	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/ledger"
	"github.com/git-brew/git-brew/internal/pipeline"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/route"
)

// Pipelines runs what stands around the steps of a task.
type Pipelines struct {
	*change.Engine
	hooksDone []HookDone // what ran around steps so far
}

// Runner runs the hooks around the steps that changes of tasks begin and end. It
// observes the changes: nothing is held while hooks run.
//
//   - What runs before a step runs before the change that begins it, and is recorded.
//     Where a required hook does not do its part, the step does not begin.
//   - What follows a step is recorded as due by the change that ends it: whatever comes
//     in between, the pipeline waits for it. Then it runs, and the record says how it
//     came out.
type Runner struct{ *Pipelines }

// hookPoint is one side of a step of a task, for a phase where it is one of a phase's.
type hookPoint struct {
	row   StepRow
	when  pipeline.When
	phase task.Phase // as it is now; zero for none
	// of is the phase that a record names: what runs before a fix phase runs
	// before that is made, and is recorded of the phase that it repairs.
	of task.UID
}

func (p hookPoint) name() string { return string(p.when) + "-" + p.row.Step }

func (p hookPoint) stepWords() string {
	if p.phase.ID == "" {
		return p.row.Step
	}
	return fmt.Sprintf("%s of phase %s", p.row.Step, p.phase.ID)
}

func (p hookPoint) payload(runs []task.HookRun) task.StepHookPayload {
	return task.StepHookPayload{Step: p.row.Step, Phase: p.of, When: string(p.when), Runs: runs}
}

// pointsOf are the sides of steps that a transition is: what it begins, what it ends.
func pointsOf(t change.Transition) ([]hookPoint, error) {
	if t.Kind == task.OpUndo || t.Kind == task.OpUndoOpen {
		return nil, nil // no step is taken by that
	}
	a, err := newApplied(t.Kind, t.Payload, t.Before, t.After)
	if err != nil {
		return nil, err
	}
	var all []hookPoint
	for _, row := range StepTable() {
		p := hookPoint{row: row}
		if row.phase != nil {
			p.phase, _ = a.after.Phase(row.phase(a))
			p.of = p.phase.UID
		}
		if row.ends(a) {
			p.when = pipeline.Post
			all = append(all, p)
		}
		if row.begins(a) {
			p.when = pipeline.Pre
			if _, there := t.Change.Found.Phase(p.of); !there {
				p.of = p.phase.Parent
			}
			all = append(all, p)
		}
	}
	return all, nil
}

func (r Runner) Before(ctx context.Context, t change.Transition) error {
	points, err := pointsOf(t)
	for _, p := range points {
		if err != nil {
			break
		}
		if p.when == pipeline.Pre {
			err = r.begin(ctx, t, p)
		} else {
			err = r.end(ctx, t, p)
		}
	}
	return err
}

// begin refuses a step that can't begin, and has what is before it run.
func (r Runner) begin(ctx context.Context, t change.Transition, p hookPoint) error {
	if err := r.Pipelines.HeldUp(t.Change.Found); err != nil {
		return err
	}
	in, err := r.Pipelines.soundPipeline(ctx)
	if err != nil {
		return err
	}
	step, why := in.step(p.row)
	if why != "" {
		return clone.Refuse("'git brew pipeline check' says what there is", "%s", why)
	}
	w, err := r.Pipelines.stepWorkflow(ctx, step)
	if err != nil {
		return err
	}
	if w.Problem != "" {
		return clone.Refuse("'git brew next' shows how the step is taken, 'git brew trust list' what waits for the user",
			"%s does not begin: its workflow %s %s", p.stepWords(), w.Path, w.Problem)
	}
	hooks, err := r.Pipelines.toRun(in, p)
	switch {
	case err != nil || len(hooks) == 0:
		return err
	case t.Change.Heard: // a prompt waits for no program
		return clone.Refuse("the user approves it with 'git brew phase approve "+p.phase.ID+"', in a terminal",
			"the pipeline runs something before the %s", p.stepWords())
	}
	return t.First(p.name()+" "+string(p.of), func(ctx context.Context) error {
		return r.runBefore(ctx, t.Change.ID, p, hooks)
	})
}

// runBefore runs what is before a step, and records it.
func (r Runner) runBefore(ctx context.Context, id task.ID, p hookPoint, hooks []pipeline.Around) error {
	var runs []task.HookRun
	for _, h := range hooks {
		run, err := r.Pipelines.runHook(ctx, id, p, h)
		if err != nil {
			return err
		}
		if runs = append(runs, run); run.Stops() {
			break
		}
	}
	if _, err := r.Pipelines.recordHooks(ctx, id, p.payload(runs)); err != nil {
		return err
	}
	if last := runs[len(runs)-1]; last.Stops() {
		return clone.Refuse(hookHint(last), "%s does not begin: %s", p.stepWords(), hookWords(last))
	}
	return nil
}

// end records what is due after a step.
func (r Runner) end(ctx context.Context, t change.Transition, p hookPoint) error {
	in, err := r.Pipelines.soundPipeline(ctx)
	if err != nil {
		return err
	}
	hooks, err := r.Pipelines.toRun(in, p)
	if err != nil || len(hooks) == 0 {
		return err
	}
	var due []task.HookRun
	for _, h := range hooks {
		due = append(due, task.HookRun{Hook: h.Path, Kind: string(h.Kind), Optional: h.Optional, Outcome: task.HookDue})
	}
	return t.Change.Do(ctx, ledger.Draft{Kind: task.OpStepHook, Payload: p.payload(due)})
}

// toRun are the hooks on one side of a step. None run in a dry run, which notes them, and
// none inside of a hook: what it begins would run the hook again, and so on.
func (s *Pipelines) toRun(in Pipeline, p hookPoint) ([]pipeline.Around, error) {
	hooks := s.hooksOf(in, p)
	switch {
	case len(hooks) == 0:
		return nil, nil
	case s.Clone.Caller.InHook != "":
		return nil, clone.Refuse("do it when the hook has ended",
			"a hook (%s) can't begin or end the step %s, which has hooks of its own", s.Clone.Caller.InHook, p.row.Step)
	case s.Clone.DryRun():
		for _, h := range hooks {
			run := task.HookRun{Hook: h.Path, Kind: string(h.Kind), Optional: h.Optional}
			s.noteHook(p, h.Mode, run, true)
		}
		return nil, nil
	}
	return hooks, nil
}

func (s *Pipelines) hooksOf(in Pipeline, p hookPoint) []pipeline.Around {
	all := in.Config.Around(p.row.Pipeline, p.row.Step, s.hasFile)
	return slices.DeleteFunc(all, func(h pipeline.Around) bool { return h.When != p.when })
}

// soundPipeline is the pipeline that is in force, or why no step can be taken.
func (s *Pipelines) soundPipeline(ctx context.Context) (Pipeline, error) {
	p, err := s.Pipeline(ctx)
	if why := p.Broken(); err == nil && why != "" {
		err = clone.Refuse("mend it; 'git brew pipeline check' says all that is wrong",
			"no step can be taken with this pipeline: %s", why)
	}
	return p, err
}

// HeldUp refuses what nobody does before a record of hooks is settled.
func (s *Pipelines) HeldUp(t task.Task) error {
	open := t.OpenHooks()
	if len(open) == 0 {
		return nil
	}
	return clone.Refuse(s.OpenHooksHint(open[0].TextFailed()), "%s holds up the task: %s", open[0].Name(),
		route.Next(t).Reason)
}

// OpenHooksHint says what to do about hooks that failed when they ran, or about a text
// that did not work out: an agent can't have that told again.
func (s *Pipelines) OpenHooksHint(text bool) string {
	switch {
	case !s.Clone.Caller.Agent():
		return "mend it and 'git brew pipeline retry', or 'git brew pipeline skip -m WHY'"
	case text:
		return "only the user passes it over"
	}
	return "mend it and 'git brew pipeline retry'; only the user passes it over"
}
