package rules_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/git-brew/git-brew/internal/task"
	. "github.com/git-brew/git-brew/internal/task/rules"
)

// verify records that a phase's commands ended as given, in a clean work tree at
// commit B.
func (s *story) verify(uid task.UID, exit ...int) task.UID {
	s.Helper()
	var runs []task.CommandRun
	for i, command := range VerifyCommands(s.t, s.phase(uid)) {
		runs = append(runs, task.CommandRun{Text: command, Exit: exit[min(i, len(exit)-1)], MS: 5})
	}
	return s.do(task.OpPhaseVerify, task.VerifyPayload{
		Phase: uid, Iteration: s.phase(uid).Iteration, Commit: commitB,
		Clean: true, Commands: runs,
	})
}

func (s *story) unverified(uid task.UID) {
	s.Helper()
	s.refused(task.CodeVerification, task.OpPhaseReview,
		task.PhaseReviewPayload{Phase: uid, Verdict: task.ReviewApproved, Verified: PassedRun(s.t, s.phase(uid))})
}

// BC-36: where a phase has commands, nothing approves it until they passed, in
// this iteration and after the last change.
func TestVerify_BC36_beforeApproval(t *testing.T) {
	t.Parallel()
	s := started(t)
	p := s.add(task.PhaseAddPayload{Verification: []string{"make test", "make lint"}})
	s.refused(task.CodeTransition, task.OpPhaseVerify,
		task.VerifyPayload{Phase: p, Iteration: 1, Commands: []task.CommandRun{{Text: "make test"}}})
	s.start(p)
	s.executed(p)
	s.unverified(p)

	s.verify(p, 0, 2)
	if v := s.phase(p).Verified; v.Passed || !VerificationFailed(s.t, s.phase(p)) {
		t.Errorf("%+v", v)
	}
	if r := s.refusal(task.CodeVerification, task.OpPhaseReview,
		task.PhaseReviewPayload{Phase: p, Verdict: task.ReviewApproved}); !strings.Contains(r.Msg, "make lint (exit 2)") {
		t.Error(r)
	}
	passed := s.verify(p, 0)
	if OwesVerification(s.t, s.phase(p)) || PassedRun(s.t, s.phase(p)) != passed {
		t.Error("a passing run does not count")
	}
	// It rests on that run, and says so.
	s.refused(task.CodeVerification, task.OpPhaseReview, task.PhaseReviewPayload{Phase: p, Verdict: task.ReviewApproved})
	s.approve(p)
	s.want(p, task.PhaseCompleted, task.ReviewApproved)
}

// The refusal leads to what can be done: a fix, the ladder where there were too
// many, a rejection by the verification that ran them.
func TestVerify_BC36_BC37_whereTheRefusalLeads(t *testing.T) {
	t.Parallel()
	s := started(t)
	p := s.add(task.PhaseAddPayload{Verification: []string{"make test"}})
	v := s.add(task.PhaseAddPayload{Verification: []string{"make lint"}})
	check := s.add(task.PhaseAddPayload{Kind: task.KindVerification, Parent: v})
	leads := func(uid task.UID, want string) {
		t.Helper()
		if r := s.refusal(task.CodeVerification, task.OpPhaseReview,
			task.PhaseReviewPayload{Phase: uid, Verdict: task.ReviewApproved}); !strings.Contains(r.Hint, want) {
			t.Errorf("%q does not lead to %q", r.Hint, want)
		}
	}
	s.start(p)
	s.executed(p)
	s.verify(p, 1)
	leads(p, "git brew phase revise 1'")
	s.do(task.OpPhaseReview, task.PhaseReviewPayload{
		Phase: p, Verdict: task.ReviewChanges, Reason: "no",
		MustEscalate: true,
	})
	leads(p, "git brew escalate 1'")
	s.start(v)
	s.executed(v)
	s.start(check)
	s.executed(check)
	s.verify(check, 1)
	leads(check, "git brew phase reject 2V -m")
}

// Which events leave a run standing that passed, and which do not.
func TestVerify_BC36_whatMakesItStale(t *testing.T) {
	t.Parallel()
	fix := func(s *story, p task.UID) task.UID {
		return s.add(task.PhaseAddPayload{Title: "Fix", Kind: task.KindFix, Parent: p})
	}
	for _, row := range []struct {
		name   string
		after  func(s *story, p task.UID)
		counts bool
	}{
		{"nothing", func(*story, task.UID) {}, true},
		{"a rejection", func(s *story, p task.UID) { s.reject(p, "no") }, true},
		{"a fix that was only added", func(s *story, p task.UID) { fix(s, p) }, true},
		{"a fix that was begun", func(s *story, p task.UID) { s.start(fix(s, p)) }, false},
		{"a fix that was executed", func(s *story, p task.UID) { f := fix(s, p); s.start(f); s.executed(f) }, false},
		{"a fix that was approved", func(s *story, p task.UID) { s.complete(fix(s, p)) }, false},
		{"verified between a fix's work and its approval", func(s *story, p task.UID) {
			f := fix(s, p)
			s.start(f)
			s.executed(f)
			s.verify(p, 0)
			s.approve(f)
		}, true},
		{"another iteration", func(s *story, p task.UID) { s.reject(p, "no"); s.start(p); s.executed(p) }, false},
		{"a failed phase that is tried again", func(s *story, p task.UID) {
			s.do(task.OpPhaseFail, task.PhaseReasonPayload{Phase: p, Reason: "stuck"})
			s.start(p)
			s.executed(p)
		}, false},
		{"a reset", func(s *story, p task.UID) {
			s.do(task.OpPhaseReset, task.PhaseReasonPayload{Phase: p})
			s.start(p)
			s.executed(p)
		}, false},
		{"parts", func(s *story, p task.UID) {
			s.complete(s.add(task.PhaseAddPayload{Kind: task.KindSplit, Parent: p}))
		}, false},
		{"a command more", func(s *story, p task.UID) {
			s.do(task.OpPhaseEdit, task.PhaseEditPayload{Phase: p, AddVerification: []string{"make e2e"}})
		}, false},
		{"a command less", func(s *story, p task.UID) {
			s.do(task.OpPhaseEdit, task.PhaseEditPayload{Phase: p, DropVerification: []string{"make lint"}})
		}, true},
	} {
		t.Run(row.name, func(t *testing.T) {
			s := started(t)
			p := s.addExecuted(task.PhaseAddPayload{Verification: []string{"make test", "make lint"}})
			s.verify(p, 0)
			row.after(s, p)
			if got := PassedRun(s.t, s.phase(p)) != ""; got != row.counts {
				t.Errorf("counts: %t", got)
			}
		})
	}
}

// A run while the phase is worked on counts where it was of the very thing that
// is handed over: not of what was there before the work, or beside it.
func TestVerify_BC36_beforeItIsHandedOver(t *testing.T) {
	t.Parallel()
	inServices := task.Commits{"api": commitA}
	for _, row := range []struct {
		name   string
		ran    task.VerifyPayload
		handed task.PhasePayload
		counts bool
	}{
		{
			"the same commit, clean",
			task.VerifyPayload{Commit: commitB, Clean: true},
			task.PhasePayload{Commit: commitB, Clean: true},
			true,
		},
		{
			"another commit",
			task.VerifyPayload{Commit: commitA, Clean: true},
			task.PhasePayload{Commit: commitB, Clean: true},
			false,
		},
		{"changes when it ran", task.VerifyPayload{Commit: commitB}, task.PhasePayload{Commit: commitB, Clean: true}, false},
		{
			"changes since, none of them committed",
			task.VerifyPayload{Commit: commitB, Clean: true},
			task.PhasePayload{Commit: commitB},
			false,
		},
		{"changes all the time", task.VerifyPayload{Commit: commitB}, task.PhasePayload{Commit: commitB}, false},
		{"no commit at all", task.VerifyPayload{}, task.PhasePayload{}, false},
		{
			"the same in a service",
			task.VerifyPayload{Commit: commitB, Clean: true, Services: inServices},
			task.PhasePayload{Commit: commitB, Clean: true, Services: inServices},
			true,
		},
		{
			"another commit in a service",
			task.VerifyPayload{Commit: commitB, Clean: true, Services: inServices},
			task.PhasePayload{Commit: commitB, Clean: true, Services: task.Commits{"api": commitB}},
			false,
		},
		{
			"a service more",
			task.VerifyPayload{Commit: commitB, Clean: true},
			task.PhasePayload{Commit: commitB, Clean: true, Services: inServices},
			false,
		},
	} {
		s := started(t)
		p := s.add(task.PhaseAddPayload{Verification: []string{"true"}})
		s.start(p)
		row.ran.Phase, row.ran.Iteration, row.ran.Commands, row.handed.Phase = p, 1, []task.CommandRun{{Text: "true"}}, p
		s.do(task.OpPhaseVerify, row.ran)
		s.do(task.OpPhaseDone, row.handed)
		if OwesVerification(s.t, s.phase(p)) == row.counts || s.phase(p).Verified.Stale == row.counts {
			t.Errorf("%s: counts is %t", row.name, !row.counts)
		}
		if !row.counts {
			s.unverified(p)
		}
	}
}

// A verification phase completes its parent: it owes both their commands.
func TestVerify_BC36_verificationPhase(t *testing.T) {
	t.Parallel()
	s := started(t)
	p := s.add(task.PhaseAddPayload{Verification: []string{"make test"}})
	v := s.add(task.PhaseAddPayload{
		Kind: task.KindVerification, Parent: p,
		Verification: []string{"make e2e", "make test"},
	})
	s.start(p)
	s.executed(p)
	if OwesVerification(s.t, s.phase(p)) {
		t.Error("its verification phase decides")
	}
	s.start(v)
	s.executed(v)
	if got := VerifyCommands(s.t, s.phase(v)); !slices.Equal(got, []string{"make test", "make e2e"}) {
		t.Errorf("commands %q", got)
	}
	s.unverified(v)
	s.verify(v, 0)
	s.reject(v, "slow")
	f := s.add(task.PhaseAddPayload{Title: "Fix", Kind: task.KindFix, Parent: p})
	s.complete(f)
	s.start(v)
	s.executed(v)
	s.unverified(v)
	s.verify(v, 0)
	s.approve(v)
	s.want(p, task.PhaseCompleted, task.ReviewApproved)
}

// In the fold: an approval that rested on a run which was overtaken is void, and
// one whose author had nothing to verify still holds.
func TestVerify_BC36_inTheFold(t *testing.T) {
	t.Parallel()
	s := started(t)
	p := s.addExecuted(task.PhaseAddPayload{Verification: []string{"true"}})
	first := s.verify(p, 0)
	f := s.add(task.PhaseAddPayload{Title: "Fix", Kind: task.KindFix, Parent: p})
	s.complete(f)
	s.superseded(task.OpPhaseReview, task.PhaseReviewPayload{Phase: p, Verdict: task.ReviewApproved, Verified: first})
	s.force(s.next(task.OpPhaseReview, task.PhaseReviewPayload{Phase: p, Verdict: task.ReviewApproved}))
	s.want(p, task.PhaseCompleted, task.ReviewApproved)
}

func TestVerify_hostilePayload(t *testing.T) {
	t.Parallel()
	s := started(t)
	p := s.add(task.PhaseAddPayload{Verification: []string{"true"}})
	s.start(p)
	ok := func() task.VerifyPayload {
		return task.VerifyPayload{Phase: p, Iteration: 1, Clean: true, Commands: []task.CommandRun{{Text: "true"}}}
	}
	for name, spoil := range map[string]func(*task.VerifyPayload){
		"no such phase":      func(v *task.VerifyPayload) { v.Phase = testUID(9999) },
		"another iteration":  func(v *task.VerifyPayload) { v.Iteration = 2 },
		"no iteration":       func(v *task.VerifyPayload) { v.Iteration = 0 },
		"no commands":        func(v *task.VerifyPayload) { v.Commands = nil },
		"too many":           func(v *task.VerifyPayload) { v.Commands = slices.Repeat(v.Commands, task.MaxItems+1) },
		"control characters": func(v *task.VerifyPayload) { v.Commands[0].Text = "a\x1b[2J" },
		"a long text":        func(v *task.VerifyPayload) { v.Commands[0].Text = strings.Repeat("x", task.MaxItem+1) },
		"a negative time":    func(v *task.VerifyPayload) { v.Commands[0].MS = -1 },
		"a strange status":   func(v *task.VerifyPayload) { v.Commands[0].Exit = -2 },
		"no commit":          func(v *task.VerifyPayload) { v.Commit = "HEAD" },
		"no commit there":    func(v *task.VerifyPayload) { v.Services = task.Commits{"../up": commitA} },
	} {
		v := ok()
		spoil(&v)
		t.Run(name, func(t *testing.T) {
			s.TB = t
			s.superseded(task.OpPhaseVerify, v)
			if Check(s.t, s.next(task.OpPhaseVerify, v)) == nil {
				t.Error("allowed")
			}
		})
	}
	s.TB = t
	s.do(task.OpPhaseVerify, ok())
}

// BC-36: a run is of what was there when it began: the phase, what it belongs to, and
// the fixes of that. What happened to others meanwhile changes nothing.
func TestWorkChanged_BC36(t *testing.T) {
	t.Parallel()
	s := started(t)
	one, two := s.addExecuted(task.PhaseAddPayload{}), s.add(task.PhaseAddPayload{})
	s.reject(one, "wrong")
	fix := s.add(task.PhaseAddPayload{Kind: task.KindFix, Parent: one})
	for _, tt := range []struct {
		name string
		do   func()
		want string // of a run of the phase, and one of its fix
	}{
		{"nothing", func() {}, ""},
		{"another phase begins", func() { s.start(two) }, ""},
		{"a fix begins", func() { s.start(fix) }, "1.1 is in progress"},
		{"and is done", func() { s.executed(fix) }, "1.1 is in review"},
		{"it begins again itself", func() {
			s.do(task.OpPhaseReset, task.PhaseReasonPayload{Phase: fix})
			s.start(fix)
			s.executed(fix)
		}, "1.1 is in review"}, // in another iteration
	} {
		before := s.t
		tt.do()
		for _, p := range []task.UID{one, fix} {
			if got := WorkChanged(before, s.t, s.phase(p)); got != tt.want {
				t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
			}
		}
		if got := WorkChanged(before, s.t, s.phase(two)); (got != "") != (tt.name == "another phase begins") {
			t.Errorf("%s: of another phase %q", tt.name, got)
		}
	}
}
