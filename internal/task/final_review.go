package task

// settleFinalReviews: a final review is of all that was done (BC-53). Where something
// else is to be done after it, because it was added, set back, or sent back, the review
// is open again, and begins anew when that is completed. One that is under way sees what
// comes.
func (e *editor) settleFinalReviews(m moment) {
	for i, p := range e.t.Phases {
		if p.Kind == KindFinalReview && (p.Status == PhaseCompleted || p.Status == PhaseExecuted) && e.t.unfinishedBefore(p) {
			e.firePhase(i, EventReopen, m)
		}
	}
}

// unfinishedBefore reports whether a final review waits for another phase.
func (t Task) unfinishedBefore(review Phase) bool {
	for _, q := range t.Phases {
		if q.UID != review.UID && t.unfinished(q) && !t.inFinalReview(q) {
			return true
		}
	}
	return false
}
