package route

import (
	"slices"

	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/rules"
)

// What the routes ask of a situation, and the phases that they look at.

func waitsForAnswer(s situation) bool { return s.Status == task.Paused && s.Cause == task.CauseWaiting }

func stageIs(want task.Stage) func(situation) bool {
	return func(s situation) bool { return s.Stage == want }
}

func both(a, b func(situation) bool) func(situation) bool {
	return func(s situation) bool { return a(s) && b(s) }
}

func noPhases(s situation) bool { return len(s.Phases) == 0 }

func inConflict(s situation) bool {
	_, is := openConflict(s.view.Task)
	return is
}

// openConflict is the first text beside a document or report that can be settled.
func openConflict(t task.Task) (task.Conflict, bool) {
	i := slices.IndexFunc(t.Conflicts, func(c task.Conflict) bool { return task.Settles(t, c) })
	if i < 0 {
		return task.Conflict{}, false
	}
	return t.Conflicts[i], true
}

// planned: the task is in clarify, and on its way to a plan.
func planned(s situation) bool { return s.Stage == task.StageClarify && Plans(s.Task) }

// toPlan: research is done, or skipped, and what comes next is the plan.
func toPlan(s situation) bool { return planned(s) || s.Stage == task.StageResearch }

func beforeWork(s situation) bool {
	return s.Stage == task.StageClarify || s.Stage == task.StageResearch || s.Stage == task.StagePlan
}

// owed asks of the task whether it owes something.
func owed(owes func(task.Task) bool) func(situation) bool {
	return func(s situation) bool { return owes(s.view.Task) }
}

func isReviewing(p task.Phase) bool {
	return p.Kind == task.KindVerification || p.Kind == task.KindFinalReview
}

func isResearch(p task.Phase) bool { return p.Kind == task.KindResearch }

func unplanned(s situation) bool { return owesPlan(s.view.Task, s.focus) }

// underWay chooses the current phase if it is being worked on, else the first that is.
func underWay(v view) (task.Phase, bool) {
	return v.pick(func(p task.Phase) bool {
		return p.Status == task.PhaseInProgress && rules.DoneBlocked(v.Task, p) == nil
	})
}

// shows reports whether an answer may be about p.
func (v view) shows(p task.Phase) bool { return v.theirs == nil || v.theirs(p) }

// pick chooses the current phase where it fits, else the first that does.
func (v view) pick(fits func(task.Phase) bool) (task.Phase, bool) {
	if p, ok := v.CurrentPhase(); ok && fits(p) && v.shows(p) {
		return p, true
	}
	i := slices.IndexFunc(v.Phases, func(p task.Phase) bool { return fits(p) && v.shows(p) })
	if i < 0 {
		return task.Phase{}, false
	}
	return v.Phases[i], true
}

// workedOn are the phases under way that can go on to their end: beside what one has to
// wait for, that is what comes next.
func (v view) workedOn() []task.Phase {
	return slices.DeleteFunc(WorkedOn(v.Task), func(p task.Phase) bool {
		return !v.shows(p) || rules.DoneBlocked(v.Task, p) != nil
	})
}

func firstReady(v view) (task.Phase, bool) { return v.readyIf(func(task.Phase) bool { return true }) }

func readyUnplanned(v view) (task.Phase, bool) {
	return v.readyIf(func(p task.Phase) bool { return owesPlan(v.Task, p) })
}

func readyOf(kind task.PhaseKind) func(view) (task.Phase, bool) {
	return func(v view) (task.Phase, bool) {
		return v.readyIf(func(p task.Phase) bool { return p.Kind == kind })
	}
}

// readyIf chooses the first phase that fits, and that waits for no other.
func (v view) readyIf(fits func(task.Phase) bool) (task.Phase, bool) {
	for _, p := range v.Phases {
		if fits(p) && v.shows(p) && ready(v.Task, p) {
			return p, true
		}
	}
	return task.Phase{}, false
}

// spent chooses work under way that has to be escalated; failedSpent what failed
// by that.
func spent(v view) (task.Phase, bool) {
	return v.pick(func(p task.Phase) bool { return p.Status != task.PhaseFailed && rules.Escalates(v.Task, p) })
}

func failedSpent(v view) (task.Phase, bool) {
	return v.pick(func(p task.Phase) bool { return v.Task.FailedItself(p) && rules.Escalates(v.Task, p) })
}

// readyResearch chooses research that another phase waits for.
func readyResearch(v view) (task.Phase, bool) {
	return v.readyIf(func(p task.Phase) bool { return p.Kind == task.KindResearch && p.Parent != "" })
}

func failedAndFree(t task.Task, p task.Phase) bool {
	return rules.VerificationFailed(t, p) && rules.Revisable(t, p)
}

func inReviewThat(fits func(task.Task, task.Phase) bool) func(view) (task.Phase, bool) {
	return func(v view) (task.Phase, bool) {
		return v.pick(func(p task.Phase) bool { return p.Status == task.PhaseInReview && fits(v.Task, p) })
	}
}

func wantsChanges(v view) (task.Phase, bool) {
	return v.pick(func(p task.Phase) bool {
		return p.Status == task.PhaseInReview && p.Review == task.ReviewChanges && len(v.OpenFixesOf(p.UID)) == 0 &&
			rules.Revisable(v.Task, p)
	})
}

// failedItself chooses a phase that did not only fail with another one, and that can
// be tried again.
func failedItself(v view) (task.Phase, bool) {
	return v.pick(func(p task.Phase) bool { return v.Task.FailedItself(p) && free(v.Task, p) })
}

// waiting chooses a phase that is not done, and that no row before has anything to do
// about: one that can't be worked on, else any. What is left is done.
func waiting(v view) (task.Phase, bool) {
	if p, ok := v.pick(func(p task.Phase) bool { return p.Status != task.PhaseInReview && !p.Status.Over() }); ok {
		return p, true
	}
	return v.pick(func(p task.Phase) bool { return !p.Status.Over() })
}
