package task

import (
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/operation"
)

// StepHookPayload is what OpStepHook carries: the hooks on one side of a step
// are due, ran, or could not.
type StepHookPayload struct {
	Step  string `json:"step"`
	Phase UID    `json:"phase,omitempty"`
	When  string `json:"when"`
	// Record is the one whose hooks ran once more; "" where the step ended anew.
	Record UID       `json:"record,omitempty"`
	Runs   []HookRun `json:"runs"`
}

// AsRecord is the record that the payload is by itself.
func (p StepHookPayload) AsRecord(uid UID) StepHooks {
	return StepHooks{UID: uid, Step: p.Step, Phase: p.Phase, When: p.When, Runs: p.Runs}
}

// TellsNew reports whether a record would say something that t does not know:
// a failure that is as it was needs no second one.
func (p StepHookPayload) TellsNew(t Task) bool {
	old, there := t.HooksAt(p.Step, p.Phase, p.When)
	h := p.AsRecord("")
	return !there || !h.Failed() || old.Skipped != "" || !slices.Equal(old.Runs, old.updated(h, p.Record).Runs)
}

// HookSkipPayload is what OpHookSkip carries: a failure is passed over.
type HookSkipPayload struct {
	Record UID    `json:"record"`
	Reason string `json:"reason"`
}

// Bounds on what a task keeps of hooks.
const (
	maxStepHooks  = 200 // records
	maxHookRuns   = 16  // of one record
	maxHookPath   = 600
	MaxHookDetail = 2000
)

func applyStepHook(e *editor, op operation.Operation, p StepHookPayload) bool {
	h := p.AsRecord(op.ID)
	h.At = cleanTime(op.At)
	all := slices.Clone(e.t.StepHooks)
	i := slices.IndexFunc(all, h.sameSide)
	if i >= 0 {
		h = all[i].updated(h, p.Record)
	}
	switch {
	case !h.valid() || p.Phase != "" && e.t.phaseIndex(p.Phase) < 0:
		return false
	case i >= 0:
		all[i] = h
		e.t.StepHooks = all
		return true
	case len(all) >= maxStepHooks:
		spare := slices.IndexFunc(all, func(h StepHooks) bool { return !e.t.open(h) })
		if spare < 0 {
			return false
		}
		all = slices.Delete(all, spare, spare+1)
	}
	e.t.StepHooks = append(all, h)
	return true
}

// updated is the record with what is said later, of the same record or of a new end
// of the step. What had to do its part after a step, and did not, has to do it still,
// whether the later word calls it optional or leaves it out.
func (h StepHooks) updated(later StepHooks, of UID) StepHooks {
	again := of == h.UID
	if again {
		later.UID, later.Skipped = h.UID, h.Skipped
	}
	later.Runs = slices.Clone(later.Runs)
	var left []HookRun
	for _, r := range h.Runs {
		if !r.Stops() || h.Skipped != "" && !again {
			continue
		}
		i := slices.IndexFunc(later.Runs, func(is HookRun) bool { return is.Hook == r.Hook })
		switch {
		case i >= 0 && !later.Runs[i].Done():
			later.Runs[i].Optional = false
		case i < 0 && (h.When == HookPost || r.textFailed()):
			left = append(left, r)
		}
	}
	later.Runs = append(left, later.Runs...)
	return later
}

func applyHookSkip(e *editor, _ operation.Operation, p HookSkipPayload) bool {
	i := HookRecord(e.t, p.Record)
	if i < 0 || !e.t.open(e.t.StepHooks[i]) || !paragraph(p.Reason, MaxReason) {
		return false
	}
	e.t.StepHooks = slices.Clone(e.t.StepHooks)
	e.t.StepHooks[i].Skipped = p.Reason
	return true
}

// HookRecord is the place of a record, -1 where there is none.
func HookRecord(t Task, uid UID) int {
	return slices.IndexFunc(t.StepHooks, func(h StepHooks) bool { return h.UID == uid })
}

// valid bounds what a record may hold, whoever made it.
func (h StepHooks) valid() bool {
	return h.UID.Valid() && validName(h.Step) && (h.When == HookPre || h.When == HookPost) && times(h.At) &&
		paragraph(h.Skipped, MaxReason) && len(h.Runs) > 0 && len(h.Runs) <= maxHookRuns &&
		!slices.ContainsFunc(h.Runs, func(r HookRun) bool { return !r.valid() })
}

func (r HookRun) valid() bool {
	return oneLine(r.Hook, maxHookPath) && validName(r.Kind) &&
		slices.Contains(hookOutcomes, r.Outcome) && paragraph(r.Detail, MaxHookDetail)
}

// validStepHooks checks the records of a state that was read.
func validStepHooks(t Task) bool {
	for i, h := range t.StepHooks {
		if !h.valid() || h.Phase != "" && t.phaseIndex(h.Phase) < 0 || HookRecord(t, h.UID) != i {
			return false
		}
	}
	return len(t.StepHooks) <= maxStepHooks
}

func checkStepHook(t Task, p StepHookPayload) error {
	if p.Phase != "" && t.phaseIndex(p.Phase) < 0 {
		return ErrNoPhase
	}
	if !p.AsRecord(operation.ID(strings.Repeat("0", 32))).valid() {
		return Refuse(CodeInvalid, "what hooks said can't be recorded like that", "")
	}
	return nil
}

func checkHookSkip(t Task, p HookSkipPayload) error {
	if strings.TrimSpace(p.Reason) == "" {
		return Refuse(CodeInvalid, "skipping a failed hook needs a reason", "give -m WHY")
	}
	if i := HookRecord(t, p.Record); i < 0 || !t.open(t.StepHooks[i]) {
		return Refuse(CodeTaskState, "no failed hook holds up the task", "see 'git brew next'")
	}
	return checkReason(p.Reason)
}
