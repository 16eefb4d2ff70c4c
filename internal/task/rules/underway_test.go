package rules_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/route"
)

// crew is a task whose first three phases are worked on: 1 by worker w1, 2 by
// session s1 for itself, 3 by nobody who said so; the fourth is ready.
func crew(tb testing.TB) (s *story, phases []task.UID) {
	tb.Helper()
	s = specified(tb)
	for range 4 {
		phases = append(phases, s.planned())
	}
	for i, claim := range []task.PhasePayload{{Claimed: true, Worker: "w1"}, {Claimed: true}, {}} {
		claim.Phase, claim.Commit = phases[i], commitA
		op := s.next(task.OpPhaseStart, claim)
		op.Session = "s1"
		s.force(op)
	}
	return s, phases
}

// S-11: whoever claimed a phase is told what comes next for that one, and who
// claimed none is told of all.
func TestNextFor_S11(t *testing.T) {
	t.Parallel()
	w1, w9, s1, s9 := route.Assignee{Worker: "w1", Session: "s1"}, route.Assignee{Worker: "w9", Session: "s1"},
		route.Assignee{Session: "s1"}, route.Assignee{Session: "s9"}
	for _, row := range []struct {
		name string
		make func(s *story, phases []task.UID)
		who  route.Assignee
		want string
		why  string
	}{
		{"a worker", nil, w1, "execute 1 git brew phase done 1", "phase 1 is under way, iteration 1"},
		{"a session that claimed one itself", nil, s1, "execute 2 git brew phase done 2", "phase 2 is under way"},
		{"another session", nil, s9, "execute  git brew phase done 3", "phases 1 by w1, 2 by session s1 and 3 are under way"},
		{"a person", nil, route.Assignee{}, "execute  git brew phase done 3", "phases 1 by w1"},
		{"a worker that has none", nil, w9, "execute 4 git brew next --claim --worker w9", "phase 4 is ready"},
		{
			"a worker that has none, and none is left", func(s *story, phases []task.UID) { s.start(phases[3]) }, w9,
			"wait  git brew next --all", "worked on are 1 by w1, 2 by session s1, 3 and 4",
		},
		{
			"a worker whose phase awaits its review", func(s *story, phases []task.UID) { s.executed(phases[0]) }, w1,
			"review 1 git brew phase approve 1", "is in review",
		},
		{"a worker whose phase was rejected", func(s *story, phases []task.UID) {
			s.executed(phases[0])
			s.reject(phases[0], "no test")
		}, w1, "revise 1 git brew phase revise 1 --worker w1", "wants changes: no test"},
		{"a worker whose phase is done", func(s *story, phases []task.UID) {
			s.executed(phases[0])
			s.approve(phases[0])
		}, w1, "execute 4 git brew next --claim --worker w1", "phase 4 is ready"},
		{"a worker that has two, of which one is executed", func(s *story, phases []task.UID) {
			s.executed(phases[0])
			s.do(task.OpPhaseStart, task.PhasePayload{Phase: phases[3], Commit: commitA, Claimed: true, Worker: "w1"})
		}, w1, "execute 4 git brew phase done 4", "phase 4 is under way"},
		{"one alone is left", func(s *story, phases []task.UID) {
			s.executed(phases[0])
			s.executed(phases[1])
		}, route.Assignee{}, "execute 3 git brew phase done 3", "phase 3 is under way"},
		{"a worker, and the task is paused", func(s *story, _ []task.UID) {
			s.do(task.OpPause, task.PausePayload{Cause: task.CauseWaiting, Reason: "the key"})
		}, w1, "start  git brew start", "the key"},
		{"a worker, and a hook failed", func(s *story, _ []task.UID) {
			s.do(task.OpStepHook, task.StepHookPayload{
				Step: task.StepExecute, When: task.HookPost,
				Runs: []task.HookRun{hookRun("ops/x", task.HookFailed, false)},
			})
		}, w1, "hook  git brew pipeline retry", "ops/x"},
		{"a worker that has none, and a hook failed", func(s *story, _ []task.UID) {
			s.do(task.OpStepHook, task.StepHookPayload{
				Step: task.StepExecute, When: task.HookPost,
				Runs: []task.HookRun{hookRun("ops/x", task.HookFailed, false)},
			})
		}, w9, "hook  git brew pipeline retry", "ops/x"},
		{"a worker that has none, and the task is paused", func(s *story, _ []task.UID) {
			s.do(task.OpPause, task.PausePayload{Cause: task.CauseWaiting, Reason: "the key"})
		}, w9, "start  git brew start", "the key"},
		{"a worker that has none, back in the discussion", func(s *story, _ []task.UID) {
			s.do(task.OpStage, task.StagePayload{Stage: task.StageClarify})
		}, w9, "research  git brew stage research", "no question"},
		{"a worker that has none, and what is ready has no plan", func(s *story, phases []task.UID) {
			s.start(phases[3])
			s.add(task.PhaseAddPayload{})
		}, w9, "plan 5 git brew doc set phases/5/plan -", "phase 5 is ready and has no plan"},
		{
			"a worker that has none, and nobody's work is up for review",
			func(s *story, phases []task.UID) { s.executed(phases[2]) }, w9, "review 3 git brew phase approve 3",
			"is in review",
		},
		{
			"a worker that has none, and another one's work is", func(s *story, phases []task.UID) { s.executed(phases[0]) }, w9,
			"execute 4 git brew next --claim --worker w9", "phase 4 is ready",
		},
		{"a worker that has none, and nothing but another one's work is left", func(s *story, phases []task.UID) {
			for _, p := range phases[1:3] {
				s.executed(p)
				s.approve(p)
			}
			s.complete(phases[3])
			s.executed(phases[0])
		}, w9, "review 1 git brew phase approve 1", "is in review"},
		{"a worker that has none, and a phase failed", func(s *story, phases []task.UID) {
			s.start(phases[3])
			s.do(task.OpPhaseFail, task.PhaseReasonPayload{Phase: phases[3], Reason: "no way"})
		}, w9, "retry 4 git brew phase start 4 --worker w9", "no way"},
		{"a worker whose fix was rejected for the last time", func(s *story, phases []task.UID) {
			s.rejectedFix(phases[0], true)
		}, w1, "escalate 1 git brew escalate 1", "did not succeed in 2 iterations"},
		{"a worker whose fix was rejected, and research comes first", func(s *story, phases []task.UID) {
			s.rejectedFix(phases[0], true)
			s.do(task.OpPhaseEscalate, task.EscalatePayload{
				Phase: phases[0], Ladder: task.LadderBrew,
				Action: task.ActionResearch,
			})
			s.add(task.PhaseAddPayload{Title: "Why", Kind: task.KindResearch, Parent: phases[0]})
		}, w1, "research 1R git brew phase start 1R --worker w1", "1R is ready"},
		{"a worker whose fix waits for research that another one does", func(s *story, phases []task.UID) {
			s.rejectedFix(phases[0], true)
			s.do(task.OpPhaseEscalate, task.EscalatePayload{
				Phase: phases[0], Ladder: task.LadderBrew,
				Action: task.ActionResearch,
			})
			r := s.add(task.PhaseAddPayload{Title: "Why", Kind: task.KindResearch, Parent: phases[0]})
			s.do(task.OpPhaseStart, task.PhasePayload{Phase: r, Commit: commitA, Claimed: true, Worker: "w2"})
		}, w1, "execute 4 git brew next --claim --worker w1", "phase 4 is ready"},
		{"a worker who began what its phase needs, and did not claim it", func(s *story, phases []task.UID) {
			s.executed(phases[0])
			s.reject(phases[0], "no test")
			s.start(s.add(task.PhaseAddPayload{Title: "Fix", Kind: task.KindFix, Parent: phases[0]}))
		}, w1, "execute 1.1 git brew phase done 1.1", "1.1 is under way"},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			s, phases := crew(t)
			if row.make != nil {
				row.make(s, phases)
			}
			got := route.NextFor(s.t, row.who, route.Ready(s.t))
			if is := fmt.Sprintf("%s %s %s", got.Step, got.Phase, got.Command); is != row.want ||
				!strings.Contains(got.Reason, row.why) {
				t.Errorf("%s: %s\nwant %s: %s", is, got.Reason, row.want, row.why)
			}
		})
	}
}

// rejectedFix hands a phase over, and a fix of it that worker w1 claims; both are
// rejected, the last time where it was tried too often then.
func (s *story) rejectedFix(p task.UID, spent bool) {
	s.Helper()
	s.executed(p)
	s.reject(p, "no test")
	fix := s.add(task.PhaseAddPayload{Title: "Fix", Kind: task.KindFix, Parent: p})
	s.do(task.OpPhaseStart, task.PhasePayload{Phase: fix, Commit: commitA, Claimed: true, Worker: "w1"})
	s.executed(fix)
	s.do(task.OpPhaseReview, task.PhaseReviewPayload{
		Phase: fix, Verdict: task.ReviewChanges, Reason: "wrong",
		MustEscalate: spent,
	})
}

// S-11, BC-18: what the plan holds up hangs on it, too, where something else comes
// first for the task as a whole.
func TestAsksPlan_S11_BC18_besideResearch(t *testing.T) {
	t.Parallel()
	s := inStage(t, task.StageExecute)
	s.write(task.DocRoadmap, "1. {GOAL}\n")
	s.start(s.add(task.PhaseAddPayload{Kind: task.KindResearch}))
	if route.AsksPlan(s.t) {
		t.Error("nothing could begin, and the plan is read")
	}
	s.planned()
	if !route.AsksPlan(s.t) {
		t.Fatal("a phase is ready, and nobody looks at the plan")
	}
	s.t.Unready = task.NewUnready([]string{"gap"})
	if step := route.NextFor(s.t, route.Assignee{Worker: "w2"}, route.Ready(s.t)); step.Step == task.StepExecute {
		t.Errorf("a worker is told %+v", step)
	}
	if s.do(task.OpPause, task.PausePayload{Cause: task.CauseWaiting, Reason: "the key"}); route.AsksPlan(s.t) {
		t.Error("it waits, and the plan is read")
	}
}

// S-11, BC-17: what a board holds up is offered to no worker, as it is told to nobody
// else; research is.
func TestNextFor_S11_BC17_boardHoldsUp(t *testing.T) {
	t.Parallel()
	s := started(t)
	s.gap(task.DocPlan)
	s.planned()
	who := route.Assignee{Worker: "w1"}
	next := func() string {
		step := route.NextFor(s.t, who, route.Ready(s.t))
		return step.Step + " " + step.Command
	}
	if got := next(); got != "review git brew remark resolve 1" {
		t.Errorf("next is %s", got)
	}
	s.start(s.add(task.PhaseAddPayload{Kind: task.KindResearch}))
	if got := next(); got != "review git brew remark resolve 1" {
		t.Errorf("beside research: %s", got)
	}
	s.add(task.PhaseAddPayload{Kind: task.KindResearch})
	if got := task.ShownIDs(route.Ready(s.t)) + "; due " + task.ShownIDs(route.Due(s.t)); got != "R2; due 1, R2" {
		t.Errorf("ready %s", got)
	}
}

// What waits for a phase below it is not what is worked on.
func TestUnderWay_S11_withAFix(t *testing.T) {
	t.Parallel()
	s := started(t)
	one := s.planned()
	s.start(one)
	s.executed(one)
	s.start(s.add(task.PhaseAddPayload{Title: "Fix", Kind: task.KindFix, Parent: one}))
	if got := route.NamedUnderWay(route.UnderWay(s.t), "and"); got != "1.1" {
		t.Errorf("under way: %s", got)
	}
	if got := route.Next(s.t); got.Phase != "1.1" {
		t.Errorf("next: %+v", got)
	}
}

// Many are counted, not named one by one.
func TestNamedUnderWay_S11(t *testing.T) {
	t.Parallel()
	var many []task.Phase
	for i := range 9 {
		many = append(many, task.Phase{ID: fmt.Sprint(i + 1)})
	}
	for n, want := range map[int]string{
		0: "", 1: "1", 2: "1 and 2", 6: "1, 2, 3, 4, 5 and 6",
		9: "1, 2, 3, 4, 5 and 4 more",
	} {
		if got := route.NamedUnderWay(many[:n], "and"); got != want {
			t.Errorf("%d: %s, want %s", n, got, want)
		}
	}
}
