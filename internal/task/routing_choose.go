package task

import "slices"

// What the routes ask of a situation, and the phases that they look at.

func statusIs(want Status) func(situation) bool {
	return func(s situation) bool { return s.Status == want }
}

func stageIs(want Stage) func(situation) bool {
	return func(s situation) bool { return s.Stage == want }
}

func both(a, b func(situation) bool) func(situation) bool {
	return func(s situation) bool { return a(s) && b(s) }
}

func anyFocus(situation) bool { return true }

func noPhases(s situation) bool { return len(s.Phases) == 0 }

func inConflict(s situation) bool {
	_, is := s.openConflict()
	return is
}

// openConflict is the first text beside a document or report that can be settled.
func (t Task) openConflict() (Conflict, bool) {
	i := slices.IndexFunc(t.Conflicts, func(c Conflict) bool { return t.settles(c) })
	if i < 0 {
		return Conflict{}, false
	}
	return t.Conflicts[i], true
}

// settles reports whether a text can be put where c belongs: what stands there, or
// a document that was taken away meanwhile.
func (t Task) settles(c Conflict) bool {
	_, place := t.DocAt(c.Path)
	return place || t.TextAt(c.Path) != ""
}

// planned: the task is in clarify, and on its way to a plan.
func planned(s situation) bool { return s.Stage == StageClarify && Plans(s.Task) }

func beforeWork(s situation) bool {
	return s.Stage == StageClarify || s.Stage == StageResearch || s.Stage == StagePlan
}

func specOwed(s situation) bool { return s.owesSpec() }

func questionsOpen(s situation) bool { return s.owesDiscussion() }

func researchOwed(s situation) bool { return s.owesResearch() }

func roadmapOwed(s situation) bool { return s.owesRoadmap() }

func focusIs(fits func(Phase) bool) func(situation) bool {
	return func(s situation) bool { return fits(s.focus) }
}

func isReviewing(p Phase) bool { return p.Kind == KindVerification || p.Kind == KindFinalReview }

func isResearch(p Phase) bool { return p.Kind == KindResearch }

func unplanned(s situation) bool { return s.owesPlan(s.focus) }

// underWay chooses the current phase if it is being worked on, else the first that is.
func underWay(v view) (Phase, bool) {
	return v.pick(func(p Phase) bool { return p.Status == PhaseInProgress && v.doneBlocked(p) == nil })
}

// shows reports whether an answer may be about p.
func (v view) shows(p Phase) bool { return v.theirs == nil || v.theirs(p) }

// pick chooses the current phase where it fits, else the first that does.
func (v view) pick(fits func(Phase) bool) (Phase, bool) {
	if p, ok := v.CurrentPhase(); ok && fits(p) && v.shows(p) {
		return p, true
	}
	i := slices.IndexFunc(v.Phases, func(p Phase) bool { return fits(p) && v.shows(p) })
	if i < 0 {
		return Phase{}, false
	}
	return v.Phases[i], true
}

// workedOn are the phases under way that can go on to their end: beside what one has to
// wait for, that is what comes next.
func (v view) workedOn() []Phase {
	return slices.DeleteFunc(WorkedOn(v.Task), func(p Phase) bool { return !v.shows(p) || v.doneBlocked(p) != nil })
}

func firstReady(v view) (Phase, bool) { return v.readyIf(func(Phase) bool { return true }) }

func readyUnplanned(v view) (Phase, bool) { return v.readyIf(func(p Phase) bool { return v.owesPlan(p) }) }

func readyFix(v view) (Phase, bool) {
	return v.readyIf(func(p Phase) bool { return p.Kind == KindFix })
}

func readyVerification(v view) (Phase, bool) {
	return v.readyIf(func(p Phase) bool { return p.Kind == KindVerification })
}

// readyIf chooses the first phase that fits, and that waits for no other.
func (v view) readyIf(fits func(Phase) bool) (Phase, bool) {
	for _, p := range v.Phases {
		if fits(p) && v.shows(p) && v.ready(p) {
			return p, true
		}
	}
	return Phase{}, false
}

// spent chooses work under way that has to be escalated; failedSpent what failed
// by that.
func spent(v view) (Phase, bool) {
	return v.pick(func(p Phase) bool { return p.Status != PhaseFailed && v.escalates(p) })
}

func failedSpent(v view) (Phase, bool) {
	return v.pick(func(p Phase) bool { return v.Task.failedItself(p) && v.escalates(p) })
}

// readyResearch chooses research that another phase waits for.
func readyResearch(v view) (Phase, bool) {
	return v.readyIf(func(p Phase) bool { return p.Kind == KindResearch && p.Parent != "" })
}

func failedAndFree(t Task, p Phase) bool { return VerificationFailed(t, p) && revisable(t, p) }

// revisable: a fix of p can be made and begun now. It waits where what p belongs to is
// worked on itself, or done in parts.
func revisable(t Task, p Phase) bool {
	root := t.rootOfFix(p)
	return checkFix(t, p) == nil && (root.Status == PhaseInReview || root.Status == PhaseCompleted)
}

// upForReview: a verdict is what p waits for. One that has a verification is
// completed by that.
func upForReview(t Task, p Phase) bool {
	return p.Review != ReviewChanges && approvalBlocked(t, p, false) == nil
}

func inReviewThat(fits func(Task, Phase) bool) func(view) (Phase, bool) {
	return func(v view) (Phase, bool) {
		return v.pick(func(p Phase) bool { return p.Status == PhaseInReview && fits(v.Task, p) })
	}
}

func wantsChanges(v view) (Phase, bool) {
	return v.pick(func(p Phase) bool {
		return p.Status == PhaseInReview && p.Review == ReviewChanges && len(v.openFixesOf(p.UID)) == 0 && revisable(v.Task, p)
	})
}

// failedItself chooses a phase that did not only fail with another one, and that can
// be tried again.
func failedItself(v view) (Phase, bool) {
	return v.pick(func(p Phase) bool { return v.Task.failedItself(p) && v.free(p) })
}

// waiting chooses a phase that is not done, and that no row before has anything to do
// about: one that can't be worked on, else any. What is left is done.
func waiting(v view) (Phase, bool) {
	if p, ok := v.pick(func(p Phase) bool { return p.Status != PhaseInReview && v.unfinished(p) }); ok {
		return p, true
	}
	return v.pick(v.unfinished)
}
