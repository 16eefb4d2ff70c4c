package task_test

import (
	"testing"

	"github.com/git-brew/git-brew/internal/operation"
	. "github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/route"
)

// SP-12, BC-50: a phase whose parts are open is not done, by whatever way a part came
// to be open again: it is pending, and executed when they are completed again.
func TestCompletion_SP12_BC50_openParts(t *testing.T) {
	t.Parallel()
	for name, opens := range map[string]func(s *story, part UID){
		"reset": func(s *story, part UID) { s.do(OpPhaseReset, PhaseReasonPayload{Phase: part}) },
		"a fix of it was made elsewhere": func(s *story, part UID) {
			s.force(s.next(OpPhaseAdd, PhaseAddPayload{Title: "Fix", Kind: KindFix, Parent: part}))
		},
		"its verification is reset": func(s *story, part UID) {
			s.do(OpPhaseReset, PhaseReasonPayload{Phase: s.t.Children(part, KindVerification)[0].UID})
		},
		"a part of it is reset": func(s *story, part UID) {
			s.do(OpPhaseReset, PhaseReasonPayload{Phase: s.t.Children(part, KindSplit)[0].UID})
		},
	} {
		for _, approved := range []bool{false, true} {
			s := started(t)
			p := s.add(PhaseAddPayload{})
			v := s.add(PhaseAddPayload{Kind: KindVerification, Parent: p})
			part, other := s.add(PhaseAddPayload{Kind: KindSplit, Parent: p}), s.add(PhaseAddPayload{Kind: KindSplit, Parent: p})
			s.add(PhaseAddPayload{Kind: KindVerification, Parent: part})
			s.add(PhaseAddPayload{Kind: KindSplit, Parent: part})
			s.done(part)
			s.done(other)
			s.want(p, PhaseInReview, ReviewNone)
			if approved {
				s.complete(v)
			}
			opens(s, part)
			s.want(p, PhasePending, ReviewNone)
			s.want(v, PhasePending, ReviewNone)
			for _, uid := range []UID{p, v} {
				s.superseded(OpPhaseReview, PhaseReviewPayload{Phase: uid, Verdict: ReviewApproved, User: true})
				s.refused(CodeTransition, OpPhaseReview, PhaseReviewPayload{Phase: uid, Verdict: ReviewApproved, User: true})
				s.refused(CodeDependencies, OpPhaseStart, PhasePayload{Phase: uid})
			}
			if next := route.Next(s.t); next.Phase == s.phase(p).ID || next.Step == StepComplete {
				t.Errorf("%s: next is %+v", name, next)
			}
			s.done(part)
			s.want(p, PhaseInReview, ReviewNone)
			s.complete(v)
			s.want(p, PhaseCompleted, ReviewApproved)
		}
	}
}

// done completes a phase with all that belongs to it.
func (s *story) done(uid UID) {
	s.Helper()
	below := func(kind PhaseKind) bool {
		open := false
		for _, q := range s.t.Children(uid, kind) {
			if q.Status != PhaseCompleted {
				open = true
				s.done(q.UID)
			}
		}
		return open
	}
	if !below(KindSplit) && s.phase(uid).Status != PhaseInReview {
		s.start(uid)
		s.executed(uid)
	}
	below(KindFix)
	if !below(KindVerification) && s.phase(uid).Status != PhaseCompleted {
		s.approve(uid)
	}
}

// Where one clone worked on a phase that another one split, it is done when its parts
// are: what was executed meanwhile is not up for review.
func TestCompletion_SP12_splitElsewhere(t *testing.T) {
	t.Parallel()
	s := started(t)
	p := s.add(PhaseAddPayload{})
	part := s.add(PhaseAddPayload{Kind: KindSplit, Parent: p})
	s.force(s.next(OpPhaseStart, PhasePayload{Phase: p, Commit: commitA}))
	s.refused(CodeDependencies, OpPhaseDone, PhasePayload{Phase: p, Commit: commitB})
	if step := route.Next(s.t); step.Phase != "1a" {
		t.Errorf("next is %+v", step)
	}
	s.force(s.next(OpPhaseDone, PhasePayload{Phase: p, Commit: commitB}))
	s.want(p, PhasePending, ReviewNone)
	s.superseded(OpPhaseReview, PhaseReviewPayload{Phase: p, Verdict: ReviewApproved})
	s.done(part)
	s.want(p, PhaseInReview, ReviewNone)
	s.approve(p)
}

// BC-36, BC-50: of two verifications, one that was approved before the phase failed and
// was done again says nothing about what there is now.
func TestCompletion_BC36_BC50_verifiedBeforeItFailed(t *testing.T) {
	t.Parallel()
	s := started(t)
	p := s.add(PhaseAddPayload{})
	one, two := s.add(PhaseAddPayload{Kind: KindVerification, Parent: p}), s.add(PhaseAddPayload{Kind: KindVerification, Parent: p})
	s.start(p)
	s.executed(p)
	s.complete(one)
	s.do(OpPhaseFail, PhaseReasonPayload{Phase: p, Reason: "no"})
	s.start(p)
	s.executed(p)
	s.complete(two)
	s.want(p, PhaseInReview, ReviewNone)
	s.complete(one)
	s.want(p, PhaseCompleted, ReviewApproved)
}

// A fix of a fix that is set back, or sent back, leaves none of them completed, nor
// what they repair.
func TestCompletion_BC50_nestedFix(t *testing.T) {
	t.Parallel()
	for kind, review := range map[operation.Kind]Review{OpPhaseReset: ReviewNone, OpPhaseAdd: ReviewChanges} {
		s := started(t)
		p := s.addExecuted(PhaseAddPayload{})
		fix := s.addExecuted(PhaseAddPayload{Kind: KindFix, Parent: p})
		second := s.add(PhaseAddPayload{Kind: KindFix, Parent: fix})
		s.complete(second)
		s.approve(fix)
		if kind == OpPhaseReset {
			s.approve(p)
			s.do(kind, PhaseReasonPayload{Phase: second})
		} else {
			s.add(PhaseAddPayload{Kind: KindFix, Parent: second})
			s.want(second, PhaseInReview, ReviewChanges)
		}
		s.want(fix, PhaseInReview, ReviewNone)
		s.want(p, PhaseInReview, review)
		s.refused(CodeOpenFixes, OpPhaseReview, PhaseReviewPayload{Phase: fix, Verdict: ReviewApproved})
		sound(t, s.t)
	}
}

// BC-53: the final review waits for its board and for all others, whether it is
// approved itself or by its verification; for the others where histories meet, too.
func TestCompletion_BC50_BC53_finalReview(t *testing.T) {
	t.Parallel()
	for _, verified := range []bool{false, true} {
		s := started(t)
		work := s.add(PhaseAddPayload{})
		fr := s.add(PhaseAddPayload{Kind: KindFinalReview})
		last := fr
		if verified {
			last = s.add(PhaseAddPayload{Kind: KindVerification, Parent: fr})
		}
		s.complete(work)
		s.start(fr)
		s.executed(fr)
		if verified {
			s.start(last)
			s.executed(last)
		}
		approval := PhaseReviewPayload{Phase: last, Verdict: ReviewApproved, User: true}
		s.refused(CodeBoard, OpPhaseReview, approval)
		s.next3(StepReview, route.PipelinePhase, "FR")
		s.ready(BoardOf(fr), "ann", "bob", "cid")
		s.verdict(BoardOf(fr), VerdictReady, 1)

		// What is new opens it again, and the board has seen less than there is.
		late := s.add(PhaseAddPayload{})
		s.want(fr, PhasePending, ReviewNone)
		s.superseded(OpPhaseReview, approval)
		s.complete(late)
		s.start(fr)
		s.ready(BoardOf(fr), "ann", "bob", "cid")
		s.verdict(BoardOf(fr), VerdictReady, 1)
		later := s.add(PhaseAddPayload{})
		s.complete(later)
		s.executed(fr)
		if verified {
			s.start(last)
			s.executed(last)
		}
		s.verdict(BoardOf(fr), VerdictReview, 1)
		s.refused(CodeBoard, OpPhaseReview, approval)
		s.ready(BoardOf(fr), "ann", "bob", "cid")
		s.do(OpPhaseReview, approval)
		s.want(fr, PhaseCompleted, ReviewApproved)
	}
}

// BC-50: what a phase was completed without stays given up until that is done again:
// neither is it brought back itself, nor with what it fell with, on whatever clone.
func TestCompletion_BC50_givenUp(t *testing.T) {
	t.Parallel()
	givenUp := func() (s *story, done, fix, cause UID) {
		s = started(t)
		done, cause = s.addExecuted(PhaseAddPayload{}), s.add(PhaseAddPayload{})
		fix = s.add(PhaseAddPayload{Kind: KindFix, Parent: done, DependsOn: []UID{cause}})
		s.do(OpPhaseFail, PhaseReasonPayload{Phase: cause, Reason: "no"})
		s.want(fix, PhaseFailed, ReviewNone)
		s.approve(done)
		return s, done, fix, cause
	}
	for kind, payload := range map[operation.Kind]func(fix UID) any{
		OpPhaseReset: func(fix UID) any { return PhaseReasonPayload{Phase: fix} },
		OpPhaseStart: func(fix UID) any { return PhasePayload{Phase: fix, Commit: commitA} },
		OpPhaseAdd:   func(fix UID) any { return PhaseAddPayload{Title: "Part", Kind: KindSplit, Parent: fix} },
	} {
		s, done, fix, cause := givenUp()
		if r := s.refusal(CodeTransition, kind, payload(fix)); r.Hint != "'git brew phase reset 1' does that again" {
			t.Errorf("%s: hint %q", kind, r.Hint)
		}
		s.superseded(kind, payload(fix))
		s.do(OpPhaseReset, PhaseReasonPayload{Phase: done})
		s.start(done)
		s.executed(done)
		s.complete(cause)
		s.want(fix, PhasePending, ReviewNone) // it came back with what it fell with
		s.do(OpPhaseFail, PhaseReasonPayload{Phase: fix, Reason: "no"})
		s.do(kind, payload(fix))
	}

	s, done, fix, cause := givenUp()
	s.complete(cause)
	s.want(fix, PhaseFailed, ReviewNone)
	s.want(done, PhaseCompleted, ReviewApproved)
	s.next3(StepComplete, route.PipelineMain, "")
	s.do(OpPhaseReset, PhaseReasonPayload{Phase: done})
	s.done(done)
	s.want(fix, PhaseCompleted, ReviewApproved)
}

// What was said of a final review is no reason that it waits for new work.
func TestCompletion_BC53_reasonOfBefore(t *testing.T) {
	t.Parallel()
	s := started(t)
	fr := s.addExecuted(PhaseAddPayload{Kind: KindFinalReview})
	s.reject(fr, "not yet")
	s.add(PhaseAddPayload{})
	s.want(fr, PhasePending, ReviewNone)
	if reason := s.phase(fr).Reason; reason != "" {
		t.Errorf("it is pending, for %q", reason)
	}
}

// The verification of a fix that was given up is given up with it.
func TestCompletion_BC50_givenUpVerification(t *testing.T) {
	t.Parallel()
	s := started(t)
	p := s.addExecuted(PhaseAddPayload{})
	fix := s.add(PhaseAddPayload{Kind: KindFix, Parent: p})
	v := s.add(PhaseAddPayload{Kind: KindVerification, Parent: fix})
	s.do(OpPhaseFail, PhaseReasonPayload{Phase: fix, Reason: "no"})
	s.approve(p)
	s.refused(CodeTransition, OpPhaseReset, PhaseReasonPayload{Phase: v})
	s.superseded(OpPhaseReset, PhaseReasonPayload{Phase: v})
	s.next3(StepComplete, route.PipelineMain, "")
	s.do(OpPhaseReset, PhaseReasonPayload{Phase: p})
	s.done(p)
	for _, uid := range []UID{fix, v, p} {
		s.want(uid, PhaseCompleted, ReviewApproved)
	}
}
