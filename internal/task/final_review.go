package task

// family finds the phases of a task by their uid, for what asks each phase about
// others: made once, it keeps that from growing with their square.
type family map[UID]*Phase

func familyOf(phases []Phase, more ...Phase) family {
	f := make(family, len(phases)+len(more))
	for _, list := range [][]Phase{phases, more} {
		for i := range list {
			f[list[i].UID] = &list[i]
		}
	}
	delete(f, "") // one that is to be added may have no name yet
	return f
}

// inFinalReview reports whether p is a final review, or hangs below one: another
// one does not wait for it, nor is it of it.
func (f family) inFinalReview(p *Phase) bool {
	for range MaxDepth + 1 {
		above := f[p.Parent]
		if p.Kind == KindFinalReview || above == nil {
			break
		}
		p = above
	}
	return p.Kind == KindFinalReview
}

// reviewedBy is the family that a final review is of; none where p is no such.
func reviewedBy(t Task, p *Phase) family {
	if p.Kind != KindFinalReview {
		return nil
	}
	return familyOf(t.Phases)
}

// awaits reports whether a final review of the family waits for p.
func (f family) awaits(p *Phase) bool {
	return f != nil && unfinished(p, f.phase) && !f.inFinalReview(p)
}

func (f family) phase(uid UID) *Phase { return f[uid] }

// stands: it is executed or completed, and so is of all that there is.
func (p *Phase) stands() bool {
	return p.Kind == KindFinalReview && (p.Status == PhaseInReview || p.Status == PhaseCompleted)
}

// settleFinalReviews: a final review is of all that was done (BC-53). Where something
// else is to be done after it, because it was added, set back, or sent back, the review
// is open again, and begins anew when that is completed. One that is under way sees what
// comes.
func (e *editor) settleFinalReviews(m moment) {
	if !e.finalReviewStands() {
		return
	}
	f := familyOf(e.t.Phases)
	for i := range e.t.Phases {
		if f.awaits(&e.t.Phases[i]) {
			e.reopenFinalReviews(m)
			return
		}
	}
}

func (e *editor) finalReviewStands() bool {
	for i := range e.t.Phases {
		if e.t.Phases[i].stands() {
			return true
		}
	}
	return false
}

func (e *editor) reopenFinalReviews(m moment) {
	for i := range e.t.Phases {
		if e.t.Phases[i].stands() {
			e.firePhase(i, EventReopen, m)
		}
	}
}
