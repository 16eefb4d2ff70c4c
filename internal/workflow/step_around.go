package workflow

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/git-brew/git-brew/internal/ledger"
	"github.com/git-brew/git-brew/internal/pipeline"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/route"
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
//   - What follows the steps that it ended is recorded as due, as a part of the
//     change: whatever comes in between, the pipeline waits for it.
//   - Then it runs, and the record says how it came out. The state is saved by
//     then: a required hook that does not do its part holds up what begins next.

// side is one side of a step of a task, for a phase where it is one of a phase's.
type side struct {
	row   StepRow
	when  pipeline.When
	phase task.Phase // as it is now; zero for none
	// of is the phase that a record names: what runs before a fix phase runs
	// before that is made, and is recorded of the phase that it repairs.
	of task.UID
	// hooks are what runs there, and record what says that they are due, where a
	// change ended the step.
	hooks  []pipeline.Around
	record task.UID
	// gone are hooks that were required there, did not do their part, and were
	// taken away since.
	gone []task.HookRun
	// run is what proves that a process was started by the hooks; see runs.
	run string
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

// hooksRan counts the steps that hooks ran before, for this change: what was looked at
// before they did may have changed.
func (c *change) hooksRan() int {
	if c.around == nil {
		return 0
	}
	return len(c.around.ran)
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
		op, err := newApplied(draft.Kind, draft.Payload, before, after)
		if err != nil {
			return err
		}
		for _, row := range StepTable() {
			var begins, ends side
			if row.begins(op) {
				begins = newSide(row, pipeline.Pre, op)
				if _, there := a.began.Phase(begins.of); !there {
					begins.of = begins.phase.Parent
				}
				if err := a.begin(ctx, begins, before); err != nil {
					return err
				}
			}
			if row.ends(op) {
				ends = newSide(row, pipeline.Post, op)
				if err := a.end(ctx, ends); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

func newSide(row StepRow, when pipeline.When, a applied) side {
	s := side{row: row, when: when}
	if row.phase != nil {
		s.phase, _ = a.after.Phase(row.phase(a))
		s.of = s.phase.UID
	}
	return s
}

func (a *around) begin(ctx context.Context, side side, before task.Task) error {
	if a.ran[side.key()] {
		return nil
	}
	if err := a.s.waitedFor(before); err != nil {
		return err
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
	if due, err := a.due(p, &side); err != nil || !due {
		return err
	}
	return &hooksDueError{side}
}

// waitsFor is a record that no step begins before. What a hook itself starts does
// not wait for that hook.
func (s *Service) waitsFor(t task.Task) (task.StepHooks, bool) {
	for _, h := range t.OpenHooks() {
		if !s.runs(h.UID) {
			return h, true
		}
	}
	return task.StepHooks{}, false
}

// waitedFor refuses what nobody does before a record of hooks is settled.
func (s *Service) waitedFor(t task.Task) error {
	if open, waits := s.waitsFor(t); waits {
		return refuse(s.openHooksHint(open), "%s holds up the task: %s", open.Name(), route.Next(t).Reason)
	}
	return nil
}

// openHooksHint says what to do about a record that is waited for.
func (s *Service) openHooksHint(h task.StepHooks) string {
	if s.caller.agent() && h.TextFailed() {
		return "only the user passes it over"
	}
	return s.OpenHooksHint()
}

// OpenHooksHint says what to do about hooks that failed when they ran.
func (s *Service) OpenHooksHint() string {
	if s.caller.agent() {
		return "mend it and 'git brew pipeline retry'; only the user passes it over"
	}
	return "mend it and 'git brew pipeline retry', or 'git brew pipeline skip -m WHY'"
}

func (a *around) end(ctx context.Context, side side) error {
	p, err := a.s.soundPipeline(ctx)
	if err != nil {
		return err
	}
	due, err := a.due(p, &side)
	if err == nil && !a.s.Rehearses() {
		side.insist(task.Unmet(a.takenBack(side)))
	}
	if due || len(side.gone) > 0 {
		a.ended = append(a.ended, side)
	}
	return err
}

// takenBack are the records of the step before it was taken back, the newest
// first: to do a step again is no way around what failed after it.
func (a *around) takenBack(side side) []task.StepHooks {
	var all []task.StepHooks
	for _, h := range slices.Backward(a.began.StepHooks) {
		if !side.is(h) {
			continue
		}
		if h.Settled != task.HooksUndone {
			break
		}
		all = append(all, h)
	}
	return all
}

// is: a record tells of this side.
func (s side) is(h task.StepHooks) bool {
	return h.Step == s.row.Step && h.Phase == s.of && h.When == string(s.when)
}

// insist holds what is on a side now to what was asked for there when it became
// due: what was required and did not do its part stays required, whatever the
// pipeline says by now, and what is not there any more is gone.
func (s *side) insist(unmet []task.HookRun) {
	for _, r := range unmet {
		there := false
		for i, h := range s.hooks {
			if h.Path == r.Hook {
				s.hooks[i].Optional, there = false, true
			}
		}
		if !there {
			r.Outcome, r.Detail = task.HookMissing, "it is gone, and neither a file nor the pipeline has it any more"
			s.gone = append(s.gone, r)
		}
	}
}

// due reports whether there is something to run on a side of a step. In a dry
// run it is only noted.
func (a *around) due(p Pipeline, side *side) (bool, error) {
	hooks := a.s.hooksOf(p, *side)
	if len(hooks) == 0 {
		return false, nil
	}
	side.hooks = hooks
	if err := a.s.mayRunHooks(*side); err != nil {
		return false, err
	}
	if a.s.Rehearses() {
		a.s.wouldRun(*side, hooks)
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
	record, err := a.s.runHooks(ctx, a.id, side)
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

// stepWords name a step for people.
func stepWords(s side) string {
	if s.phase.ID == "" {
		return s.row.Step
	}
	return fmt.Sprintf("%s of phase %s", s.row.Step, s.phase.ID)
}
