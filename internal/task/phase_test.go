package task_test

import (
	"slices"
	"testing"

	. "github.com/git-brew/git-brew/internal/task"
)

func TestPhase_plainLifeCycle_BC31_BC33(t *testing.T) {
	t.Parallel()
	s := started(t)
	a := s.add(PhaseAddPayload{Title: "Token model"})
	b := s.add(PhaseAddPayload{Title: "Login endpoint", DependsOn: []UID{a}})
	s.refused(CodeDependencies, OpPhaseStart, PhasePayload{Phase: b})
	s.refused(CodeTransition, OpPhaseDone, PhasePayload{Phase: a})
	s.start(a)
	if p := s.phase(a); p.ID != "1" || p.Iteration != 1 || p.StartCommit != commitA || p.StartedAt == "" || s.t.Current != a {
		t.Errorf("after the start: %+v, current %s", p, s.t.Current)
	}
	s.refused(CodeTransition, OpPhaseStart, PhasePayload{Phase: a})
	s.refused(CodeTransition, OpPhaseReview, PhaseReviewPayload{Phase: a, Verdict: ReviewApproved})
	s.executed(a)
	if p := s.phase(a); p.EndCommit != commitB || p.CompletedAt != "" || p.WorkedSeconds <= 0 {
		t.Errorf("after the work: %+v", p)
	}
	s.approve(a)
	s.want(a, PhaseCompleted, ReviewApproved)
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
	p := s.add(PhaseAddPayload{})
	s.start(p)
	s.do(OpPause, PausePayload{Cause: CauseHandoff})
	s.want(p, PhaseInProgress, ReviewNone)
	worked := s.phase(p).WorkedSeconds
	s.minute += 600 // nobody works on it
	s.do(OpResume, EmptyPayload{})
	s.want(p, PhaseInProgress, ReviewNone)
	s.executed(p)
	if got := s.phase(p); got.Iteration != 1 || got.WorkedSeconds != worked+60 {
		t.Errorf("a hand-off is no start and no work: %+v", got)
	}
	s.reject(p, "no tests")
	s.start(p)
	if got := s.phase(p); got.Iteration != 2 || got.Review != ReviewNone {
		t.Errorf("rework: %+v", got)
	}
	s.do(OpPhaseFail, PhaseReasonPayload{Phase: p, Reason: "stuck"})
	s.start(p)
	if got := s.phase(p); got.Iteration != 3 || got.Reason != "" {
		t.Errorf("retry: %+v", got)
	}
	s.do(OpPhaseReset, PhaseReasonPayload{Phase: p})
	s.start(p)
	if got := s.phase(p); got.Iteration != 4 {
		t.Errorf("a reset forgets no iteration: %+v", got)
	}
}

// BC-36, SP-10, SP-11: fix phases, several levels, all numbered P.n.
func TestPhase_fixPhases_SP10(t *testing.T) {
	t.Parallel()
	s := started(t)
	p := s.add(PhaseAddPayload{})
	s.refused(CodeTransition, OpPhaseAdd, PhaseAddPayload{Title: "Fix", Kind: KindFix, Parent: p})
	s.start(p)
	s.executed(p)
	s.reject(p, "expiry is wrong")
	s.want(p, PhaseInReview, ReviewChanges)
	f1 := s.add(PhaseAddPayload{Title: "Fix expiry", Kind: KindFix, Parent: p})
	s.refused(CodeOpenFixes, OpPhaseReview, PhaseReviewPayload{Phase: p, Verdict: ReviewApproved})
	s.superseded(OpPhaseReview, PhaseReviewPayload{Phase: p, Verdict: ReviewApproved})
	s.refused(CodeDependencies, OpPhaseStart, PhasePayload{Phase: p})
	s.start(f1)
	s.executed(f1)
	s.reject(f1, "still wrong")
	f2 := s.add(PhaseAddPayload{Title: "Fix the fix", Kind: KindFix, Parent: f1})
	if a, b := s.phase(f1), s.phase(f2); a.ID != "1.1" || b.ID != "1.2" || b.Parent != p || b.Fixes != f1 {
		t.Errorf("fix ids %s, %s of %s", a.ID, b.ID, b.Parent)
	}
	s.complete(f2)
	s.want(f1, PhaseInReview, ReviewNone)
	s.want(p, PhaseInReview, ReviewChanges)
	s.approve(f1)
	s.want(p, PhaseInReview, ReviewNone)
	if s.t.Current != p {
		t.Errorf("current is %s, want the phase that is up for review", s.t.Current)
	}
	s.approve(p)
	s.want(p, PhaseCompleted, ReviewApproved)
}

// BC-36, BC-50: a verification completes its phase, and a fix asks for it anew.
func TestPhase_verification_BC36_BC50(t *testing.T) {
	t.Parallel()
	s := started(t)
	p := s.add(PhaseAddPayload{})
	v := s.add(PhaseAddPayload{Kind: KindVerification, Parent: p, DependsOn: []UID{p}})
	if s.phase(v).ID != "1V" || len(s.phase(v).DependsOn) != 0 {
		t.Errorf("verification: %+v", s.phase(v))
	}
	s.refused(CodeDependencies, OpPhaseStart, PhasePayload{Phase: v})
	s.start(p)
	s.executed(p)
	s.refused(CodeVerification, OpPhaseReview, PhaseReviewPayload{Phase: p, Verdict: ReviewApproved})
	s.superseded(OpPhaseReview, PhaseReviewPayload{Phase: p, Verdict: ReviewApproved})
	s.start(v)
	s.executed(v)
	s.reject(v, "two tests fail")
	s.want(v, PhasePending, ReviewNone)
	s.want(p, PhaseInReview, ReviewChanges)
	s.refused(CodeDependencies, OpPhaseStart, PhasePayload{Phase: v})
	f := s.add(PhaseAddPayload{Kind: KindFix, Parent: p})
	s.complete(f)
	s.want(p, PhaseInReview, ReviewNone)
	s.want(v, PhasePending, ReviewNone)
	s.start(v)
	s.executed(v)
	// A fix made meanwhile makes the verification worthless.
	late := s.add(PhaseAddPayload{Kind: KindFix, Parent: p})
	s.want(v, PhasePending, ReviewNone)
	s.superseded(OpPhaseReview, PhaseReviewPayload{Phase: v, Verdict: ReviewApproved})
	s.complete(late)
	s.complete(v)
	s.want(p, PhaseCompleted, ReviewApproved)
	if got := s.phase(v).Iteration; got != 3 {
		t.Errorf("verification ran %d times", got)
	}
	s.superseded(OpPhaseAdd, PhaseAddPayload{Title: "Late", Kind: KindVerification, Parent: p})
	// What completed it is to be done again: so is the completion.
	s.do(OpPhaseReset, PhaseReasonPayload{Phase: v, Reason: "it looked at the wrong build"})
	s.want(v, PhasePending, ReviewNone)
	s.want(p, PhaseInReview, ReviewNone)
	s.complete(v)
	s.do(OpPhaseReset, PhaseReasonPayload{Phase: late, Reason: "it broke something else"})
	s.want(late, PhasePending, ReviewNone)
	s.want(p, PhaseInReview, ReviewNone)
	s.want(v, PhasePending, ReviewNone)
}

func TestPhase_split(t *testing.T) {
	t.Parallel()
	s := started(t)
	s.add(PhaseAddPayload{})
	p := s.add(PhaseAddPayload{})
	next := s.add(PhaseAddPayload{DependsOn: []UID{p}})
	s.start(p)
	a := s.add(PhaseAddPayload{Kind: KindSplit, Parent: p})
	b := s.add(PhaseAddPayload{Kind: KindSplit, Parent: p})
	s.want(p, PhasePending, ReviewNone)
	if got := []string{s.t.Phases[1].ID, s.t.Phases[2].ID, s.t.Phases[3].ID, s.t.Phases[4].ID}; !slices.Equal(got, []string{"2", "2a", "2b", "3"}) {
		t.Errorf("order %v", got)
	}
	s.refused(CodeDependencies, OpPhaseStart, PhasePayload{Phase: p})
	s.complete(a)
	s.want(p, PhasePending, ReviewNone)
	s.complete(b)
	s.want(p, PhaseInReview, ReviewNone)
	s.refused(CodeDependencies, OpPhaseStart, PhasePayload{Phase: next})
	s.approve(p)
	s.start(next)
}

// BC-51: a failure reaches dependants of dependants, and nobody else; a retry
// takes it back.
func TestPhase_failureCascade_BC51(t *testing.T) {
	t.Parallel()
	s := started(t)
	one := s.add(PhaseAddPayload{})
	two := s.add(PhaseAddPayload{DependsOn: []UID{one}})
	part := s.add(PhaseAddPayload{Kind: KindSplit, Parent: two})
	three := s.add(PhaseAddPayload{DependsOn: []UID{two}})
	free := s.add(PhaseAddPayload{})
	s.refused(CodeInvalid, OpPhaseFail, PhaseReasonPayload{Phase: one, Reason: " "})
	s.complete(one)
	s.start(part)
	s.do(OpPhaseFail, PhaseReasonPayload{Phase: part, Reason: "no way"})
	for uid, reason := range map[UID]string{part: "no way", two: "depends on 2a", three: "depends on 2"} {
		s.want(uid, PhaseFailed, ReviewNone)
		if got := s.phase(uid).Reason; got != reason {
			t.Errorf("phase %s failed for %q, want %q", s.phase(uid).ID, got, reason)
		}
	}
	s.want(one, PhaseCompleted, ReviewApproved)
	s.want(free, PhasePending, ReviewNone)
	s.start(part)
	s.want(two, PhasePending, ReviewNone)
	s.want(three, PhasePending, ReviewNone)
	if p := s.phase(three); p.Reason != "" || p.FailedBy != "" {
		t.Errorf("revived: %+v", p)
	}
}

// A fix of what was given up, and a verification of it, are given up with it;
// what is tried again gets both back.
func TestPhase_failureTakesFixesAlong_BC51(t *testing.T) {
	t.Parallel()
	s := specified(t)
	one := s.add(PhaseAddPayload{})
	v := s.add(PhaseAddPayload{Kind: KindVerification, Parent: one})
	free := s.add(PhaseAddPayload{})
	s.start(one)
	s.executed(one)
	done := s.add(PhaseAddPayload{Kind: KindFix, Parent: one})
	s.complete(done)
	fix := s.addExecuted(PhaseAddPayload{Kind: KindFix, Parent: one})
	deeper := s.add(PhaseAddPayload{Kind: KindFix, Parent: fix})
	s.start(deeper)

	// Whatever ends the task only pauses them.
	s.do(OpFinish, FinishPayload{Status: Cancelled, Reason: "not now"})
	s.want(deeper, PhaseInProgress, ReviewNone)
	s.do(OpStart, StartPayload{Restart: true})
	s.want(deeper, PhaseInProgress, ReviewNone)

	s.do(OpPhaseFail, PhaseReasonPayload{Phase: one, Reason: "no way"})
	for uid, reason := range map[UID]string{one: "no way", v: "verifies 1", fix: "repairs 1", deeper: "repairs 1.2"} {
		if p := s.phase(uid); p.Status != PhaseFailed || p.Reason != reason || p.WorkSince != "" {
			t.Errorf("phase %s is %s for %q, since %q; want failed for %q", p.ID, p.Status, p.Reason, p.WorkSince, reason)
		}
	}
	s.want(done, PhaseCompleted, ReviewApproved)
	s.want(free, PhasePending, ReviewNone)
	s.next3("plan", "phase-execution", "2")
	s.complete(free)
	s.next3("retry", "phase-execution", "1")

	s.start(one)
	for _, uid := range []UID{v, fix, deeper} {
		s.want(uid, PhasePending, ReviewNone)
	}
	s.next3("execute", "phase-execution", "1")
	s.executed(one)
	s.refused(CodeDependencies, OpPhaseStart, PhasePayload{Phase: deeper}) // there is nothing to mend yet
	s.start(fix)
	s.executed(fix)
	s.complete(deeper)
	s.approve(fix)
	s.complete(v)
	s.want(one, PhaseCompleted, ReviewApproved)
}

func TestShownIDs(t *testing.T) {
	t.Parallel()
	s := started(t)
	one := s.add(PhaseAddPayload{})
	us := s.add(PhaseAddPayload{ShownID: "US-003"})
	s.add(PhaseAddPayload{ShownID: "7"})
	s.add(PhaseAddPayload{})
	s.add(PhaseAddPayload{Kind: KindResearch, Parent: one})
	s.add(PhaseAddPayload{Kind: KindResearch, Parent: one})
	s.add(PhaseAddPayload{Kind: KindVerification, Parent: us})
	s.add(PhaseAddPayload{After: one, Title: "Between"})
	s.add(PhaseAddPayload{Kind: KindFinalReview})
	s.add(PhaseAddPayload{Kind: KindFinalReview})
	s.refused(CodeTaken, OpPhaseAdd, PhaseAddPayload{Title: "x", ShownID: "us-003"})
	s.refused(CodeInvalid, OpPhaseAdd, PhaseAddPayload{Title: "x", ShownID: "../x"})
	s.force(s.next(OpPhaseAdd, PhaseAddPayload{Title: "x", ShownID: "us-003"}))
	var got []string
	for _, p := range s.t.Phases {
		got = append(got, p.ID)
	}
	want := []string{"1", "1R", "1R2", "9", "US-003", "US-003V", "7", "8", "FR", "FR2", "10"}
	if !slices.Equal(got, want) {
		t.Errorf("ids %v, want %v", got, want)
	}
	for arg, want := range map[string]string{"us-003": "US-003", "01": "1", "phase-07": "7", "fr": "FR", string(one): "1"} {
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
	p := s.addExecuted(PhaseAddPayload{})
	s.reject(p, "again")
	s.do(OpPhaseStart, PhasePayload{Phase: p, Commit: commitB})
	if got := s.phase(p); got.StartCommit != commitA || got.EndCommit != "" || got.Iteration != 2 {
		t.Errorf("second iteration: %+v", got)
	}
	s.do(OpPhaseReset, PhaseReasonPayload{Phase: p})
	s.do(OpPhaseStart, PhasePayload{Phase: p, Commit: commitB})
	if got := s.phase(p); got.StartCommit != commitB {
		t.Errorf("after a reset: %+v", got)
	}
}
