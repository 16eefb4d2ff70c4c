package rules

import (
	"fmt"
	"slices"

	"github.com/git-brew/git-brew/internal/task"
)

// recordHooks keeps what became of hooks; where there are many records, one that holds
// nothing up makes room.
func recordHooks(e *editor, p task.StepHookPayload) error {
	if p.Phase != "" && e.t.PhaseIndex(p.Phase) < 0 {
		return noPhase(p.Phase)
	}
	h := p.AsRecord(e.op.ID)
	h.At = e.at
	all := slices.Clone(e.t.StepHooks)
	i := slices.IndexFunc(all, h.SameSide)
	if i >= 0 {
		h = all[i].Updated(h, p.Record)
	}
	if err := task.Check(h); err != nil {
		return err
	}
	switch {
	case len(h.Runs) == 0:
		return task.Refuse(task.CodeInvalid, "no hook ran", "")
	case i >= 0:
		all[i] = h
		e.t.StepHooks = all
		return nil
	case len(all) >= task.MaxStepHooks:
		spare := slices.IndexFunc(all, func(h task.StepHooks) bool { return !e.t.HookOpen(h) })
		if spare < 0 {
			return task.Refuse(task.CodeTaskState, fmt.Sprintf("%d failed hooks hold up the task", len(all)),
				"see 'git brew next'")
		}
		all = slices.Delete(all, spare, spare+1)
	}
	e.t.StepHooks = append(all, h)
	return nil
}

func skipHook(e *editor, p task.HookSkipPayload) error {
	if err := noReason("skipping a failed hook", p.Reason); err != nil {
		return err
	}
	i := task.HookRecord(e.t, p.Record)
	if i < 0 || !e.t.HookOpen(e.t.StepHooks[i]) {
		return task.Refuse(task.CodeTaskState, "no failed hook holds up the task", "see 'git brew next'")
	}
	e.t.StepHooks = slices.Clone(e.t.StepHooks)
	e.t.StepHooks[i].Skipped = p.Reason
	return nil
}
