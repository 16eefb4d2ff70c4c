package route

import (
	"slices"

	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/rules"
)

// AsksPlan reports that what comes next for somebody, or what is ready, hangs on
// whether the plan is ready, or on the phases that it names, and Unready has to be
// known for it: there is something that could begin, whatever comes first for the
// task as a whole, or the first phases are to be added.
func AsksPlan(t task.Task) bool {
	if t.Deleted || t.Status != task.InProgress && (t.Status != task.Paused || t.Cause == task.CauseWaiting) ||
		!rules.StartsPlan(t) {
		return false
	}
	if len(t.Phases) > 0 {
		return slices.ContainsFunc(t.Phases, func(p task.Phase) bool { return couldBegin(t, p) })
	}
	r, _ := routeOf(view{Task: t})
	return r.adds && t.HasRoadmap()
}

// couldBegin: work beyond research could begin on p, or on what mends it.
func couldBegin(t task.Task, p task.Phase) bool {
	switch p.Status {
	case task.PhaseInReview, task.PhaseFailed:
		return true
	case task.PhasePending:
		return p.Kind != task.KindResearch && free(t, p)
	case task.PhaseInProgress, task.PhaseCompleted, task.PhaseDropped:
	}
	return false
}

// CommandAdd is what adds phases to a task that has none: those that its texts
// plan, where Unready knows of some.
func CommandAdd(t task.Task) string {
	if t.Unready.Plans == "" {
		return "git brew phase add TITLE"
	}
	return "git brew phase add --from " + string(t.Unready.Plans)
}

// workHeld: the table would have work begin, and the plan is not ready.
func workHeld(s situation) bool {
	if s.freely || !rules.PlanHeld(s.view.Task) {
		return false
	}
	r, next := s.ignoringHolds()
	return r.beginsWork(next.focus)
}

// ignoringHolds is what the table would say if nothing held up all work.
func (s situation) ignoringHolds() (route, situation) {
	v := s.view
	v.freely = true
	return routeOf(v)
}
