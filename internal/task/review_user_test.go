package task

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/git-brew/git-brew/internal/operation"
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
		"a fix begun since is taken back and given up": {func(s *story, p UID) {
			fix := s.add(PhaseAddPayload{Kind: KindFix, Parent: p})
			s.complete(fix)
			s.do(OpPhaseReset, PhaseReasonPayload{Phase: fix})
			s.do(OpPhaseFail, PhaseReasonPayload{Phase: fix, Reason: "no"})
		}, false},
		"parts of it": {func(s *story, p UID) {
			one, two := s.add(PhaseAddPayload{Kind: KindSplit, Parent: p}), s.add(PhaseAddPayload{Kind: KindSplit, Parent: p})
			s.complete(one)
			s.complete(two)
		}, true},
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
			if RejectionStands(s.t, s.phase(p)) == c.again {
				t.Errorf("the rejection stands: %v", !c.again)
			}
			if c.again {
				s.approve(p)
				return
			}
			if r := s.refusal(CodeRejected, OpPhaseReview, PhaseReviewPayload{Phase: p, Verdict: ReviewApproved}); !strings.HasSuffix(r.Msg, "rejected phase 1: no way back") || !strings.Contains(r.Hint, "git brew phase revise 1") {
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

// BC-36, SP-11: only what was begun after the user's word answers it. Each row begins
// a fix before.
func TestPhaseReview_BC36_SP11_laterWorkAnswers(t *testing.T) {
	t.Parallel()
	const why = "no way back"
	for name, c := range map[string]struct {
		before func(s *story, fix UID) // the user rejects the phase
		after  func(s *story, p, fix UID)
		again  bool // worked on again
	}{
		"a fix that was done before": {
			func(s *story, fix UID) { s.start(fix); s.executed(fix) },
			func(s *story, _, fix UID) { s.approve(fix) }, false,
		},
		"a fix that was under way": {
			func(s *story, fix UID) { s.start(fix) },
			func(s *story, _, fix UID) { s.executed(fix); s.approve(fix) }, false,
		},
		"one that was done before, and one begun since that was given up": {
			func(s *story, fix UID) { s.start(fix); s.executed(fix) },
			func(s *story, p, fix UID) {
				other := s.add(PhaseAddPayload{Kind: KindFix, Parent: p})
				s.start(other)
				s.do(OpPhaseFail, PhaseReasonPayload{Phase: other, Reason: "no"})
				s.approve(fix)
			}, false,
		},
		"one that was done before, sent back": {
			func(s *story, fix UID) { s.start(fix); s.executed(fix) },
			func(s *story, _, fix UID) { s.reject(fix, "tests"); s.complete(fix) }, true,
		},
		"one that was only planned": {
			func(*story, UID) {},
			func(s *story, _, fix UID) { s.complete(fix) }, true,
		},
		"between the user's words": {
			func(s *story, fix UID) {
				s.rejectAsUser(s.phase(fix).Parent, "wrong")
				s.start(fix)
				s.executed(fix)
			},
			func(s *story, _, fix UID) { s.approve(fix) }, false,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := started(t)
			p := s.add(PhaseAddPayload{})
			s.start(p)
			s.executed(p)
			fix := s.add(PhaseAddPayload{Kind: KindFix, Parent: p})
			c.before(s, fix)
			s.rejectAsUser(p, why)
			c.after(s, p, fix)
			if c.again {
				s.want(p, PhaseExecuted, ReviewNone)
				s.approve(p)
				return
			}
			s.want(p, PhaseExecuted, ReviewChanges)
			if next := Next(s.t); next.Step != StepRevise || next.Reason != "the user has rejected phase 1: "+why {
				t.Errorf("next is %+v", next)
			}
			s.refused(CodeRejected, OpPhaseReview, PhaseReviewPayload{Phase: p, Verdict: ReviewApproved})
			s.superseded(OpPhaseReview, PhaseReviewPayload{Phase: p, Verdict: ReviewApproved})
			s.complete(s.add(PhaseAddPayload{Kind: KindFix, Parent: p}))
			s.approve(p)
		})
	}
}

// BC-36: what the user rejects of a verification is what that verifies, and the user
// takes it back as any other.
func TestPhaseReview_BC36_userRejectsAVerification(t *testing.T) {
	t.Parallel()
	s := started(t)
	p := s.add(PhaseAddPayload{})
	v := s.add(PhaseAddPayload{Kind: KindVerification, Parent: p})
	s.start(p)
	s.executed(p)
	s.start(v)
	s.executed(v)
	s.rejectAsUser(v, "expiry")
	if r := s.phase(p).Rejection; r == nil || r.Of != v || r.Reason != "expiry" || s.phase(v).Rejection != nil || !RejectionStands(s.t, s.phase(p)) {
		t.Errorf("%+v", r)
	}
	s.reject(p, "and the docs")
	s.start(p)
	s.executed(p)
	if RejectionStands(s.t, s.phase(p)) {
		t.Error("it was done again")
	}
	s.start(v)
	s.executed(v)
	s.approve(v)
	s.want(p, PhaseCompleted, ReviewApproved)
}

// The user takes back what they rejected of a fix, and nothing is left of it.
func TestPhaseReview_BC36_userTakesItBack(t *testing.T) {
	t.Parallel()
	s := started(t)
	p := s.add(PhaseAddPayload{})
	s.start(p)
	s.executed(p)
	fix := s.add(PhaseAddPayload{Kind: KindFix, Parent: p})
	s.start(fix)
	s.executed(fix)
	s.rejectAsUser(fix, "wrong")
	s.do(OpPhaseReview, PhaseReviewPayload{Phase: fix, Verdict: ReviewApproved, User: true})
	s.want(p, PhaseExecuted, ReviewNone)
	s.approve(p)
	if s.phase(p).Rejection != nil || s.phase(fix).Rejection != nil {
		t.Error("it was taken back")
	}
}

// BC-36, SP-11: whatever agents do after the user's rejection, none completes the
// phase before work on it, or on a part or a fix of it, was begun again.
func TestPhaseReview_BC36_SP11_noWayAround(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		s := started(t)
		s.add(PhaseAddPayload{})
		rejected, begun := map[UID]int{}, map[UID]int{} // by the number of operations then
		for range rapid.IntRange(10, 60).Draw(r, "length") {
			p := rapid.SampledFrom(s.t.Phases).Draw(r, "phase")
			user := rapid.IntRange(0, 5).Draw(r, "user") == 0
			op := s.next(OpPhaseStart, PhasePayload{Phase: p.UID})
			switch rapid.IntRange(0, 8).Draw(r, "what") {
			case 0, 1:
			case 2, 3:
				op = s.next(OpPhaseExecuted, PhasePayload{Phase: p.UID})
			case 4, 5:
				op = s.next(OpPhaseReview, PhaseReviewPayload{Phase: p.UID, Verdict: ReviewApproved, User: user})
			case 6:
				op = s.next(OpPhaseReview, PhaseReviewPayload{Phase: p.UID, Verdict: ReviewChanges, Reason: "no", User: user})
			case 7:
				op = s.next(OpPhaseAdd, PhaseAddPayload{Title: "x", Kind: rapid.SampledFrom([]PhaseKind{KindFix, KindFix, KindSplit, KindVerification}).Draw(r, "kind"), Parent: p.UID})
			case 8:
				op = s.next(rapid.SampledFrom([]operation.Kind{OpPhaseReset, OpPhaseFail}).Draw(r, "back"), PhaseReasonPayload{Phase: p.UID, Reason: "no"})
			}
			was := s.t
			after, applied := Apply(s.t, op, s.texts)
			if !applied {
				continue
			}
			s.force(op)
			switch {
			case op.Kind == OpPhaseStart:
				begun[p.UID] = len(s.nodes)
			case op.Kind != OpPhaseReview || !user:
			case after.Phases[after.phaseIndex(p.UID)].Status == PhaseCompleted:
				delete(rejected, p.UID)
			case p.Kind != KindVerification:
				rejected[p.UID] = len(s.nodes)
			default:
				rejected[p.Parent] = len(s.nodes)
			}
			if user {
				continue
			}
			for uid, at := range rejected {
				before, _ := was.Phase(uid)
				if now := s.phase(uid); now.Status != PhaseCompleted || before.Status == PhaseCompleted {
					continue
				}
				again := begun[uid] > at || slices.ContainsFunc(s.t.Phases, func(q Phase) bool {
					return (q.Parent == uid || q.Fixes == uid) && q.Kind != KindVerification && begun[q.UID] > at
				})
				if !again {
					r.Fatalf("phase %s was completed by an agent, and nothing was begun since the user rejected it", before.ID)
				}
			}
		}
	})
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
	if s.phase(p).Rejection != nil || s.t.Schema != Schema {
		t.Errorf("rejection %v, schema %s", s.phase(p).Rejection, s.t.Schema)
	}
	s.approve(p)
}
