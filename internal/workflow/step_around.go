package workflow

import (
	"context"
	"errors"
	"fmt"

	"github.com/git-brew/git-brew/internal/ledger"
	"github.com/git-brew/git-brew/internal/pipeline"
	"github.com/git-brew/git-brew/internal/task"
)

// Hooks run around a change of a task, and never inside of it: nothing is held
// while they run, and what they run for is decided anew afterwards.
//
//   - A change that is about to begin a step stops once that is known to be
//     allowed, with nothing written (*hooksDueError).
//   - What runs before the step runs, and is recorded. Where a required hook
//     does not do its part, the step does not begin.
//   - The change is made again, on the state as it is now. Where it comes to
//     another step by that, the hooks of that one are due, and so on.
//   - What runs after the steps that it ended runs, and is recorded. The state
//     is saved by then: a required hook that does not do its part holds up what
//     begins next.

// side is one side of a step of a task, for a phase where it is one of a phase's.
type side struct {
	row   StepRow
	when  pipeline.When
	phase task.Phase // as it is now; zero for none
	// of is the phase that a record names: what runs before a fix phase runs
	// before that is made, and is recorded of the phase that it repairs.
	of task.UID
}

func (s side) key() string { return string(s.when) + " " + s.row.Step + " " + string(s.phase.UID) }

// around keeps, for one change of a task, what ran around it.
type around struct {
	s     *Service
	id    task.ID
	ran   map[string]bool // the sides that ran before it, by key
	ended []side          // of the last try
	began task.Task       // the state that the last try began with
}

// hooksDueError ends a change that begins a step whose hooks did not run yet.
type hooksDueError struct{ side side }

func (e *hooksDueError) Error() string { return "hooks run before " + e.side.row.Step }

// maxSides is how many steps one change may come to begin, one after another,
// while others change the task.
const maxSides = 20

// changeAround makes a change with the hooks around the steps that it begins and
// ends.
func (s *Service) changeAround(ctx context.Context, id task.ID, make func(ctx context.Context, a *around) (task.Task, error)) (task.Task, error) {
	a := &around{s: s, id: id, ran: map[string]bool{}}
	for range maxSides {
		after, err := make(ctx, a)
		due, waits := errors.AsType[*hooksDueError](err)
		switch {
		case waits:
			if err := a.before(ctx, due.side); err != nil {
				return task.Task{}, err
			}
		case err != nil:
			return after, err
		default:
			return a.after(ctx, after)
		}
	}
	return task.Task{}, refuse("try again", "the task keeps changing while hooks run")
}

// anew: the change is decided again, on a state.
func (a *around) anew(t task.Task) {
	if a != nil {
		a.ended, a.began = nil, t
	}
}

// did looks at an operation that was staged: what it begins must have been
// prepared, what it ends is kept for later.
func (a *around) did(ctx context.Context, drafts []ledger.Draft, before, after task.Task) error {
	if a == nil {
		return nil
	}
	for _, draft := range drafts {
		d, err := newDeed(draft.Kind, draft.Payload, before, after)
		if err != nil {
			return err
		}
		for _, row := range StepTable() {
			var begins, ends side
			if row.begins(d) {
				begins = newSide(row, pipeline.Pre, d)
				if _, there := a.began.Phase(begins.of); !there {
					begins.of = begins.phase.Parent
				}
				if err := a.begin(ctx, begins, before); err != nil {
					return err
				}
			}
			if row.ends(d) {
				ends = newSide(row, pipeline.Post, d)
				if err := a.end(ctx, ends); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

func newSide(row StepRow, when pipeline.When, d deed) side {
	s := side{row: row, when: when}
	if row.phase != nil {
		s.phase, _ = d.after.Phase(row.phase(d))
		s.of = s.phase.UID
	}
	return s
}

func (a *around) begin(ctx context.Context, side side, before task.Task) error {
	if a.ran[side.key()] {
		return nil
	}
	if open := before.OpenHooks(); len(open) > 0 {
		return refuse("mend it and 'git brew pipeline retry', or 'git brew pipeline skip --reason WHY'", "%s is waited for: %s", open[0].Name(), task.Next(before).Reason)
	}
	p, err := a.s.soundPipeline(ctx)
	if err != nil {
		return err
	}
	step, found := p.Config.Locate(side.row.Pipeline, side.row.Step)
	if !found && !side.row.outsideOfJSON {
		return refuse("'git brew pipeline check' says what there is", "the pipeline (%s) has no step %s in %s", p.From, side.row.Step, side.row.Pipeline)
	}
	w, err := a.s.stepWorkflow(ctx, step)
	if err != nil {
		return err
	}
	if w.Problem != "" {
		return refuse("'git brew next' shows how the step is taken, 'git brew trust list' what waits for the user", "%s does not begin: its workflow %s %s", stepWords(side), w.Path, w.Problem)
	}
	if due, err := a.due(p, side); err != nil || !due {
		return err
	}
	return &hooksDueError{side}
}

func (a *around) end(ctx context.Context, side side) error {
	p, err := a.s.soundPipeline(ctx)
	if err != nil {
		return err
	}
	due, err := a.due(p, side)
	if due {
		a.ended = append(a.ended, side)
	}
	return err
}

// due reports whether there is something to run on a side of a step. In a dry
// run it is only noted.
func (a *around) due(p Pipeline, side side) (bool, error) {
	hooks := a.s.hooksOf(p, side)
	if len(hooks) == 0 {
		return false, nil
	}
	if err := a.s.mayRunHooks(side); err != nil {
		return false, err
	}
	if a.s.Rehearses() {
		a.s.wouldRun(side, hooks)
		return false, nil
	}
	return true, nil
}

// soundPipeline is the pipeline that is in force, or why no step can be taken.
func (s *Service) soundPipeline(ctx context.Context) (Pipeline, error) {
	p, err := s.Pipeline(ctx)
	if err != nil {
		return p, err
	}
	if why := p.Broken(); why != "" {
		return p, refuse("mend it; 'git brew pipeline check' says all that is wrong", "no step can be taken with this pipeline: %s", why)
	}
	return p, nil
}

// hooksOf are the hooks on one side of a step.
func (s *Service) hooksOf(p Pipeline, side side) []pipeline.Around {
	var all []pipeline.Around
	for _, h := range p.Config.Around(side.row.Pipeline, side.row.Step, s.filesHere().has) {
		if h.When == side.when {
			all = append(all, h)
		}
	}
	return all
}

// mayRunHooks refuses a step with hooks to what runs inside a hook: what it
// begins would run the hook again, and so on.
func (s *Service) mayRunHooks(side side) error {
	if s.caller.InHook == "" {
		return nil
	}
	return refuse("do it when the hook has ended", "a hook (%s) can't begin or end the step %s, which has hooks of its own", s.caller.InHook, side.row.Step)
}

// before runs what is due before a step, and records it.
func (a *around) before(ctx context.Context, side side) error {
	a.ran[side.key()] = true
	p, err := a.s.soundPipeline(ctx)
	if err != nil {
		return err
	}
	record, err := a.s.runHooks(ctx, a.id, side, a.s.hooksOf(p, side))
	if err != nil || len(record.Runs) == 0 {
		return err
	}
	if _, err := a.s.recordHooks(ctx, a.id, record); err != nil {
		return err
	}
	for _, r := range record.Runs {
		if r.Stops() {
			return refuse(hookHint(r), "%s does not begin: %s", stepWords(side), hookWords(r))
		}
	}
	return nil
}

// after runs what is due after the steps that a change ended, and records it.
// After is the state as the change left it.
func (a *around) after(ctx context.Context, after task.Task) (task.Task, error) {
	for _, side := range a.ended {
		p, err := a.s.Pipeline(ctx)
		if err != nil {
			return after, err
		}
		record, err := a.s.runHooks(ctx, a.id, side, a.s.hooksOf(p, side))
		if err != nil {
			return after, err
		}
		if len(record.Runs) == 0 {
			continue
		}
		recorded, err := a.s.recordHooks(ctx, a.id, record)
		if err != nil {
			return after, err
		}
		after = recorded
	}
	return after, nil
}

// recordHooks records what became of hooks.
func (s *Service) recordHooks(ctx context.Context, id task.ID, record task.StepHookPayload) (task.Task, error) {
	return s.changeAlone(ctx, id, nil, func(ctx context.Context, c *change) error {
		return c.do(ctx, task.OpStepHook, record)
	})
}

// stepWords name a step for people.
func stepWords(s side) string {
	if s.phase.ID == "" {
		return s.row.Step
	}
	return fmt.Sprintf("%s of phase %s", s.row.Step, s.phase.ID)
}
