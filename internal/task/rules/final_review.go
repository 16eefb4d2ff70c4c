package rules

import "github.com/git-brew/git-brew/internal/task"

// family finds the phases of a task by their uid, for what asks each phase about
// others: made once, it keeps that from growing with their square.
type family map[task.UID]*task.Phase

func familyOf(phases []task.Phase, more ...task.Phase) family {
	f := make(family, len(phases)+len(more))
	for _, list := range [][]task.Phase{phases, more} {
		for i := range list {
			f[list[i].UID] = &list[i]
		}
	}
	delete(f, "") // one that is to be added may have no name yet
	return f
}

// inFinalReview reports whether p is a final review, or hangs below one: another
// one does not wait for it, nor is it of it.
func (f family) inFinalReview(p *task.Phase) bool {
	for range task.MaxDepth + 1 {
		above := f[p.Parent]
		if p.Kind == task.KindFinalReview || above == nil {
			break
		}
		p = above
	}
	return p.Kind == task.KindFinalReview
}

// reviewedBy is the family that a final review is of; none where p is no such.
func reviewedBy(t task.Task, p *task.Phase) family {
	if p.Kind != task.KindFinalReview {
		return nil
	}
	return familyOf(t.Phases)
}

// awaits reports whether a final review of the family waits for p.
func (f family) awaits(p *task.Phase) bool {
	return f != nil && !p.Status.Over() && !f.inFinalReview(p)
}

// stands: it is executed or completed, and so is of all that there is.
func stands(p *task.Phase) bool {
	return p.Kind == task.KindFinalReview && (p.Status == task.PhaseInReview || p.Status == task.PhaseCompleted)
}

// settleFinalReviews: a final review is of all that was done (BC-53). Where something
// else is to be done after it, because it was added, set back, or sent back, the review
// is open again, and begins anew when that is completed. One that is under way sees what
// comes.
func (e *editor) settleFinalReviews() {
	if !e.finalReviewStands() {
		return
	}
	f := familyOf(e.t.Phases)
	for i := range e.t.Phases {
		if f.awaits(&e.t.Phases[i]) {
			e.reopenFinalReviews()
			return
		}
	}
}

func (e *editor) finalReviewStands() bool {
	for i := range e.t.Phases {
		if stands(&e.t.Phases[i]) {
			return true
		}
	}
	return false
}

func (e *editor) reopenFinalReviews() {
	for i := range e.t.Phases {
		if stands(&e.t.Phases[i]) {
			e.firePhase(i, EventReopen, moment{})
		}
	}
}
