package task

// Rejection is the user's word that a phase is not done: no agent approves it before
// it was worked on again, whatever else is said of it meanwhile. It stays until the
// user takes it back; whether it still stands, StandingRejection says. A fix is a part
// of what it repairs: what is said of it stands in the way of that, too.
type Rejection struct {
	// N counts the user's rejections of a task, from 1.
	N int `json:"n"`
	// Of is what was rejected: the phase itself, or its verification.
	Of     UID    `json:"of"`
	Reason string `json:"reason"`
}

func (r *Rejection) valid() bool {
	return r == nil || r.N > 0 && r.Of.Valid() && paragraph(r.Reason, MaxReason)
}

// lastRejection is the number of the user's rejection that was the last one when
// anything rejected now was, or anything that work began on since.
func lastRejection(t Task) int {
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
func (e *editor) rejectedByUser(p Phase, reason string) {
	i := e.t.phaseIndex(workRejected(p))
	if i < 0 {
		return
	}
	e.phases()[i].Rejection = &Rejection{N: lastRejection(e.t) + 1, Of: p.UID, Reason: reason}
	e.settleReviews(e.t.Phases[i])
}

// takeBack: the user approves p after all, and so all that is a part of it.
func (e *editor) takeBack(p Phase) {
	of := workRejected(p)
	for i, q := range e.t.Phases {
		if q.Rejection != nil && (q.UID == of || q.fixOf(of)) {
			e.phases()[i].Rejection = nil
		}
	}
}

// workRejected is the phase that a verdict on p is about.
func workRejected(p Phase) UID {
	if p.Kind == KindVerification {
		return p.Parent
	}
	return p.UID
}

// fixOf reports whether p is a fix of uid.
func (p Phase) fixOf(uid UID) bool {
	return p.Kind == KindFix && (p.Parent == uid || p.Fixes == uid)
}

// StandingRejection returns the user's rejection that stands in the way of p: what was
// said of p itself, else the last word about a fix of it. Each stands until p was begun
// again since, or a fix or part of it that was begun since is completed. What was
// begun before, and what was given up or set back, is no answer.
func StandingRejection(t Task, p Phase) (Rejection, bool) {
	answered := p.SeenRejection
	var own, last Rejection
	if p.Rejection != nil {
		own = *p.Rejection
	}
	for i := range t.Phases {
		q := &t.Phases[i]
		fix := q.fixOf(p.UID)
		if fix && q.Rejection != nil && q.Rejection.N > last.N {
			last = *q.Rejection
		}
		if (fix || q.Kind == KindSplit && q.Parent == p.UID) && q.Status == PhaseCompleted {
			answered = max(answered, q.SeenRejection)
		}
	}
	if own.N > answered {
		return own, true
	}
	return last, last.N > answered
}

// RejectionStands reports whether a rejection of the user's stands in the way of p.
func RejectionStands(t Task, p Phase) bool {
	_, stands := StandingRejection(t, p)
	return stands
}

// settleReviews asks anew whether the user's rejections are answered by what p has come
// to, or is no more: of p, and of what it is a part of. As long as one stands, whatever
// else came to an end, an executed phase wants changes, and nothing that rests on its
// being done goes on.
func (e *editor) settleReviews(p Phase) {
	for _, uid := range []UID{p.UID, p.Parent, p.Fixes} {
		i := e.t.phaseIndex(uid)
		if i < 0 || e.t.Phases[i].Status != PhaseInReview || e.t.Phases[i].Review != ReviewNone {
			continue
		}
		if r, stands := StandingRejection(e.t, e.t.Phases[i]); stands {
			e.phases()[i].Review, e.phases()[i].Reason = ReviewChanges, r.Reason
		}
	}
}
