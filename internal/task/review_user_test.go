package task

import (
	"strings"
	"testing"
)

func (s *story) rejectAsUser(uid UID, why string) {
	s.Helper()
	s.do(OpPhaseReview, PhaseReviewPayload{Phase: uid, Verdict: ReviewChanges, Reason: why, User: true})
}

// BC-36, SP-11: what the user rejected is approved by no agent before it was
// worked on again. Each row works on it in its way, and says whether that was.
func TestPhaseReview_BC36_SP11_userRejection(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		then  func(s *story, p UID)
		again bool // worked on again
	}{
		"nothing":              {func(*story, UID) {}, false},
		"an agent rejects too": {func(s *story, p UID) { s.reject(p, "me too") }, false},
		"a fix is open no more, it failed": {func(s *story, p UID) {
			fix := s.add(PhaseAddPayload{Kind: KindFix, Parent: p})
			s.start(fix)
			s.do(OpPhaseFail, PhaseReasonPayload{Phase: fix, Reason: "no"})
		}, false},
		"fixed": {func(s *story, p UID) { s.complete(s.add(PhaseAddPayload{Kind: KindFix, Parent: p})) }, true},
		"done again": {func(s *story, p UID) {
			s.start(p)
			s.executed(p)
		}, true},
		"set back and done again": {func(s *story, p UID) {
			s.do(OpPhaseReset, PhaseReasonPayload{Phase: p})
			s.start(p)
			s.executed(p)
		}, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := started(t)
			p := s.add(PhaseAddPayload{})
			s.start(p)
			s.executed(p)
			s.rejectAsUser(p, "no way back")
			c.then(s, p)
			if s.phase(p).UserRejected == c.again {
				t.Errorf("user_rejected: %v", s.phase(p).UserRejected)
			}
			if c.again {
				s.approve(p)
				return
			}
			if r := s.refusal(CodeRejected, OpPhaseReview, PhaseReviewPayload{Phase: p, Verdict: ReviewApproved}); !strings.Contains(r.Msg, "rejected phase 1: ") || !strings.Contains(r.Hint, "git brew phase revise 1") {
				t.Errorf("refusal %q", r.Error())
			}
			s.superseded(OpPhaseReview, PhaseReviewPayload{Phase: p, Verdict: ReviewApproved})
			op := s.next(OpPhaseReview, PhaseReviewPayload{Phase: p, Verdict: ReviewApproved, User: true})
			op.Session = "s1"
			if _, applied := Apply(s.t, op, s.texts); applied {
				t.Error("an agent's session approved as the user")
			}
			s.do(OpPhaseReview, PhaseReviewPayload{Phase: p, Verdict: ReviewApproved, User: true})
			s.want(p, PhaseCompleted, ReviewApproved)
		})
	}
}

// A fix that the user rejected, and that was given up, leaves its phase rejected.
func TestPhaseReview_BC36_SP11_userRejectsAFix(t *testing.T) {
	t.Parallel()
	s := started(t)
	p := s.add(PhaseAddPayload{})
	s.start(p)
	s.executed(p)
	s.reject(p, "expiry is wrong")
	fix := s.add(PhaseAddPayload{Kind: KindFix, Parent: p})
	s.start(fix)
	s.executed(fix)
	s.rejectAsUser(fix, "still wrong")
	s.refused(CodeRejected, OpPhaseReview, PhaseReviewPayload{Phase: fix, Verdict: ReviewApproved})
	s.do(OpPhaseFail, PhaseReasonPayload{Phase: fix, Reason: "no idea"})
	s.refused(CodeRejected, OpPhaseReview, PhaseReviewPayload{Phase: p, Verdict: ReviewApproved})
	s.complete(s.add(PhaseAddPayload{Kind: KindFix, Parent: p}))
	s.approve(p)
}

// What an agent rejected, an agent takes back; and what older versions recorded
// names no user, and folds as it did.
func TestPhaseReview_BC36_agentRejection(t *testing.T) {
	t.Parallel()
	s := started(t)
	p := s.add(PhaseAddPayload{})
	s.start(p)
	s.executed(p)
	op := s.next(OpPhaseReview, PhaseReviewPayload{Phase: p, Verdict: ReviewChanges, Reason: "no", User: true})
	op.Session = "s1" // no user, whatever it says
	s.force(op)
	if s.phase(p).UserRejected || s.t.Schema != Schema {
		t.Errorf("user_rejected %v, schema %s", s.phase(p).UserRejected, s.t.Schema)
	}
	s.approve(p)
}
