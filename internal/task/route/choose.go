package route

import (
	"slices"

	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/rules"
)

// situation is a task as somebody looks at it: an answer may be about those of its
// phases alone that are theirs; about all of them where theirs is nil. Worker is the
// name that they claim under, "" for none. Freely: what holds up all work is left
// out.
type situation struct {
	task.Task
	theirs func(task.Phase) bool
	worker string
	freely bool
	focus  task.Phase // the one that the row is about
}

// routeOf is the first row that fits what s shows, with the phase that it is about in focus.
func routeOf(s situation) (route, situation) {
	for _, r := range routes() {
		if !r.look(&s) {
			continue
		}
		if r.step == "" {
			r.step = takes(s.focus)
		}
		return r, s
	}
	return route{}, s // never: the last row always fits
}

// look reports whether a row fits, and puts the phase that it is about in focus.
func (r route) look(s *situation) bool {
	if len(r.stages) > 0 && !slices.Contains(r.stages, s.Stage) || r.task != nil && !r.task(s.Task) {
		return false
	}
	s.focus = task.Phase{}
	if r.status != "" || r.phase != nil {
		i := slices.IndexFunc(s.Phases, func(p task.Phase) bool { return r.about(*s, p) })
		if i < 0 {
			return false
		}
		s.focus = s.Phases[i]
		if p, ok := s.CurrentPhase(); ok && r.status != task.PhasePending && r.about(*s, p) {
			s.focus = p
		}
	}
	if r.board != nil {
		if _, err := r.board(*s); err == nil {
			return false
		}
	}
	return r.fits == nil || r.fits(*s)
}

func (r route) about(s situation, p task.Phase) bool {
	return (r.status == "" || p.Status == r.status) && (r.kind == "" || p.Kind == r.kind) && s.shows(p) &&
		(r.phase == nil || r.phase(s.Task, p)) && (r.status != task.PhasePending || free(s.Task, p))
}

// shows reports whether an answer may be about p.
func (s situation) shows(p task.Phase) bool { return s.theirs == nil || s.theirs(p) }

// workedOn are the phases under way that can go on to their end: beside what one has to
// wait for, that is what comes next.
func (s situation) workedOn() []task.Phase {
	return slices.DeleteFunc(WorkedOn(s.Task), func(p task.Phase) bool { return !s.shows(p) || !canBeDone(s.Task, p) })
}

// What the rows ask of a task, and of the phases that they are about.

func noPhases(t task.Task) bool { return len(t.Phases) == 0 }

func inConflict(t task.Task) bool { return openConflict(t) >= 0 }

// openConflict is the place of the first text beside a document or report that can be
// settled, -1 for none.
func openConflict(t task.Task) int {
	return slices.IndexFunc(t.Conflicts, func(c task.Conflict) bool { return task.Settles(t, c) })
}

func canBeDone(t task.Task, p task.Phase) bool { return rules.DoneBlocked(t, p) == nil }

// spent is work under way that has to be escalated; failedSpent what failed by that.
func spent(t task.Task, p task.Phase) bool {
	return p.Status != task.PhaseFailed && rules.Escalates(t, p)
}

func failedSpent(t task.Task, p task.Phase) bool { return t.FailedItself(p) && rules.Escalates(t, p) }

// withWorkers is what 'git brew run' has begun, and goes on with: what a person's fix or
// verification is there for waits for that; hadWorkers what was taken back from it, and
// failedWithWorkers what it gave up.
func withWorkers(t task.Task, p task.Phase) bool {
	return t.WithWorkers(p) && (p.Status != task.PhaseInReview || rules.UpForReview(t, p))
}

func hadWorkers(t task.Task, p task.Phase) bool { return len(p.Turns) > 0 && t.ForWorkers(p) }

// workersTask is what workers can do in a task that a run took up last, or of which they had a
// phase, or of which nothing was begun yet: a tier says who is to.
func workersTask(t task.Task, p task.Phase) bool {
	had := func(q task.Phase) bool { return hadWorkers(t, q) }
	if !t.ForWorkers(p) || t.ByRun || slices.ContainsFunc(t.Phases, had) {
		return t.ForWorkers(p)
	}
	return hasTier(p) &&
		!slices.ContainsFunc(t.Phases, func(q task.Phase) bool { return q.Iteration > 0 })
}

// hasTier: somebody said who is to do the phase, and so that workers are.
func hasTier(p task.Phase) bool { return p.Tier != "" && p.Tier != task.TierAuto }

// leftByRun: the task is paused, and has a phase that a run would go on with, or would begin next.
func leftByRun(t task.Task) bool {
	return waits(t) && slices.ContainsFunc(t.Phases, func(p task.Phase) bool {
		return withWorkers(t, p) || t.ByRun && p.Status == task.PhasePending && free(t, p) && t.ForWorkers(p)
	})
}

// waits: the task is paused until somebody says otherwise.
func waits(t task.Task) bool { return t.Status == task.Paused && t.Cause == task.CauseWaiting }

// hasStories: the task is not started, and a phase of it says which tier is to do it, or what is
// to be seen then and which commands show it, as those of a PRD do.
func hasStories(t task.Task) bool {
	return t.Status == task.Pending && slices.ContainsFunc(t.Phases, func(p task.Phase) bool {
		return p.Status == task.PhasePending && t.ForWorkers(p) &&
			(hasTier(p) || len(p.Acceptance) > 0 && len(p.Verification) > 0)
	})
}

func failedWithWorkers(t task.Task, p task.Phase) bool { return hadWorkers(t, p) && t.FailedItself(p) }

// failedItself: it did not only fail with another phase, and can be tried again.
func failedItself(t task.Task, p task.Phase) bool { return t.FailedItself(p) && free(t, p) }

// ofAnother: another phase waits for it.
func ofAnother(_ task.Task, p task.Phase) bool { return p.Parent != "" }

func wantsChanges(t task.Task, p task.Phase) bool {
	return p.Review == task.ReviewChanges && noOpenFix(t, p) && rules.Revisable(t, p)
}

// noOpenFix: nothing is being mended of it, which would be judged first.
func noOpenFix(t task.Task, p task.Phase) bool { return len(t.OpenFixesOf(p.UID)) == 0 }

func failedVerification(t task.Task, p task.Phase) bool {
	return rules.VerificationFailed(t, p) && rules.Revisable(t, p)
}

// waiting: it is not done, and can't be worked on.
func waiting(_ task.Task, p task.Phase) bool {
	return p.Status != task.PhaseInReview && !p.Status.Over()
}

func unplanned(s situation) bool { return owesPlan(s.Task, s.focus) }

// workHeld: the table would have work begin, and the plan is not ready.
func workHeld(s situation) bool {
	if !rules.PlanHeld(s.Task) {
		return false
	}
	r, _ := s.ignoringHolds()
	return r.begins
}

// firstHeld: the table would have the first phase begin, or be planned.
func firstHeld(s situation) bool {
	if rules.CheckFirstStart(s.Task, task.Phase{}) == nil {
		return false
	}
	r, next := s.ignoringHolds()
	return r.begins || r.step == task.StepPlan && next.focus.UID != ""
}

// ignoringHolds is what the table would say if nothing held up all work; nothing where
// that is being asked, or where it is research that begins, which nothing holds up. What
// mends research is no research itself.
func (s situation) ignoringHolds() (route, situation) {
	if s.freely {
		return route{}, s
	}
	s.freely = true
	r, next := routeOf(s)
	if r.starts() && next.focus.Kind == task.KindResearch {
		return route{}, s
	}
	return r, next
}

// boardBefore is the board that holds up what a stage begins with.
func boardBefore(stage task.Stage) func(situation) (task.BoardName, error) {
	return func(s situation) (task.BoardName, error) { return rules.HeldBy(s.Task, "", stage) }
}

// finalBoard holds up the approval of the final review.
func finalBoard(s situation) (task.BoardName, error) {
	on := task.BoardOf(s.focus.UID)
	return on, rules.CheckBoard(s.Task, on, true)
}
