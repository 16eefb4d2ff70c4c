package rules

import "github.com/git-brew/git-brew/internal/task"

// lastRejection is the number of the user's rejection that was the last one when
// anything rejected now was, or anything that work began on since.
func lastRejection(t task.Task) int {
	n := 0
	for _, p := range t.Phases {
		n = max(n, p.SeenRejection)
		if p.Rejection != nil {
			n = max(n, p.Rejection.N)
		}
	}
	return n
}

// rejectedByUser notes the user's rejection of p; of a verification, it is about what
// that verifies.
func (e *editor) rejectedByUser(p task.Phase, reason string) {
	i := e.t.PhaseIndex(workRejected(p))
	if i < 0 {
		return
	}
	e.phases()[i].Rejection = &task.Rejection{N: lastRejection(e.t) + 1, Of: p.UID, Reason: reason}
	e.settleReviews(e.t.Phases[i])
}

// takeBack: the user approves p after all, and so all that is a part of it.
func (e *editor) takeBack(p task.Phase) {
	of := workRejected(p)
	for i, q := range e.t.Phases {
		if q.Rejection != nil && (q.UID == of || isFixOf(q, of)) {
			e.phases()[i].Rejection = nil
		}
	}
}

// workRejected is the phase that a verdict on p is about.
func workRejected(p task.Phase) task.UID {
	if p.Kind == task.KindVerification {
		return p.Parent
	}
	return p.UID
}

func isFixOf(p task.Phase, uid task.UID) bool {
	return p.Kind == task.KindFix && (p.Parent == uid || p.Fixes == uid)
}

// StandingRejection returns the user's rejection that stands in the way of p: what was
// said of p itself, else the last word about a fix of it. Each stands until p was begun
// again since, or a fix or part of it that was begun since is completed. What was
// begun before, and what was given up or set back, is no answer.
func StandingRejection(t task.Task, p task.Phase) (task.Rejection, bool) {
	answered := p.SeenRejection
	var own, last task.Rejection
	if p.Rejection != nil {
		own = *p.Rejection
	}
	for i := range t.Phases {
		q := &t.Phases[i]
		fix := isFixOf(*q, p.UID)
		if fix && q.Rejection != nil && q.Rejection.N > last.N {
			last = *q.Rejection
		}
		if (fix || q.Kind == task.KindSplit && q.Parent == p.UID) && q.Status == task.PhaseCompleted {
			answered = max(answered, q.SeenRejection)
		}
	}
	if own.N > answered {
		return own, true
	}
	return last, last.N > answered
}

// settleReviews asks anew whether the user's rejections are answered by what p has come
// to, or is no more: of p, and of what it is a part of. As long as one stands, whatever
// else came to an end, an executed phase wants changes, and nothing that rests on its
// being done goes on.
func (e *editor) settleReviews(p task.Phase) {
	for _, uid := range []task.UID{p.UID, p.Parent, p.Fixes} {
		i := e.t.PhaseIndex(uid)
		if i < 0 || e.t.Phases[i].Status != task.PhaseInReview || e.t.Phases[i].Review != task.ReviewNone {
			continue
		}
		if r, stands := StandingRejection(e.t, e.t.Phases[i]); stands {
			e.phases()[i].Review, e.phases()[i].Reason = task.ReviewChanges, r.Reason
		}
	}
}
