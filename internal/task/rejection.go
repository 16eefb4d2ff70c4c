package task

import "slices"

// Rejection is the user's word that a phase is not done: no agent approves it before
// it was worked on again, whatever else is said of it meanwhile. It stays until the
// user takes it back; whether it still stands, RejectionStands says.
type Rejection struct {
	// N counts the user's rejections of a task, from 1.
	N int `json:"n"`
	// Of is what was rejected: the phase itself, a fix of it, or its verification.
	Of     UID    `json:"of"`
	Reason string `json:"reason"`
}

func (r *Rejection) valid() bool {
	return r == nil || r.N > 0 && r.Of.Valid() && paragraph(r.Reason, MaxReason)
}

// lastRejection is the number of the user's rejection that was the last one when
// anything rejected now was, or anything that work began on since.
func (t Task) lastRejection() int {
	n := 0
	for _, p := range t.Phases {
		n = max(n, p.Heeds)
		if p.Rejection != nil {
			n = max(n, p.Rejection.N)
		}
	}
	return n
}

// rejectedByUser notes the user's rejection of p. A fix is a part of what it repairs,
// and what a verification finds is about what it verifies: those are rejected, too.
func (e *editor) rejectedByUser(p Phase, reason string) {
	r := &Rejection{N: e.t.lastRejection() + 1, Of: p.UID, Reason: reason}
	of := []UID{p.UID}
	switch p.Kind {
	case KindVerification:
		of = []UID{p.Parent}
	case KindFix:
		of = append(of, p.Parent, p.Fixes)
	case KindExecution, KindResearch, KindSplit, KindFinalReview:
	}
	for _, uid := range of {
		if i := e.t.phaseIndex(uid); i >= 0 {
			e.phases()[i].Rejection = r
			e.settleReview(i)
		}
	}
	e.brain()
}

// takeBack: the user approves what they have rejected.
func (e *editor) takeBack(uid UID) {
	for i, p := range e.t.Phases {
		if p.Rejection != nil && (p.UID == uid || p.Rejection.Of == uid) {
			e.phases()[i].Rejection = nil
		}
	}
}

// RejectionStands reports whether the user's rejection of p stands: p was not begun again
// since, and no fix or part of it that was begun since is completed. What was begun
// before, and what was given up, is no answer.
func RejectionStands(t Task, p Phase) bool {
	if p.Rejection == nil || p.Heeds >= p.Rejection.N {
		return false
	}
	return !slices.ContainsFunc(t.Phases, func(q Phase) bool {
		part := q.Kind == KindFix && (q.Parent == p.UID || q.Fixes == p.UID) || q.Kind == KindSplit && q.Parent == p.UID
		return part && q.Status == PhaseCompleted && q.Heeds >= p.Rejection.N
	})
}

// settleReview: a phase wants changes as long as the user's rejection of it stands,
// whatever else came to an end.
func (e *editor) settleReview(i int) {
	if p := e.t.Phases[i]; p.Status == PhaseExecuted && p.Review == ReviewNone && RejectionStands(e.t, p) {
		e.phases()[i].Review, e.phases()[i].Reason = ReviewChanges, p.Rejection.Reason
	}
}
