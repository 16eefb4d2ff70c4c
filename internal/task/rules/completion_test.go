package rules_test

import (
	"testing"

	"github.com/git-brew/git-brew/internal/operation"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/route"
	. "github.com/git-brew/git-brew/internal/task/rules"
)

// SP-12, BC-50: a phase whose parts are open is not done, by whatever way a part came
// to be open again: it is pending, and executed when they are completed again.
func TestCompletion_SP12_BC50_openParts(t *testing.T) {
	t.Parallel()
	for name, opens := range map[string]func(s *story, part task.UID){
		"reset": func(s *story, part task.UID) { s.do(task.OpPhaseReset, task.PhaseReasonPayload{Phase: part}) },
		"a fix of it was made elsewhere": func(s *story, part task.UID) {
			s.force(s.next(task.OpPhaseAdd, task.PhaseAddPayload{Title: "Fix", Kind: task.KindFix, Parent: part}))
		},
		"its verification is reset": func(s *story, part task.UID) {
			s.do(task.OpPhaseReset, task.PhaseReasonPayload{Phase: s.t.Children(part, task.KindVerification)[0].UID})
		},
		"a part of it is reset": func(s *story, part task.UID) {
			s.do(task.OpPhaseReset, task.PhaseReasonPayload{Phase: s.t.Children(part, task.KindSplit)[0].UID})
		},
	} {
		for _, approved := range []bool{false, true} {
			s := started(t)
			p := s.add(task.PhaseAddPayload{})
			v := s.add(task.PhaseAddPayload{Kind: task.KindVerification, Parent: p})
			part, other := s.add(task.PhaseAddPayload{Kind: task.KindSplit, Parent: p}),
				s.add(task.PhaseAddPayload{Kind: task.KindSplit, Parent: p})
			s.add(task.PhaseAddPayload{Kind: task.KindVerification, Parent: part})
			s.add(task.PhaseAddPayload{Kind: task.KindSplit, Parent: part})
			s.done(part)
			s.done(other)
			s.want(p, task.PhaseInReview, task.ReviewNone)
			if approved {
				s.complete(v)
			}
			opens(s, part)
			s.want(p, task.PhasePending, task.ReviewNone)
			s.want(v, task.PhasePending, task.ReviewNone)
			for _, uid := range []task.UID{p, v} {
				s.superseded(task.OpPhaseReview, task.PhaseReviewPayload{Phase: uid, Verdict: task.ReviewApproved, User: true})
				s.refused(task.CodeTransition, task.OpPhaseReview,
					task.PhaseReviewPayload{Phase: uid, Verdict: task.ReviewApproved, User: true})
				s.refused(task.CodeDependencies, task.OpPhaseStart, task.PhasePayload{Phase: uid})
			}
			if next := route.Next(s.t); next.Phase == s.phase(p).ID || next.Step == task.StepComplete {
				t.Errorf("%s: next is %+v", name, next)
			}
			s.done(part)
			s.want(p, task.PhaseInReview, task.ReviewNone)
			s.complete(v)
			s.want(p, task.PhaseCompleted, task.ReviewApproved)
		}
	}
}

// done completes a phase with all that belongs to it.
func (s *story) done(uid task.UID) {
	s.Helper()
	below := func(kind task.PhaseKind) bool {
		open := false
		for _, q := range s.t.Children(uid, kind) {
			if q.Status != task.PhaseCompleted {
				open = true
				s.done(q.UID)
			}
		}
		return open
	}
	if !below(task.KindSplit) && s.phase(uid).Status != task.PhaseInReview {
		s.start(uid)
		s.executed(uid)
	}
	below(task.KindFix)
	if !below(task.KindVerification) && s.phase(uid).Status != task.PhaseCompleted {
		s.approve(uid)
	}
}

// Where one clone worked on a phase that another one split, it is done when its parts
// are: what was executed meanwhile is not up for review.
func TestCompletion_SP12_splitElsewhere(t *testing.T) {
	t.Parallel()
	s := started(t)
	p := s.add(task.PhaseAddPayload{})
	part := s.add(task.PhaseAddPayload{Kind: task.KindSplit, Parent: p})
	s.force(s.next(task.OpPhaseStart, task.PhasePayload{Phase: p, Commit: commitA}))
	s.refused(task.CodeDependencies, task.OpPhaseDone, task.PhasePayload{Phase: p, Commit: commitB})
	if step := route.Next(s.t); step.Phase != "1a" {
		t.Errorf("next is %+v", step)
	}
	s.force(s.next(task.OpPhaseDone, task.PhasePayload{Phase: p, Commit: commitB}))
	s.want(p, task.PhasePending, task.ReviewNone)
	s.superseded(task.OpPhaseReview, task.PhaseReviewPayload{Phase: p, Verdict: task.ReviewApproved})
	s.done(part)
	s.want(p, task.PhaseInReview, task.ReviewNone)
	s.approve(p)
}

// BC-36, BC-50: of two verifications, one that was approved before the phase failed and
// was done again says nothing about what there is now.
func TestCompletion_BC36_BC50_verifiedBeforeItFailed(t *testing.T) {
	t.Parallel()
	s := started(t)
	p := s.add(task.PhaseAddPayload{})
	one, two := s.add(task.PhaseAddPayload{Kind: task.KindVerification, Parent: p}),
		s.add(task.PhaseAddPayload{Kind: task.KindVerification, Parent: p})
	s.start(p)
	s.executed(p)
	s.complete(one)
	s.do(task.OpPhaseFail, task.PhaseReasonPayload{Phase: p, Reason: "no"})
	s.start(p)
	s.executed(p)
	s.complete(two)
	s.want(p, task.PhaseInReview, task.ReviewNone)
	s.complete(one)
	s.want(p, task.PhaseCompleted, task.ReviewApproved)
}

// A fix of a fix that is set back, or sent back, leaves none of them completed, nor
// what they repair.
func TestCompletion_BC50_nestedFix(t *testing.T) {
	t.Parallel()
	for kind, review := range map[operation.Kind]task.Review{
		task.OpPhaseReset: task.ReviewNone,
		task.OpPhaseAdd:   task.ReviewChanges,
	} {
		s := started(t)
		p := s.addExecuted(task.PhaseAddPayload{})
		fix := s.addExecuted(task.PhaseAddPayload{Kind: task.KindFix, Parent: p})
		second := s.add(task.PhaseAddPayload{Kind: task.KindFix, Parent: fix})
		s.complete(second)
		s.approve(fix)
		if kind == task.OpPhaseReset {
			s.approve(p)
			s.do(kind, task.PhaseReasonPayload{Phase: second})
		} else {
			s.add(task.PhaseAddPayload{Kind: task.KindFix, Parent: second})
			s.want(second, task.PhaseInReview, task.ReviewChanges)
		}
		s.want(fix, task.PhaseInReview, task.ReviewNone)
		s.want(p, task.PhaseInReview, review)
		s.refused(task.CodeOpenFixes, task.OpPhaseReview, task.PhaseReviewPayload{Phase: fix, Verdict: task.ReviewApproved})
		sound(t, s.t)
	}
}

// BC-53: the final review waits for its board and for all others, whether it is
// approved itself or by its verification; for the others where histories meet, too.
func TestCompletion_BC50_BC53_finalReview(t *testing.T) {
	t.Parallel()
	for _, verified := range []bool{false, true} {
		s := started(t)
		work := s.add(task.PhaseAddPayload{})
		fr := s.add(task.PhaseAddPayload{Kind: task.KindFinalReview})
		last := fr
		if verified {
			last = s.add(task.PhaseAddPayload{Kind: task.KindVerification, Parent: fr})
		}
		s.complete(work)
		s.start(fr)
		s.executed(fr)
		if verified {
			s.start(last)
			s.executed(last)
		}
		approval := task.PhaseReviewPayload{Phase: last, Verdict: task.ReviewApproved, User: true}
		s.refused(task.CodeBoard, task.OpPhaseReview, approval)
		s.next3(task.StepReview, route.PipelinePhase, "FR")
		s.ready(task.BoardOf(fr), "ann", "bob", "cid")
		s.verdict(task.BoardOf(fr), VerdictReady, 1)

		// What is new opens it again, and the board has seen less than there is.
		late := s.add(task.PhaseAddPayload{})
		s.want(fr, task.PhasePending, task.ReviewNone)
		s.superseded(task.OpPhaseReview, approval)
		s.complete(late)
		s.start(fr)
		s.ready(task.BoardOf(fr), "ann", "bob", "cid")
		s.verdict(task.BoardOf(fr), VerdictReady, 1)
		later := s.add(task.PhaseAddPayload{})
		s.complete(later)
		s.executed(fr)
		if verified {
			s.start(last)
			s.executed(last)
		}
		s.verdict(task.BoardOf(fr), VerdictReview, 1)
		s.refused(task.CodeBoard, task.OpPhaseReview, approval)
		s.ready(task.BoardOf(fr), "ann", "bob", "cid")
		s.do(task.OpPhaseReview, approval)
		s.want(fr, task.PhaseCompleted, task.ReviewApproved)
	}
}

// BC-50: a fix that failed is dropped when what it was to repair is completed without
// it. It comes back by a reset of its own alone, and takes that completion back.
func TestCompletion_BC50_withoutAFailedFix(t *testing.T) {
	t.Parallel()
	s := started(t)
	done, cause := s.addExecuted(task.PhaseAddPayload{}), s.add(task.PhaseAddPayload{})
	fix := s.add(task.PhaseAddPayload{Kind: task.KindFix, Parent: done, DependsOn: []task.UID{cause}})
	s.do(task.OpPhaseFail, task.PhaseReasonPayload{Phase: cause, Reason: "no"})
	s.want(fix, task.PhaseFailed, task.ReviewNone)
	s.approve(done)
	s.want(fix, task.PhaseDropped, task.ReviewNone)
	if reason := s.phase(fix).Reason; reason != "1 was completed without it" {
		t.Errorf("dropped: %q", reason)
	}
	s.complete(cause)
	s.want(fix, task.PhaseDropped, task.ReviewNone)
	s.want(done, task.PhaseCompleted, task.ReviewApproved)
	s.next3(task.StepComplete, route.PipelineMain, "")
	s.do(task.OpPhaseReset, task.PhaseReasonPayload{Phase: done})
	s.done(done)
	s.want(fix, task.PhaseDropped, task.ReviewNone)
	s.do(task.OpPhaseReset, task.PhaseReasonPayload{Phase: fix})
	s.want(fix, task.PhasePending, task.ReviewNone)
	s.want(done, task.PhaseInReview, task.ReviewNone)
	s.complete(fix)
	s.approve(done)
}

// What was said of a final review is no reason that it waits for new work.
func TestCompletion_BC53_reasonOfBefore(t *testing.T) {
	t.Parallel()
	s := started(t)
	fr := s.addExecuted(task.PhaseAddPayload{Kind: task.KindFinalReview})
	s.reject(fr, "not yet")
	s.add(task.PhaseAddPayload{})
	s.want(fr, task.PhasePending, task.ReviewNone)
	if reason := s.phase(fr).Reason; reason != "" {
		t.Errorf("it is pending, for %q", reason)
	}
}

// The verification of a failed fix is dropped with it, and comes back with it.
func TestCompletion_BC50_withoutAFailedFix_verification(t *testing.T) {
	t.Parallel()
	s := started(t)
	p := s.addExecuted(task.PhaseAddPayload{})
	fix := s.add(task.PhaseAddPayload{Kind: task.KindFix, Parent: p})
	v := s.add(task.PhaseAddPayload{Kind: task.KindVerification, Parent: fix})
	s.do(task.OpPhaseFail, task.PhaseReasonPayload{Phase: fix, Reason: "no"})
	s.approve(p)
	s.want(v, task.PhaseDropped, task.ReviewNone)
	s.refused(task.CodeTransition, task.OpPhaseReset, task.PhaseReasonPayload{Phase: v})
	s.superseded(task.OpPhaseReset, task.PhaseReasonPayload{Phase: v})
	s.next3(task.StepComplete, route.PipelineMain, "")
	s.do(task.OpPhaseReset, task.PhaseReasonPayload{Phase: fix})
	s.done(p)
	for _, uid := range []task.UID{fix, v, p} {
		s.want(uid, task.PhaseCompleted, task.ReviewApproved)
	}
}
