package task

import (
	"fmt"
	"slices"
)

// Unready is what keeps a plan from being carried out, as the rules for documents
// find it in their texts (BC-18, BC-24), be it that its phases are not there yet. It is no state, and never stored: rules
// change from version to version, so whoever asks for routes or checks looks, and
// puts it into Task.Unready.
type Unready struct {
	N int
	// Said are the findings, some of many.
	Said []string
	// Plans is the document that plans phases, where the task has none; "" for none.
	Plans DocName `json:",omitempty"`
}

// MaxUnready is how many findings are counted, and how many of them are said.
const (
	MaxUnready     = 1_000_000
	maxUnreadySaid = 50
)

// NewUnready is what was found.
func NewUnready(found []string) Unready {
	return Unready{N: min(len(found), MaxUnready), Said: found[:min(len(found), maxUnreadySaid)]}
}

// String says what keeps the plan from being carried out.
func (u Unready) String() string {
	s := "the plan is not ready"
	if len(u.Said) > 0 {
		s += ": " + u.Said[0]
	}
	if u.N > 1 {
		s += fmt.Sprintf("; and %d more", u.N-1)
	}
	return s
}

// asksPlan reports that whatever begins now begins to carry out a plan: execution
// is still ahead, or nothing of what was planned was begun, wherever the stage is.
// A task that was made with its phases, and without a plan, was never planned.
func StartsPlan(t Task) bool {
	return ahead(t) || !hasWork(t) && t.HasRoadmap()
}

// ahead: execution is.
func ahead(t Task) bool { return slices.Index(Stages, t.Stage) < slices.Index(Stages, StageExecute) }

// hasWork: there was work, beyond research, which a plan may need.
func hasWork(t Task) bool {
	return slices.ContainsFunc(t.Phases, func(q Phase) bool { return q.Iteration > 0 && q.Kind != KindResearch })
}

// planHeld: nothing begins but research, for the plan is not ready. A skip holds
// until more is found, or the task comes back to planning.
func PlanHeld(t Task) bool {
	if t.Unready.N == 0 || !StartsPlan(t) {
		return false
	}
	return !slices.ContainsFunc(t.Skips, func(k Skip) bool { return !k.Over && t.Unready.N <= k.Lacks })
}

// checkPlan refuses what begins where the plan is not ready.
func checkPlan(t Task) error {
	if !PlanHeld(t) {
		return nil
	}
	return &RefusedError{
		Code: CodeDocuments, Msg: t.Unready.String(), Findings: t.Unready.Said,
		Hint: "'git brew doc check' says what it lacks, 'git brew next' what can be done",
	}
}

// Empty: the texts of the plan change nothing of what comes next.
func (u Unready) Empty() bool { return u.N == 0 && u.Plans == "" }
