package task_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/git-brew/git-brew/internal/operation"
	. "github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/report"
	"github.com/git-brew/git-brew/internal/task/route"
)

func (s *story) drop(uid UID) {
	s.Helper()
	s.do(OpPhaseDrop, PhaseReasonPayload{Phase: uid, Reason: "not wanted"})
}

// each wants a status of several phases.
func (s *story) each(status PhaseStatus, uids ...UID) {
	s.Helper()
	for _, uid := range uids {
		if p := s.phase(uid); p.Status != status {
			s.Errorf("phase %s is %s, want %s", p.ID, p.Status, status)
		}
	}
}

// What waits for a phase that is dropped goes on, what failed with it is tried again,
// and the task can be finished.
func TestPhaseDrop_holdsNothingUp(t *testing.T) {
	t.Parallel()
	s := specified(t)
	one := s.add(PhaseAddPayload{})
	two := s.add(PhaseAddPayload{DependsOn: []UID{one}})
	three := s.add(PhaseAddPayload{DependsOn: []UID{two}})
	s.refused(CodeInvalid, OpPhaseDrop, PhaseReasonPayload{Phase: one, Reason: " "})
	s.do(OpPhaseFail, PhaseReasonPayload{Phase: one, Reason: "no way"})
	s.each(PhaseFailed, one, two, three)
	s.drop(one)
	s.each(PhasePending, two, three)
	s.start(two)
	s.drop(two)
	if p := s.phase(two); p.Reason != "not wanted" || p.WorkSince != "" || p.WorkedSeconds == 0 || s.t.Current != "" {
		t.Errorf("dropped while it was worked on: %+v, current %q", p, s.t.Current)
	}
	s.next3("plan", "phase-execution", "3")
	s.complete(three)
	s.next3("complete", "main", "")
	if got := route.Next(s.t).Reason; got != "every phase is completed, but for what was dropped: 1, 2" {
		t.Error(got)
	}
	if got := CountPhases(s.t); got.String() != "1 of 1 phase completed, 2 dropped" || got.Wanted() != 1 {
		t.Errorf("%s: %+v", got, got)
	}
	s.do(OpFinish, FinishPayload{Status: Finished})
	report := report.FinalReport(s.t, report.Story{}, "")
	for _, want := range []string{"1 of 1 phase completed, 2 dropped", "## What was dropped\n\n- phase 1, Work: not wanted\n- phase 2, Work: not wanted\n"} {
		if !strings.Contains(report, want) {
			t.Errorf("no %q in\n%s", want, report)
		}
	}
	s.refused(CodeTaskState, OpPhaseDrop, PhaseReasonPayload{Phase: three, Reason: "late"})
}

// What belongs to a phase is dropped with it, and taken up with it: that, and nothing
// else.
func TestPhaseDrop_takesAlongWhatBelongsToIt(t *testing.T) {
	t.Parallel()
	s := started(t)
	one := s.addExecuted(PhaseAddPayload{})
	v := s.add(PhaseAddPayload{Kind: KindVerification, Parent: one})
	fixed := s.add(PhaseAddPayload{Kind: KindFix, Parent: one})
	s.complete(fixed)
	unwanted := s.add(PhaseAddPayload{Kind: KindFix, Parent: one})
	s.drop(unwanted)
	fix := s.addExecuted(PhaseAddPayload{Kind: KindFix, Parent: one})
	deeper := s.add(PhaseAddPayload{Kind: KindFix, Parent: fix})
	beside := s.add(PhaseAddPayload{})
	s.drop(one)
	s.each(PhaseDropped, one, v, unwanted, fix, deeper)
	s.each(PhaseCompleted, fixed)
	s.each(PhasePending, beside)
	if got := s.phase(deeper).Reason; got != "dropped with 1.3" {
		t.Error(got)
	}
	for _, below := range []UID{v, fix, deeper, fixed} {
		s.refused(CodeTransition, OpPhaseReset, PhaseReasonPayload{Phase: below})
		s.superseded(OpPhaseReset, PhaseReasonPayload{Phase: below})
		s.superseded(OpPhaseAdd, PhaseAddPayload{Title: "Fix", Kind: KindFix, Parent: below})
	}
	s.do(OpPhaseReset, PhaseReasonPayload{Phase: one})
	s.each(PhasePending, one, v, fix, deeper)
	s.each(PhaseDropped, unwanted)
	s.each(PhaseCompleted, fixed)
	if p := s.phase(fix); p.FailedBy != "" || p.Reason != "" {
		t.Errorf("taken up: %+v", p)
	}
}

// BC-50: what a dropped phase belonged to goes on without it. A drop completes nothing.
func TestPhaseDrop_BC50_whatItBelongedTo(t *testing.T) {
	t.Parallel()
	s := started(t)
	whole := s.add(PhaseAddPayload{})
	a, b := s.add(PhaseAddPayload{Kind: KindSplit, Parent: whole}), s.add(PhaseAddPayload{Kind: KindSplit, Parent: whole})
	s.complete(a)
	s.drop(b)
	s.want(whole, PhaseInReview, ReviewNone)
	s.approve(whole)
	s.do(OpPhaseReset, PhaseReasonPayload{Phase: b})
	s.want(whole, PhasePending, ReviewNone)
	s.drop(b)

	alone := s.add(PhaseAddPayload{})
	part := s.add(PhaseAddPayload{Kind: KindSplit, Parent: alone})
	s.drop(part)
	s.want(alone, PhasePending, ReviewNone)
	s.complete(alone)
	s.do(OpPhaseReset, PhaseReasonPayload{Phase: part})
	s.want(alone, PhasePending, ReviewNone)

	repaired := s.addExecuted(PhaseAddPayload{})
	s.reject(repaired, "wrong")
	s.drop(s.add(PhaseAddPayload{Kind: KindFix, Parent: repaired}))
	s.want(repaired, PhaseInReview, ReviewNone)
	s.rejectAsUser(repaired, "wrong") // which no drop answers
	s.drop(s.add(PhaseAddPayload{Kind: KindFix, Parent: repaired}))
	s.want(repaired, PhaseInReview, ReviewChanges)

	verified := s.addExecuted(PhaseAddPayload{})
	one, two := s.add(PhaseAddPayload{Kind: KindVerification, Parent: verified}), s.add(PhaseAddPayload{Kind: KindVerification, Parent: verified})
	s.complete(one)
	s.drop(two)
	s.want(verified, PhaseInReview, ReviewNone)
	s.want(one, PhasePending, ReviewNone)
	s.drop(one)
	s.approve(verified)
	s.do(OpPhaseReset, PhaseReasonPayload{Phase: one})
	s.want(verified, PhaseInReview, ReviewNone)
}

// BC-53: the final review is of all that was not dropped, and is not dropped itself.
func TestPhaseDrop_BC53_finalReview(t *testing.T) {
	t.Parallel()
	s := started(t)
	one := s.add(PhaseAddPayload{})
	final := s.add(PhaseAddPayload{Kind: KindFinalReview})
	why := PhaseReasonPayload{Phase: final, Reason: "no time"}
	s.refused(CodeTransition, OpPhaseDrop, why)
	s.superseded(OpPhaseDrop, why)
	s.refused(CodeDependencies, OpPhaseStart, PhasePayload{Phase: final})
	s.drop(one)
	s.start(final)
	s.executed(final)
	s.do(OpPhaseReset, PhaseReasonPayload{Phase: one})
	s.want(final, PhasePending, ReviewNone)
}

// Of a phase that is dropped on one clone and gone on with on another, the drop stays,
// whichever comes first; but what was approved first is completed, and what was set
// back last is pending.
func TestPhaseDrop_madeApart(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		kind         operation.Kind
		payload      func(UID) any
		later, first PhaseStatus // where the drop comes last, and first
	}{
		{OpPhaseStart, func(p UID) any { return PhasePayload{Phase: p} }, PhaseDropped, PhaseDropped},
		{OpPhaseFail, func(p UID) any { return PhaseReasonPayload{Phase: p, Reason: "no"} }, PhaseDropped, PhaseDropped},
		{OpPhaseReview, func(p UID) any { return PhaseReviewPayload{Phase: p, Verdict: ReviewChanges, Reason: "no"} }, PhaseDropped, PhaseDropped},
		{OpPhaseReview, func(p UID) any { return PhaseReviewPayload{Phase: p, Verdict: ReviewApproved} }, PhaseCompleted, PhaseDropped},
		{OpPhaseReset, func(p UID) any { return PhaseReasonPayload{Phase: p} }, PhaseDropped, PhasePending},
	} {
		s := started(t)
		p := s.addExecuted(PhaseAddPayload{})
		if row.kind == OpPhaseStart {
			s.reject(p, "wrong")
		}
		seen := len(s.nodes)
		drop := s.fork(seen, OpPhaseDrop, PhaseReasonPayload{Phase: p, Reason: "not wanted"}, 0)
		other := s.fork(seen, row.kind, row.payload(p), 0)
		low, high := min(drop.Op.ID, other.Op.ID), max(drop.Op.ID, other.Op.ID)
		for i, want := range []PhaseStatus{row.first, row.later} {
			if drop.Op.ID, other.Op.ID = low, high; i == 1 { // of equal clocks the lower id comes first
				drop.Op.ID, other.Op.ID = high, low
			}
			got := Fold(append(slices.Clone(s.nodes), drop, other), s.texts)
			if phase, _ := got.Phase(p); phase.Status != want {
				t.Errorf("%s and a drop: %s, want %s", row.kind, phase.Status, want)
			}
		}
	}
}
