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
func (t Task) asksPlan() bool {
	return t.ahead() || !t.hasWork() && t.HasRoadmap()
}

// ahead: execution is.
func (t Task) ahead() bool { return slices.Index(stages, t.Stage) < slices.Index(stages, StageExecute) }

// hasWork: there was work, beyond research, which a plan may need.
func (t Task) hasWork() bool {
	return slices.ContainsFunc(t.Phases, func(q Phase) bool { return q.Iteration > 0 && q.Kind != KindResearch })
}

// planHeld: nothing begins but research, for the plan is not ready. A skip holds
// until more is found, or the task comes back to planning.
func (t Task) planHeld() bool {
	if t.Unready.N == 0 || !t.asksPlan() {
		return false
	}
	return !slices.ContainsFunc(t.Skips, func(k Skip) bool { return !k.Over && t.Unready.N <= k.Lacks })
}

// checkPlan refuses what begins where the plan is not ready.
func checkPlan(t Task) error {
	if !t.planHeld() {
		return nil
	}
	return &RefusedError{
		Code: CodeDocuments, Msg: t.Unready.String(), Findings: t.Unready.Said,
		Hint: "'git brew doc check' says what it lacks, 'git brew next' what can be done",
	}
}

// Empty: the texts of the plan change nothing of what comes next.
func (u Unready) Empty() bool { return u.N == 0 && u.Plans == "" }

// AsksPlan reports that what comes next for somebody, or what is ready, hangs on
// whether the plan is ready, or on the phases that it names, and Unready has to be
// known for it: there is something that could begin, whatever comes first for the
// task as a whole, or the first phases are to be added.
func AsksPlan(t Task) bool {
	if t.Deleted || t.Status != InProgress && (t.Status != Paused || t.Cause == CauseWaiting) || !t.asksPlan() {
		return false
	}
	if len(t.Phases) > 0 {
		return slices.ContainsFunc(t.Phases, func(p Phase) bool { return t.couldBegin(p) })
	}
	r, _, _ := routeOf(view{Task: t})
	return r.adds && t.HasRoadmap()
}

// couldBegin: work beyond research could begin on p, or on what mends it.
func (t Task) couldBegin(p Phase) bool {
	switch p.Status {
	case PhaseInReview, PhaseFailed:
		return true
	case PhasePending:
		return p.Kind != KindResearch && t.free(p)
	case PhaseInProgress, PhaseCompleted, PhaseDropped:
	}
	return false
}

// planUnready is when the row of the routing table fits that waits for the plan.
const planUnready = "work is to begin, and the plan is not ready"

// CommandAdd is what adds phases to a task that has none: those that its texts
// plan, where Unready knows of some.
func CommandAdd(t Task) string {
	if t.Unready.Plans == "" {
		return "git brew phase add TITLE"
	}
	return "git brew phase add --from " + string(t.Unready.Plans)
}

// workHeld: the table would have work begin, and the plan is not ready.
func workHeld(s situation) bool {
	if s.freely || !s.planHeld() {
		return false
	}
	r, next := s.unheld()
	return r.beginsWork(next.focus)
}

// unheld is what the table would say if nothing held up all work.
func (s situation) unheld() (route, situation) {
	v := s.view
	v.freely = true
	r, next, _ := routeOf(v)
	return r, next
}

func reasonUnready(s situation) string { return s.Unready.String() }
