package rules_test

import (
	"strings"
	"testing"

	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/route"
	. "github.com/git-brew/git-brew/internal/task/rules"
)

func (s *story) rejectAsUser(uid task.UID, why string) {
	s.Helper()
	s.do(task.OpPhaseReview, task.PhaseReviewPayload{Phase: uid, Verdict: task.ReviewChanges, Reason: why, User: true})
}

// BC-36, SP-11: what the user rejected is approved by no agent before it was
// worked on again. Each row works on it in its way, and says whether that was.
func TestPhaseReview_BC36_SP11_userRejection(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		then  func(s *story, p task.UID)
		again bool // worked on again
	}{
		"nothing":              {func(*story, task.UID) {}, false},
		"an agent rejects too": {func(s *story, p task.UID) { s.reject(p, "me too") }, false},
		"a fix is open no more, it failed": {func(s *story, p task.UID) {
			fix := s.add(task.PhaseAddPayload{Kind: task.KindFix, Parent: p})
			s.start(fix)
			s.do(task.OpPhaseFail, task.PhaseReasonPayload{Phase: fix, Reason: "no"})
		}, false},
		"a fix begun since is taken back and given up": {func(s *story, p task.UID) {
			fix := s.add(task.PhaseAddPayload{Kind: task.KindFix, Parent: p})
			s.complete(fix)
			s.do(task.OpPhaseReset, task.PhaseReasonPayload{Phase: fix})
			s.do(task.OpPhaseFail, task.PhaseReasonPayload{Phase: fix, Reason: "no"})
		}, false},
		"a part begun since is taken back and done again": {func(s *story, p task.UID) {
			part := s.add(task.PhaseAddPayload{Kind: task.KindSplit, Parent: p})
			s.complete(part)
			s.do(task.OpPhaseReset, task.PhaseReasonPayload{Phase: part})
			s.complete(part)
			s.want(p, task.PhaseInReview, task.ReviewNone)
		}, true},
		"parts of it": {func(s *story, p task.UID) {
			one, two := s.add(task.PhaseAddPayload{Kind: task.KindSplit, Parent: p}),
				s.add(task.PhaseAddPayload{Kind: task.KindSplit, Parent: p})
			s.complete(one)
			s.complete(two)
		}, true},
		"fixed": {func(s *story, p task.UID) {
			s.complete(s.add(task.PhaseAddPayload{Kind: task.KindFix, Parent: p}))
		}, true},
		"done again": {func(s *story, p task.UID) {
			s.start(p)
			s.executed(p)
		}, true},
		"set back and done again": {func(s *story, p task.UID) {
			s.do(task.OpPhaseReset, task.PhaseReasonPayload{Phase: p})
			s.start(p)
			s.executed(p)
		}, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := started(t)
			p := s.addExecuted(task.PhaseAddPayload{})
			s.rejectAsUser(p, "no way back")
			c.then(s, p)
			if RejectionStands(s.t, s.phase(p)) == c.again {
				t.Errorf("the rejection stands: %v", !c.again)
			}
			if c.again {
				s.approve(p)
				return
			}
			if r := s.refusal(task.CodeRejected, task.OpPhaseReview,
				task.PhaseReviewPayload{Phase: p, Verdict: task.ReviewApproved}); !strings.HasSuffix(r.Msg,
				"rejected phase 1: no way back") || !strings.Contains(r.Hint, "git brew phase revise 1") {
				t.Errorf("refusal %q", r.Error())
			}
			s.superseded(task.OpPhaseReview, task.PhaseReviewPayload{Phase: p, Verdict: task.ReviewApproved})
			op := s.next(task.OpPhaseReview, task.PhaseReviewPayload{Phase: p, Verdict: task.ReviewApproved, User: true})
			op.Session = "s1"
			if _, applied := Apply(s.t, op, s.texts); applied {
				t.Error("an agent's session approved as the user")
			}
			s.do(task.OpPhaseReview, task.PhaseReviewPayload{Phase: p, Verdict: task.ReviewApproved, User: true})
			s.want(p, task.PhaseCompleted, task.ReviewApproved)
		})
	}
}

// BC-36, SP-11: only what was begun after the user's word answers it. Each row begins
// a fix before.
func TestPhaseReview_BC36_SP11_laterWorkAnswers(t *testing.T) {
	t.Parallel()
	const why = "no way back"
	for name, c := range map[string]struct {
		before func(s *story, fix task.UID) // the user rejects the phase
		after  func(s *story, p, fix task.UID)
		again  bool // worked on again
	}{
		"a fix that was done before": {
			func(s *story, fix task.UID) { s.start(fix); s.executed(fix) },
			func(s *story, _, fix task.UID) { s.approve(fix) }, false,
		},
		"a fix that was under way": {
			func(s *story, fix task.UID) { s.start(fix) },
			func(s *story, _, fix task.UID) { s.executed(fix); s.approve(fix) }, false,
		},
		"one that was done before, and one begun since that was given up": {
			func(s *story, fix task.UID) { s.start(fix); s.executed(fix) },
			func(s *story, p, fix task.UID) {
				other := s.add(task.PhaseAddPayload{Kind: task.KindFix, Parent: p})
				s.start(other)
				s.do(task.OpPhaseFail, task.PhaseReasonPayload{Phase: other, Reason: "no"})
				s.approve(fix)
			}, false,
		},
		"one that was done before, sent back": {
			func(s *story, fix task.UID) { s.start(fix); s.executed(fix) },
			func(s *story, _, fix task.UID) { s.reject(fix, "tests"); s.complete(fix) }, true,
		},
		"one that was only planned": {
			func(*story, task.UID) {},
			func(s *story, _, fix task.UID) { s.complete(fix) }, true,
		},
		"between the user's words": {
			func(s *story, fix task.UID) {
				s.rejectAsUser(s.phase(fix).Parent, "wrong")
				s.start(fix)
				s.executed(fix)
			},
			func(s *story, _, fix task.UID) { s.approve(fix) }, false,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := started(t)
			p := s.addExecuted(task.PhaseAddPayload{})
			fix := s.add(task.PhaseAddPayload{Kind: task.KindFix, Parent: p})
			c.before(s, fix)
			s.rejectAsUser(p, why)
			c.after(s, p, fix)
			if c.again {
				s.want(p, task.PhaseInReview, task.ReviewNone)
				s.approve(p)
				return
			}
			s.want(p, task.PhaseInReview, task.ReviewChanges)
			if next := route.Next(s.t); next.Step != task.StepRevise || next.Reason != "the user has rejected phase 1: "+why {
				t.Errorf("next is %+v", next)
			}
			s.refused(task.CodeRejected, task.OpPhaseReview, task.PhaseReviewPayload{Phase: p, Verdict: task.ReviewApproved})
			s.superseded(task.OpPhaseReview, task.PhaseReviewPayload{Phase: p, Verdict: task.ReviewApproved})
			s.complete(s.add(task.PhaseAddPayload{Kind: task.KindFix, Parent: p}))
			s.approve(p)
		})
	}
}

// BC-36: what the user rejects of a verification is what that verifies, and the user
// takes it back as any other.
func TestPhaseReview_BC36_userRejectsAVerification(t *testing.T) {
	t.Parallel()
	s := started(t)
	p := s.add(task.PhaseAddPayload{})
	v := s.add(task.PhaseAddPayload{Kind: task.KindVerification, Parent: p})
	s.start(p)
	s.executed(p)
	s.start(v)
	s.executed(v)
	s.rejectAsUser(v, "expiry")
	if r := s.phase(p).Rejection; r == nil || r.Of != v || r.Reason != "expiry" || s.phase(v).Rejection != nil ||
		!RejectionStands(s.t, s.phase(p)) {
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
	s.want(p, task.PhaseCompleted, task.ReviewApproved)
}

// The user takes back what they rejected of a fix, and nothing is left of it.
func TestPhaseReview_BC36_userTakesItBack(t *testing.T) {
	t.Parallel()
	s := started(t)
	p := s.addExecuted(task.PhaseAddPayload{})
	fix := s.addExecuted(task.PhaseAddPayload{Kind: task.KindFix, Parent: p})
	s.rejectAsUser(fix, "wrong")
	s.do(task.OpPhaseReview, task.PhaseReviewPayload{Phase: fix, Verdict: task.ReviewApproved, User: true})
	s.want(p, task.PhaseInReview, task.ReviewNone)
	s.approve(p)
	if s.phase(p).Rejection != nil || s.phase(fix).Rejection != nil {
		t.Error("it was taken back")
	}
}

// BC-36, SP-11: what was begun since the user's word, and is set back and given up, is no
// answer: neither to who approves the phase nor to who approves its verification.
func TestPhaseReview_BC36_SP11_answerTakenBack(t *testing.T) {
	t.Parallel()
	for name, takenBack := range map[string]func(s *story, p task.UID){
		"a fix": func(s *story, p task.UID) {
			fix := s.add(task.PhaseAddPayload{Kind: task.KindFix, Parent: p})
			s.complete(fix)
			s.want(p, task.PhaseInReview, task.ReviewNone)
			s.do(task.OpPhaseReset, task.PhaseReasonPayload{Phase: fix})
			s.do(task.OpPhaseFail, task.PhaseReasonPayload{Phase: fix, Reason: "no"})
		},
	} {
		for _, of := range []string{"1", "1V"} {
			t.Run(name+", "+of+" was rejected", func(t *testing.T) {
				t.Parallel()
				s := started(t)
				p := s.add(task.PhaseAddPayload{})
				v := s.add(task.PhaseAddPayload{Kind: task.KindVerification, Parent: p})
				s.start(p)
				s.executed(p)
				rejected := p
				if of == "1V" {
					s.start(v)
					s.executed(v)
					rejected = v
				}
				s.rejectAsUser(rejected, "no way back")
				takenBack(s, p)
				s.want(p, task.PhaseInReview, task.ReviewChanges)
				s.refused(task.CodeDependencies, task.OpPhaseStart, task.PhasePayload{Phase: v})
				if next := route.Next(s.t); next.Reason != "the user has rejected phase "+of+": no way back" ||
					next.Command != "git brew phase revise 1" {
					t.Errorf("next is %+v", next)
				}
				s.force(s.next(task.OpPhaseStart, task.PhasePayload{Phase: v})) // as another clone may
				s.executed(v)
				s.superseded(task.OpPhaseReview, task.PhaseReviewPayload{Phase: v, Verdict: task.ReviewApproved})
				s.superseded(task.OpPhaseReview, task.PhaseReviewPayload{Phase: p, Verdict: task.ReviewApproved})
			})
		}
	}
}

// A fix of a fix, set back and given up: next leads on, and proposes no end.
func TestPhaseReview_BC36_BC47_nestedFixTakenBack(t *testing.T) {
	t.Parallel()
	s := started(t)
	p := s.addExecuted(task.PhaseAddPayload{})
	fix := s.add(task.PhaseAddPayload{Kind: task.KindFix, Parent: p})
	s.complete(fix)
	s.rejectAsUser(p, "no way back")
	second := s.add(task.PhaseAddPayload{Kind: task.KindFix, Parent: fix})
	s.complete(second)
	s.approve(fix)
	s.want(p, task.PhaseInReview, task.ReviewNone)
	s.do(task.OpPhaseReset, task.PhaseReasonPayload{Phase: second})
	s.do(task.OpPhaseFail, task.PhaseReasonPayload{Phase: second, Reason: "no"})
	s.next3(task.StepReview, route.PipelinePhase, "1.1") // it was mended no more
	s.approve(fix)
	s.next3(task.StepRevise, route.PipelinePhase, "1")
}

// BC-36: two words of the user about a phase and a fix of it are two. To take one back
// leaves the other, whichever came first.
func TestPhaseReview_BC36_SP11_ofAPhaseAndItsFix(t *testing.T) {
	t.Parallel()
	for _, fixFirst := range []bool{false, true} {
		s := started(t)
		p := s.addExecuted(task.PhaseAddPayload{})
		s.reject(p, "tests")
		fix := s.addExecuted(task.PhaseAddPayload{Kind: task.KindFix, Parent: p})
		if fixFirst {
			s.rejectAsUser(fix, "typo")
			s.rejectAsUser(p, "X is missing")
		} else {
			s.rejectAsUser(p, "X is missing")
			s.rejectAsUser(fix, "typo")
		}
		s.do(task.OpPhaseReview, task.PhaseReviewPayload{Phase: fix, Verdict: task.ReviewApproved, User: true})
		s.want(fix, task.PhaseCompleted, task.ReviewApproved)
		s.want(p, task.PhaseInReview, task.ReviewChanges)
		if next := route.Next(s.t); next.Reason != "the user has rejected phase 1: X is missing" {
			t.Errorf("fix first %t: next is %+v", fixFirst, next)
		}
		s.refused(task.CodeRejected, task.OpPhaseReview, task.PhaseReviewPayload{Phase: p, Verdict: task.ReviewApproved})
		s.do(task.OpPhaseReview, task.PhaseReviewPayload{Phase: p, Verdict: task.ReviewApproved, User: true})
		s.want(p, task.PhaseCompleted, task.ReviewApproved)
	}
}

// BC-36: where a phase has a verification, the user takes back that it wants changes,
// and the verification completes it. Nobody else does, and not while a fix is open.
func TestPhaseReview_BC36_userTakesItBackForAVerification(t *testing.T) {
	t.Parallel()
	for _, of := range []string{"1", "1V"} {
		s := started(t)
		p := s.add(task.PhaseAddPayload{Agents: []string{"dev"}}) // its report is owed by who completes it
		v := s.add(task.PhaseAddPayload{Kind: task.KindVerification, Parent: p})
		approved := task.PhaseReviewPayload{Phase: p, Verdict: task.ReviewApproved, User: true}
		s.start(p)
		s.executed(p)
		s.refused(task.CodeVerification, task.OpPhaseReview, approved)
		rejected := p
		if of == "1V" {
			s.start(v)
			s.executed(v)
			rejected = v
		}
		s.rejectAsUser(rejected, "wrong")
		s.superseded(task.OpPhaseReview, task.PhaseReviewPayload{Phase: p, Verdict: task.ReviewApproved})
		s.refused(task.CodeVerification, task.OpPhaseReview, task.PhaseReviewPayload{Phase: p, Verdict: task.ReviewApproved})
		fix := s.add(task.PhaseAddPayload{Kind: task.KindFix, Parent: p})
		s.refused(task.CodeOpenFixes, task.OpPhaseReview, approved)
		s.do(task.OpPhaseFail, task.PhaseReasonPayload{Phase: fix, Reason: "not needed"})
		if said := s.said(task.OpPhaseReview, approved); said != "phase 1: the user wants no changes any more" {
			t.Errorf("it is told as %q", said)
		}
		s.want(p, task.PhaseInReview, task.ReviewNone)
		if s.phase(p).Rejection != nil || s.phase(p).Reason != "" || RejectionStands(s.t, s.phase(p)) {
			t.Errorf("%s: it was taken back: %+v", of, s.phase(p))
		}
		s.next3(task.StepReview, route.PipelinePhase, "1V")
		s.do(task.OpReport, task.ReportPayload{Phase: p, Iteration: 1, Agent: "dev", OID: s.texts.put("done")})
		s.complete(v)
		s.want(p, task.PhaseCompleted, task.ReviewApproved)
	}
}

// A fix that the user rejected, and that was given up, leaves its phase rejected.
func TestPhaseReview_BC36_SP11_userRejectsAFix(t *testing.T) {
	t.Parallel()
	s := started(t)
	p := s.addExecuted(task.PhaseAddPayload{})
	s.reject(p, "expiry is wrong")
	fix := s.addExecuted(task.PhaseAddPayload{Kind: task.KindFix, Parent: p})
	s.rejectAsUser(fix, "still wrong")
	s.refused(task.CodeRejected, task.OpPhaseReview, task.PhaseReviewPayload{Phase: fix, Verdict: task.ReviewApproved})
	s.do(task.OpPhaseFail, task.PhaseReasonPayload{Phase: fix, Reason: "no idea"})
	s.refused(task.CodeRejected, task.OpPhaseReview, task.PhaseReviewPayload{Phase: p, Verdict: task.ReviewApproved})
	s.complete(s.add(task.PhaseAddPayload{Kind: task.KindFix, Parent: p}))
	s.approve(p)
}

// What an agent rejected, an agent takes back, whatever it says of the user.
func TestPhaseReview_BC36_agentRejection(t *testing.T) {
	t.Parallel()
	s := started(t)
	p := s.addExecuted(task.PhaseAddPayload{})
	op := s.next(task.OpPhaseReview, task.PhaseReviewPayload{
		Phase: p, Verdict: task.ReviewChanges, Reason: "no",
		User: true,
	})
	op.Session = "s1" // no user, whatever it says
	s.force(op)
	if s.phase(p).Rejection != nil {
		t.Errorf("rejection %v", s.phase(p).Rejection)
	}
	s.approve(p)
}
