package rules_test

import (
	"slices"
	"testing"

	"github.com/git-brew/git-brew/internal/task"
)

func TestPhase_plainLifeCycle_BC31_BC33(t *testing.T) {
	t.Parallel()
	s := started(t)
	a := s.add(task.PhaseAddPayload{Title: "Token model"})
	b := s.add(task.PhaseAddPayload{Title: "Login endpoint", DependsOn: []task.UID{a}})
	s.refused(task.CodeDependencies, task.OpPhaseStart, task.PhasePayload{Phase: b})
	s.refused(task.CodeTransition, task.OpPhaseDone, task.PhasePayload{Phase: a})
	s.start(a)
	if p := s.phase(a); p.ID != "1" || p.Iteration != 1 || p.StartCommit != commitA || p.StartedAt == "" ||
		s.t.Current != a {
		t.Errorf("after the start: %+v, current %s", p, s.t.Current)
	}
	s.refused(task.CodeTransition, task.OpPhaseStart, task.PhasePayload{Phase: a})
	s.refused(task.CodeTransition, task.OpPhaseReview, task.PhaseReviewPayload{Phase: a, Verdict: task.ReviewApproved})
	s.executed(a)
	if p := s.phase(a); p.EndCommit != commitB || p.CompletedAt != "" || p.WorkedSeconds <= 0 {
		t.Errorf("after the work: %+v", p)
	}
	s.approve(a)
	s.want(a, task.PhaseCompleted, task.ReviewApproved)
	if p := s.phase(a); p.CompletedAt == "" || s.t.Current != "" {
		t.Errorf("after the review: %+v, current %q", p, s.t.Current)
	}
	s.start(b)
	if s.phase(b).ID != "2" || s.t.Current != b {
		t.Errorf("current is %s", s.t.Current)
	}
}

func TestPhase_iterationCountsStarts_BC31(t *testing.T) {
	t.Parallel()
	s := started(t)
	p := s.add(task.PhaseAddPayload{})
	s.start(p)
	s.do(task.OpPause, task.PausePayload{Cause: task.CauseHandoff})
	s.want(p, task.PhaseInProgress, task.ReviewNone)
	worked := s.phase(p).WorkedSeconds
	s.minute += 600 // nobody works on it
	s.do(task.OpResume, task.EmptyPayload{})
	s.want(p, task.PhaseInProgress, task.ReviewNone)
	s.executed(p)
	if got := s.phase(p); got.Iteration != 1 || got.WorkedSeconds != worked+60 {
		t.Errorf("a hand-off is no start and no work: %+v", got)
	}
	s.reject(p, "no tests")
	s.start(p)
	if got := s.phase(p); got.Iteration != 2 || got.Review != task.ReviewNone {
		t.Errorf("rework: %+v", got)
	}
	s.do(task.OpPhaseFail, task.PhaseReasonPayload{Phase: p, Reason: "stuck"})
	s.start(p)
	if got := s.phase(p); got.Iteration != 3 || got.Reason != "" {
		t.Errorf("retry: %+v", got)
	}
	s.do(task.OpPhaseReset, task.PhaseReasonPayload{Phase: p})
	s.start(p)
	if got := s.phase(p); got.Iteration != 4 {
		t.Errorf("a reset forgets no iteration: %+v", got)
	}
}

// BC-36, SP-10, SP-11: fix phases, several levels, all numbered P.n.
func TestPhase_fixPhases_SP10(t *testing.T) {
	t.Parallel()
	s := started(t)
	p := s.add(task.PhaseAddPayload{})
	s.refused(task.CodeTransition, task.OpPhaseAdd, task.PhaseAddPayload{Title: "Fix", Kind: task.KindFix, Parent: p})
	s.start(p)
	s.executed(p)
	s.reject(p, "expiry is wrong")
	s.want(p, task.PhaseInReview, task.ReviewChanges)
	f1 := s.add(task.PhaseAddPayload{Title: "Fix expiry", Kind: task.KindFix, Parent: p})
	s.refused(task.CodeOpenFixes, task.OpPhaseReview, task.PhaseReviewPayload{Phase: p, Verdict: task.ReviewApproved})
	s.superseded(task.OpPhaseReview, task.PhaseReviewPayload{Phase: p, Verdict: task.ReviewApproved})
	s.refused(task.CodeDependencies, task.OpPhaseStart, task.PhasePayload{Phase: p})
	s.start(f1)
	s.executed(f1)
	s.reject(f1, "still wrong")
	f2 := s.add(task.PhaseAddPayload{Title: "Fix the fix", Kind: task.KindFix, Parent: f1})
	if a, b := s.phase(f1), s.phase(f2); a.ID != "1.1" || b.ID != "1.2" || b.Parent != p || b.Fixes != f1 {
		t.Errorf("fix ids %s, %s of %s", a.ID, b.ID, b.Parent)
	}
	s.complete(f2)
	s.want(f1, task.PhaseInReview, task.ReviewNone)
	s.want(p, task.PhaseInReview, task.ReviewChanges)
	s.approve(f1)
	s.want(p, task.PhaseInReview, task.ReviewNone)
	if s.t.Current != p {
		t.Errorf("current is %s, want the phase that is up for review", s.t.Current)
	}
	s.approve(p)
	s.want(p, task.PhaseCompleted, task.ReviewApproved)
}

// BC-36, BC-50: a verification completes its phase, and a fix asks for it anew.
func TestPhase_verification_BC36_BC50(t *testing.T) {
	t.Parallel()
	s := started(t)
	p := s.add(task.PhaseAddPayload{})
	v := s.add(task.PhaseAddPayload{Kind: task.KindVerification, Parent: p, DependsOn: []task.UID{p}})
	if s.phase(v).ID != "1V" || len(s.phase(v).DependsOn) != 0 {
		t.Errorf("verification: %+v", s.phase(v))
	}
	s.refused(task.CodeDependencies, task.OpPhaseStart, task.PhasePayload{Phase: v})
	s.start(p)
	s.executed(p)
	s.refused(task.CodeVerification, task.OpPhaseReview, task.PhaseReviewPayload{Phase: p, Verdict: task.ReviewApproved})
	s.superseded(task.OpPhaseReview, task.PhaseReviewPayload{Phase: p, Verdict: task.ReviewApproved})
	s.start(v)
	s.executed(v)
	s.reject(v, "two tests fail")
	s.want(v, task.PhasePending, task.ReviewNone)
	s.want(p, task.PhaseInReview, task.ReviewChanges)
	s.refused(task.CodeDependencies, task.OpPhaseStart, task.PhasePayload{Phase: v})
	f := s.add(task.PhaseAddPayload{Kind: task.KindFix, Parent: p})
	s.complete(f)
	s.want(p, task.PhaseInReview, task.ReviewNone)
	s.want(v, task.PhasePending, task.ReviewNone)
	s.start(v)
	s.executed(v)
	// A fix made meanwhile makes the verification worthless.
	late := s.add(task.PhaseAddPayload{Kind: task.KindFix, Parent: p})
	s.want(v, task.PhasePending, task.ReviewNone)
	s.superseded(task.OpPhaseReview, task.PhaseReviewPayload{Phase: v, Verdict: task.ReviewApproved})
	s.complete(late)
	s.complete(v)
	s.want(p, task.PhaseCompleted, task.ReviewApproved)
	if got := s.phase(v).Iteration; got != 3 {
		t.Errorf("verification ran %d times", got)
	}
	s.superseded(task.OpPhaseAdd, task.PhaseAddPayload{Title: "Late", Kind: task.KindVerification, Parent: p})
	// What completed it is to be done again: so is the completion.
	s.do(task.OpPhaseReset, task.PhaseReasonPayload{Phase: v, Reason: "it looked at the wrong build"})
	s.want(v, task.PhasePending, task.ReviewNone)
	s.want(p, task.PhaseInReview, task.ReviewNone)
	s.complete(v)
	s.do(task.OpPhaseReset, task.PhaseReasonPayload{Phase: late, Reason: "it broke something else"})
	s.want(late, task.PhasePending, task.ReviewNone)
	s.want(p, task.PhaseInReview, task.ReviewNone)
	s.want(v, task.PhasePending, task.ReviewNone)
}

func TestPhase_split(t *testing.T) {
	t.Parallel()
	s := started(t)
	s.add(task.PhaseAddPayload{})
	p := s.add(task.PhaseAddPayload{})
	next := s.add(task.PhaseAddPayload{DependsOn: []task.UID{p}})
	s.start(p)
	a := s.add(task.PhaseAddPayload{Kind: task.KindSplit, Parent: p})
	b := s.add(task.PhaseAddPayload{Kind: task.KindSplit, Parent: p})
	s.want(p, task.PhasePending, task.ReviewNone)
	if got := []string{s.t.Phases[1].ID, s.t.Phases[2].ID, s.t.Phases[3].ID, s.t.Phases[4].ID}; !slices.Equal(got,
		[]string{"2", "2a", "2b", "3"}) {
		t.Errorf("order %v", got)
	}
	s.refused(task.CodeDependencies, task.OpPhaseStart, task.PhasePayload{Phase: p})
	s.complete(a)
	s.want(p, task.PhasePending, task.ReviewNone)
	s.complete(b)
	s.want(p, task.PhaseInReview, task.ReviewNone)
	s.refused(task.CodeDependencies, task.OpPhaseStart, task.PhasePayload{Phase: next})
	s.approve(p)
	s.start(next)
}

// BC-51: a failure reaches dependants of dependants, and nobody else; a retry
// takes it back.
func TestPhase_failureCascade_BC51(t *testing.T) {
	t.Parallel()
	s := started(t)
	one := s.add(task.PhaseAddPayload{})
	two := s.add(task.PhaseAddPayload{DependsOn: []task.UID{one}})
	part := s.add(task.PhaseAddPayload{Kind: task.KindSplit, Parent: two})
	three := s.add(task.PhaseAddPayload{DependsOn: []task.UID{two}})
	free := s.add(task.PhaseAddPayload{})
	s.refused(task.CodeInvalid, task.OpPhaseFail, task.PhaseReasonPayload{Phase: one, Reason: " "})
	s.complete(one)
	s.start(part)
	s.do(task.OpPhaseFail, task.PhaseReasonPayload{Phase: part, Reason: "no way"})
	for uid, reason := range map[task.UID]string{part: "no way", two: "depends on 2a", three: "depends on 2"} {
		s.want(uid, task.PhaseFailed, task.ReviewNone)
		if got := s.phase(uid).Reason; got != reason {
			t.Errorf("phase %s failed for %q, want %q", s.phase(uid).ID, got, reason)
		}
	}
	s.want(one, task.PhaseCompleted, task.ReviewApproved)
	s.want(free, task.PhasePending, task.ReviewNone)
	s.start(part)
	s.want(two, task.PhasePending, task.ReviewNone)
	s.want(three, task.PhasePending, task.ReviewNone)
	if p := s.phase(three); p.Reason != "" || p.FailedBy != "" {
		t.Errorf("revived: %+v", p)
	}
}

// A fix of what was given up, and a verification of it, are given up with it;
// what is tried again gets both back.
func TestPhase_failureTakesFixesAlong_BC51(t *testing.T) {
	t.Parallel()
	s := specified(t)
	one := s.add(task.PhaseAddPayload{})
	v := s.add(task.PhaseAddPayload{Kind: task.KindVerification, Parent: one})
	free := s.add(task.PhaseAddPayload{})
	s.start(one)
	s.executed(one)
	done := s.add(task.PhaseAddPayload{Kind: task.KindFix, Parent: one})
	s.complete(done)
	fix := s.addExecuted(task.PhaseAddPayload{Kind: task.KindFix, Parent: one})
	deeper := s.add(task.PhaseAddPayload{Kind: task.KindFix, Parent: fix})
	s.start(deeper)

	// Whatever ends the task only pauses them.
	s.do(task.OpFinish, task.FinishPayload{Status: task.Cancelled, Reason: "not now"})
	s.want(deeper, task.PhaseInProgress, task.ReviewNone)
	s.do(task.OpStart, task.StartPayload{Restart: true})
	s.want(deeper, task.PhaseInProgress, task.ReviewNone)

	s.do(task.OpPhaseFail, task.PhaseReasonPayload{Phase: one, Reason: "no way"})
	for uid, reason := range map[task.UID]string{one: "no way", v: "verifies 1", fix: "repairs 1", deeper: "repairs 1.2"} {
		if p := s.phase(uid); p.Status != task.PhaseFailed || p.Reason != reason || p.WorkSince != "" {
			t.Errorf("phase %s is %s for %q, since %q; want failed for %q", p.ID, p.Status, p.Reason, p.WorkSince, reason)
		}
	}
	s.want(done, task.PhaseCompleted, task.ReviewApproved)
	s.want(free, task.PhasePending, task.ReviewNone)
	s.next3("plan", "phase-execution", "2")
	s.complete(free)
	s.next3("retry", "phase-execution", "1")

	s.start(one)
	for _, uid := range []task.UID{v, fix, deeper} {
		s.want(uid, task.PhasePending, task.ReviewNone)
	}
	s.next3("execute", "phase-execution", "1")
	s.executed(one)
	s.refused(task.CodeDependencies, task.OpPhaseStart, task.PhasePayload{Phase: deeper}) // there is nothing to mend yet
	s.start(fix)
	s.executed(fix)
	s.complete(deeper)
	s.approve(fix)
	s.complete(v)
	s.want(one, task.PhaseCompleted, task.ReviewApproved)
}

func TestShownIDs(t *testing.T) {
	t.Parallel()
	s := started(t)
	one := s.add(task.PhaseAddPayload{})
	us := s.add(task.PhaseAddPayload{ShownID: "US-003"})
	s.add(task.PhaseAddPayload{ShownID: "7"})
	s.add(task.PhaseAddPayload{})
	s.add(task.PhaseAddPayload{Kind: task.KindResearch, Parent: one})
	s.add(task.PhaseAddPayload{Kind: task.KindResearch, Parent: one})
	s.add(task.PhaseAddPayload{Kind: task.KindVerification, Parent: us})
	s.add(task.PhaseAddPayload{After: one, Title: "Between"})
	s.add(task.PhaseAddPayload{Kind: task.KindFinalReview})
	s.add(task.PhaseAddPayload{Kind: task.KindFinalReview})
	s.refused(task.CodeTaken, task.OpPhaseAdd, task.PhaseAddPayload{Title: "x", ShownID: "us-003"})
	s.refused(task.CodeInvalid, task.OpPhaseAdd, task.PhaseAddPayload{Title: "x", ShownID: "../x"})
	s.force(s.next(task.OpPhaseAdd, task.PhaseAddPayload{Title: "x", ShownID: "us-003"}))
	var got []string
	for _, p := range s.t.Phases {
		got = append(got, p.ID)
	}
	want := []string{"1", "1R", "1R2", "9", "US-003", "US-003V", "7", "8", "FR", "FR2", "10"}
	if !slices.Equal(got, want) {
		t.Errorf("ids %v, want %v", got, want)
	}
	for arg, want := range map[string]string{
		"us-003": "US-003", "01": "1", "phase-07": "7", "fr": "FR",
		string(one): "1",
	} {
		if p, err := s.t.FindPhase(arg); err != nil || p.ID != want {
			t.Errorf("FindPhase(%q) = %s, %v", arg, p.ID, err)
		}
	}
}

// A phase is one change however often it is worked on: its start stays until it
// is reset, so that a review of the second iteration sees the first one too.
func TestPhase_SP12_startCommitOutlivesIterations(t *testing.T) {
	t.Parallel()
	s := started(t)
	p := s.addExecuted(task.PhaseAddPayload{})
	s.reject(p, "again")
	s.do(task.OpPhaseStart, task.PhasePayload{Phase: p, Commit: commitB})
	if got := s.phase(p); got.StartCommit != commitA || got.EndCommit != "" || got.Iteration != 2 {
		t.Errorf("second iteration: %+v", got)
	}
	s.do(task.OpPhaseReset, task.PhaseReasonPayload{Phase: p})
	s.do(task.OpPhaseStart, task.PhasePayload{Phase: p, Commit: commitB})
	if got := s.phase(p); got.StartCommit != commitB {
		t.Errorf("after a reset: %+v", got)
	}
}
