package rules

import (
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/operation"
	"github.com/git-brew/git-brew/internal/task"
)

func applyStepHook(e *editor, op operation.Operation, p task.StepHookPayload) bool {
	h := p.AsRecord(op.ID)
	h.At = task.CleanTime(op.At)
	all := slices.Clone(e.t.StepHooks)
	i := slices.IndexFunc(all, h.SameSide)
	if i >= 0 {
		h = all[i].Updated(h, p.Record)
	}
	switch {
	case !h.Valid() || p.Phase != "" && e.t.PhaseIndex(p.Phase) < 0:
		return false
	case i >= 0:
		all[i] = h
		e.t.StepHooks = all
		return true
	case len(all) >= task.MaxStepHooks:
		spare := slices.IndexFunc(all, func(h task.StepHooks) bool { return !e.t.HookOpen(h) })
		if spare < 0 {
			return false
		}
		all = slices.Delete(all, spare, spare+1)
	}
	e.t.StepHooks = append(all, h)
	return true
}

func applyHookSkip(e *editor, _ operation.Operation, p task.HookSkipPayload) bool {
	i := task.HookRecord(e.t, p.Record)
	if i < 0 || !e.t.HookOpen(e.t.StepHooks[i]) || !task.Paragraph(p.Reason, task.MaxReason) {
		return false
	}
	e.t.StepHooks = slices.Clone(e.t.StepHooks)
	e.t.StepHooks[i].Skipped = p.Reason
	return true
}

func checkStepHook(t task.Task, p task.StepHookPayload) error {
	if p.Phase != "" && t.PhaseIndex(p.Phase) < 0 {
		return task.ErrNoPhase
	}
	if !p.AsRecord(operation.ID(strings.Repeat("0", 32))).Valid() {
		return task.Refuse(task.CodeInvalid, "what hooks said can't be recorded like that", "")
	}
	return nil
}

func checkHookSkip(t task.Task, p task.HookSkipPayload) error {
	if strings.TrimSpace(p.Reason) == "" {
		return task.Refuse(task.CodeInvalid, "skipping a failed hook needs a reason", "give -m WHY")
	}
	if i := task.HookRecord(t, p.Record); i < 0 || !t.HookOpen(t.StepHooks[i]) {
		return task.Refuse(task.CodeTaskState, "no failed hook holds up the task", "see 'git brew next'")
	}
	return task.CheckReason(p.Reason)
}
