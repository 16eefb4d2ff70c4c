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

// openConflict is the first text beside a document or report that can be
// settled: what it belongs to is there.
func (t Task) openConflict() (Conflict, bool) {
	i := slices.IndexFunc(t.Conflicts, func(c Conflict) bool { return t.TextAt(c.Path) != "" })
	if i < 0 {
		return Conflict{}, false
	}
	return t.Conflicts[i], true
}

func grayOpen(s situation) bool { return s.owesDiscussion() }

func researchOwed(s situation) bool { return s.owesResearch() }

func roadmapOwed(s situation) bool { return s.owesRoadmap() }

func focusIs(fits func(Phase) bool) func(situation) bool {
	return func(s situation) bool { return fits(s.focus) }
}

func isReviewing(p Phase) bool { return p.Kind == KindVerification || p.Kind == KindFinalReview }

func isResearch(p Phase) bool { return p.Kind == KindResearch }

func unplanned(s situation) bool { return s.owesPlan(s.focus) }

// first chooses the current phase if it has one of the statuses, else the
// first that has.
func first(statuses ...PhaseStatus) func(Task) (Phase, bool) {
	return func(t Task) (Phase, bool) {
		return t.pick(func(p Phase) bool { return slices.Contains(statuses, p.Status) })
	}
}

func (t Task) pick(fits func(Phase) bool) (Phase, bool) {
	if p, ok := t.CurrentPhase(); ok && fits(p) {
		return p, true
	}
	i := slices.IndexFunc(t.Phases, fits)
	if i < 0 {
		return Phase{}, false
	}
	return t.Phases[i], true
}

func firstReady(t Task) (Phase, bool) { return readyIf(t, func(Phase) bool { return true }) }

func readyUnplanned(t Task) (Phase, bool) {
	return readyIf(t, t.owesPlan)
}

func readyFix(t Task) (Phase, bool) {
	return readyIf(t, func(p Phase) bool { return p.Kind == KindFix })
}

func readyVerification(t Task) (Phase, bool) {
	return readyIf(t, func(p Phase) bool { return p.Kind == KindVerification })
}

func readyIf(t Task, fits func(Phase) bool) (Phase, bool) {
	for _, p := range t.Phases {
		if fits(p) && t.ready(p) {
			return p, true
		}
	}
	return Phase{}, false
}

// ready: work on p can begin.
func (t Task) ready(p Phase) bool {
	return p.Status == PhasePending && len(t.blockers(p)) == 0 && checkSpent(t, p) == nil
}

// spent chooses work under way that has to be escalated; failedSpent what failed
// by that.
func spent(t Task) (Phase, bool) {
	return t.pick(func(p Phase) bool { return p.Status != PhaseFailed && t.escalates(p) })
}

func failedSpent(t Task) (Phase, bool) {
	return t.pick(func(p Phase) bool { return t.failedItself(p) && t.escalates(p) })
}

// readyResearch chooses research that another phase waits for.
func readyResearch(t Task) (Phase, bool) {
	return readyIf(t, func(p Phase) bool { return p.Kind == KindResearch && p.Parent != "" })
}

func failedAndFree(t Task, p Phase) bool { return VerificationFailed(t, p) && !ResearchFirst(t, p) }

// upForReview: a verdict is what p waits for. One that has a verification is
// completed by that.
func upForReview(t Task, p Phase) bool {
	return p.Review != ReviewChanges && approvalBlocked(t, p, false) == nil
}

func executedThat(fits func(Task, Phase) bool) func(Task) (Phase, bool) {
	return func(t Task) (Phase, bool) {
		return t.pick(func(p Phase) bool { return p.Status == PhaseExecuted && fits(t, p) })
	}
}

func wantsChanges(t Task) (Phase, bool) {
	return t.pick(func(p Phase) bool {
		return p.Status == PhaseExecuted && p.Review == ReviewChanges && len(t.openFixesOf(p.UID)) == 0 && !ResearchFirst(t, p)
	})
}

// failedItself chooses a phase that did not only fail with another one.
func failedItself(t Task) (Phase, bool) { return t.pick(t.failedItself) }

// waiting chooses a phase that is not done, and can't be worked on.
func waiting(t Task) (Phase, bool) {
	return t.pick(func(p Phase) bool { return p.Status == PhasePending || p.Status == PhaseFailed && !t.givenUp(p) })
}
