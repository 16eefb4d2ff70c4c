package rules_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/git-brew/git-brew/internal/operation"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/report"
	"github.com/git-brew/git-brew/internal/task/route"
)

func (s *story) drop(uid task.UID) {
	s.Helper()
	s.do(task.OpPhaseDrop, task.PhaseReasonPayload{Phase: uid, Reason: "not wanted"})
}

// each wants a status of several phases.
func (s *story) each(status task.PhaseStatus, uids ...task.UID) {
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
	one := s.add(task.PhaseAddPayload{})
	two := s.add(task.PhaseAddPayload{DependsOn: []task.UID{one}})
	three := s.add(task.PhaseAddPayload{DependsOn: []task.UID{two}})
	s.refused(task.CodeInvalid, task.OpPhaseDrop, task.PhaseReasonPayload{Phase: one, Reason: " "})
	s.do(task.OpPhaseFail, task.PhaseReasonPayload{Phase: one, Reason: "no way"})
	s.each(task.PhaseFailed, one, two, three)
	s.drop(one)
	s.each(task.PhasePending, two, three)
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
	if got := task.CountPhases(s.t); got.String() != "1 of 1 phase completed, 2 dropped" || got.Wanted() != 1 {
		t.Errorf("%s: %+v", got, got)
	}
	s.do(task.OpFinish, task.FinishPayload{Status: task.Finished})
	report := report.FinalReport(s.t, report.Story{}, "")
	for _, want := range []string{
		"1 of 1 phase completed, 2 dropped",
		"## What was dropped\n\n- Phase 1, Work: not wanted\n- Phase 2, Work: not wanted\n",
	} {
		if !strings.Contains(report, want) {
			t.Errorf("no %q in\n%s", want, report)
		}
	}
	s.refused(task.CodeTaskState, task.OpPhaseDrop, task.PhaseReasonPayload{Phase: three, Reason: "late"})
}

// What belongs to a phase is dropped with it, and taken up with it: that, and nothing
// else.
func TestPhaseDrop_takesAlongWhatBelongsToIt(t *testing.T) {
	t.Parallel()
	s := started(t)
	one := s.addExecuted(task.PhaseAddPayload{})
	v := s.add(task.PhaseAddPayload{Kind: task.KindVerification, Parent: one})
	fixed := s.add(task.PhaseAddPayload{Kind: task.KindFix, Parent: one})
	s.complete(fixed)
	unwanted := s.add(task.PhaseAddPayload{Kind: task.KindFix, Parent: one})
	s.drop(unwanted)
	fix := s.addExecuted(task.PhaseAddPayload{Kind: task.KindFix, Parent: one})
	deeper := s.add(task.PhaseAddPayload{Kind: task.KindFix, Parent: fix})
	beside := s.add(task.PhaseAddPayload{})
	s.drop(one)
	s.each(task.PhaseDropped, one, v, unwanted, fix, deeper)
	s.each(task.PhaseCompleted, fixed)
	s.each(task.PhasePending, beside)
	if got := s.phase(deeper).Reason; got != "dropped with 1.3" {
		t.Error(got)
	}
	for _, below := range []task.UID{v, fix, deeper, fixed} {
		s.refused(task.CodeTransition, task.OpPhaseReset, task.PhaseReasonPayload{Phase: below})
		s.superseded(task.OpPhaseReset, task.PhaseReasonPayload{Phase: below})
		s.superseded(task.OpPhaseAdd, task.PhaseAddPayload{Title: "Fix", Kind: task.KindFix, Parent: below})
	}
	s.do(task.OpPhaseReset, task.PhaseReasonPayload{Phase: one})
	s.each(task.PhasePending, one, v, fix, deeper)
	s.each(task.PhaseDropped, unwanted)
	s.each(task.PhaseCompleted, fixed)
	if p := s.phase(fix); p.FailedBy != "" || p.Reason != "" {
		t.Errorf("taken up: %+v", p)
	}
}

// BC-50: what a dropped phase belonged to goes on without it. A drop completes nothing.
func TestPhaseDrop_BC50_whatItBelongedTo(t *testing.T) {
	t.Parallel()
	s := started(t)
	whole := s.add(task.PhaseAddPayload{})
	a, b := s.add(task.PhaseAddPayload{Kind: task.KindSplit, Parent: whole}),
		s.add(task.PhaseAddPayload{Kind: task.KindSplit, Parent: whole})
	s.complete(a)
	s.drop(b)
	s.want(whole, task.PhaseInReview, task.ReviewNone)
	s.approve(whole)
	s.do(task.OpPhaseReset, task.PhaseReasonPayload{Phase: b})
	s.want(whole, task.PhasePending, task.ReviewNone)
	s.drop(b)

	alone := s.add(task.PhaseAddPayload{})
	part := s.add(task.PhaseAddPayload{Kind: task.KindSplit, Parent: alone})
	s.drop(part)
	s.want(alone, task.PhasePending, task.ReviewNone)
	s.complete(alone)
	s.do(task.OpPhaseReset, task.PhaseReasonPayload{Phase: part})
	s.want(alone, task.PhasePending, task.ReviewNone)

	repaired := s.addExecuted(task.PhaseAddPayload{})
	s.reject(repaired, "wrong")
	s.drop(s.add(task.PhaseAddPayload{Kind: task.KindFix, Parent: repaired}))
	s.want(repaired, task.PhaseInReview, task.ReviewNone)
	s.rejectAsUser(repaired, "wrong") // which no drop answers
	s.drop(s.add(task.PhaseAddPayload{Kind: task.KindFix, Parent: repaired}))
	s.want(repaired, task.PhaseInReview, task.ReviewChanges)

	verified := s.addExecuted(task.PhaseAddPayload{})
	one, two := s.add(task.PhaseAddPayload{Kind: task.KindVerification, Parent: verified}),
		s.add(task.PhaseAddPayload{Kind: task.KindVerification, Parent: verified})
	s.complete(one)
	s.drop(two)
	s.want(verified, task.PhaseInReview, task.ReviewNone)
	s.want(one, task.PhasePending, task.ReviewNone)
	s.drop(one)
	s.approve(verified)
	s.do(task.OpPhaseReset, task.PhaseReasonPayload{Phase: one})
	s.want(verified, task.PhaseInReview, task.ReviewNone)
}

// BC-53: the final review is of all that was not dropped, and is not dropped itself.
func TestPhaseDrop_BC53_finalReview(t *testing.T) {
	t.Parallel()
	s := started(t)
	one := s.add(task.PhaseAddPayload{})
	final := s.add(task.PhaseAddPayload{Kind: task.KindFinalReview})
	why := task.PhaseReasonPayload{Phase: final, Reason: "no time"}
	s.refused(task.CodeTransition, task.OpPhaseDrop, why)
	s.superseded(task.OpPhaseDrop, why)
	s.refused(task.CodeDependencies, task.OpPhaseStart, task.PhasePayload{Phase: final})
	s.drop(one)
	s.start(final)
	s.executed(final)
	s.do(task.OpPhaseReset, task.PhaseReasonPayload{Phase: one})
	s.want(final, task.PhasePending, task.ReviewNone)
}

// Of a phase that is dropped on one clone and gone on with on another, the drop stays,
// whichever comes first; but what was approved first is completed, and what was set
// back last is pending.
func TestPhaseDrop_madeApart(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		kind         operation.Kind
		payload      func(task.UID) any
		later, first task.PhaseStatus // where the drop comes last, and first
	}{
		{task.OpPhaseStart, func(p task.UID) any {
			return task.PhasePayload{Phase: p}
		}, task.PhaseDropped, task.PhaseDropped},
		{task.OpPhaseFail, func(p task.UID) any {
			return task.PhaseReasonPayload{Phase: p, Reason: "no"}
		}, task.PhaseDropped, task.PhaseDropped},
		{task.OpPhaseReview, func(p task.UID) any {
			return task.PhaseReviewPayload{Phase: p, Verdict: task.ReviewChanges, Reason: "no"}
		}, task.PhaseDropped, task.PhaseDropped},
		{task.OpPhaseReview, func(p task.UID) any {
			return task.PhaseReviewPayload{Phase: p, Verdict: task.ReviewApproved}
		}, task.PhaseCompleted, task.PhaseDropped},
		{task.OpPhaseReset, func(p task.UID) any {
			return task.PhaseReasonPayload{Phase: p}
		}, task.PhaseDropped, task.PhasePending},
	} {
		s := started(t)
		p := s.addExecuted(task.PhaseAddPayload{})
		if row.kind == task.OpPhaseStart {
			s.reject(p, "wrong")
		}
		seen := len(s.nodes)
		drop := s.fork(seen, task.OpPhaseDrop, task.PhaseReasonPayload{Phase: p, Reason: "not wanted"}, 0)
		other := s.fork(seen, row.kind, row.payload(p), 0)
		low, high := min(drop.Op.ID, other.Op.ID), max(drop.Op.ID, other.Op.ID)
		for i, want := range []task.PhaseStatus{row.first, row.later} {
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
