package rules_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/route"
	. "github.com/git-brew/git-brew/internal/task/rules"
)

var testLimits = LadderLimits{Iterations: 3, Junior: 3, Senior: 5}

// worked is a phase of a tier whose work was rejected some times: by rework.
func worked3(s *story, tier task.Tier, times int) task.UID {
	s.Helper()
	p := s.add(task.PhaseAddPayload{Tier: tier})
	for range times {
		s.tryAgain(p)
	}
	return p
}

// tryAgain is one more iteration that is rejected.
func (s *story) tryAgain(p task.UID) {
	s.Helper()
	s.start(p)
	s.executed(p)
	s.reject(p, "not yet")
}

func (s *story) escalate(p task.UID, ladder task.LadderName, action task.EscalationAction, agreed ...string) {
	s.Helper()
	s.do(task.OpPhaseEscalate, task.EscalatePayload{Phase: p, Ladder: ladder, Action: action, Agreed: agreed})
}

// BC-37, BR-11: every rung of every ladder, and when it is open.
func TestLadder_BC37_BR11_rungs(t *testing.T) {
	t.Parallel()
	both := []string{"reviewer", "tester"}
	for _, row := range []struct {
		ladder     task.LadderName
		tier       task.Tier
		iterations int // rejected ones
		escalated  int // times before, each after the last iteration
		action     task.EscalationAction
		agreed     []string
		refusal    string // a part of it; "" where the rung is open
	}{
		{task.LadderBrew, task.TierAuto, 2, 0, task.ActionResearch, nil, "has had 2 of 3 iterations"},
		{task.LadderBrew, task.TierAuto, 3, 0, task.ActionResearch, nil, ""},
		{task.LadderBrew, task.TierAuto, 3, 0, task.ActionSplit, nil, ""},
		{task.LadderBrew, task.TierAuto, 3, 0, task.ActionUpgrade, nil, ""},
		{task.LadderBrew, task.TierAuto, 3, 0, task.ActionReassign, nil, ""},
		{task.LadderBrew, task.TierAuto, 3, 1, task.ActionReassign, nil, "has had 0 of 3 iterations"},
		{task.LadderBrew, task.TierAuto, 3, 0, task.ActionAsk, both, "people are asked after 10"},
		{task.LadderBrew, task.TierAuto, 9, 0, task.ActionAsk, both, "people are asked after 10"},
		{task.LadderBrew, task.TierAuto, 10, 0, task.ActionAsk, nil, "0 of 2 agents agree"},
		{task.LadderBrew, task.TierAuto, 10, 0, task.ActionAsk, []string{"tester", "tester"}, "1 of 2 agents agree"},
		{task.LadderBrew, task.TierAuto, 10, 0, task.ActionAsk, []string{"tester", "Tester"}, "1 of 2 agents agree"},
		{task.LadderBrew, task.TierAuto, 10, 0, task.ActionAsk, both, ""},

		{task.LadderKitchen, task.TierJunior, 1, 0, task.ActionUpgrade, nil, ""}, // blocked: at once
		{task.LadderKitchen, task.TierJunior, 3, 0, task.ActionUpgrade, nil, ""},
		{task.LadderKitchen, task.TierJunior, 3, 0, task.ActionAsk, nil, "has no ask for a phase of tier junior"},
		{task.LadderKitchen, task.TierSenior, 5, 0, task.ActionUpgrade, nil, ""},
		{task.LadderKitchen, task.TierAuto, 5, 0, task.ActionUpgrade, nil, ""},
		{task.LadderKitchen, task.TierSenior, 5, 0, task.ActionResearch, nil, "has no research"},
		{task.LadderKitchen, task.TierExecutive, 1, 0, task.ActionUpgrade, nil, "has no upgrade"},
		{task.LadderKitchen, task.TierExecutive, 1, 0, task.ActionAsk, nil, ""},
	} {
		s := started(t)
		p := worked3(s, row.tier, row.iterations)
		for range row.escalated {
			s.escalate(p, row.ladder, task.ActionUpgrade)
		}
		rung, err := LadderOf(row.ladder, testLimits).Rung(s.phase(p), row.action)
		if err == nil {
			err = rung.Open(s.t, s.phase(p), row.agreed)
		}
		switch {
		case row.refusal == "" && err != nil:
			t.Errorf("%+v: %v", row, err)
		case row.refusal != "" && (err == nil || !strings.Contains(err.Error(), row.refusal)):
			t.Errorf("%+v: %v", row, err)
		}
		if row.refusal == "" {
			s.escalate(p, row.ladder, row.action, row.agreed...)
		}
	}
}

// When a phase has had what the ladder allows, iteration by iteration.
func TestLadder_BC37_BR11_spends(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		ladder task.LadderName
		tiers  []task.Tier // the tier, and those that it is upgraded to
		spent  string      // for each rejected iteration: . or X; an escalation follows X
	}{
		{task.LadderBrew, []task.Tier{task.TierAuto}, "..X..X...X..X"}, // research, split, then asked from the tenth on
		{task.LadderKitchen, []task.Tier{task.TierJunior, task.TierSenior, task.TierExecutive}, "..X....X........"},
		{task.LadderKitchen, []task.Tier{task.TierAuto, task.TierExecutive}, "....X......."},
	} {
		s := started(t)
		p := s.add(task.PhaseAddPayload{Tier: row.tiers[0]})
		ladder, got, taken := LadderOf(row.ladder, testLimits), "", 0
		for range row.spent {
			s.tryAgain(p)
			if !ladder.Spends(s.t, s.phase(p)) {
				got += "."
				continue
			}
			got += "X"
			taken++
			action := task.ActionResearch
			if row.ladder == task.LadderKitchen {
				action = task.ActionUpgrade
			} else if taken > MaxEscalated {
				action = task.ActionAsk
			}
			s.escalate(p, row.ladder, action, "a", "b")
			if taken < len(row.tiers) {
				s.do(task.OpPhaseEdit, task.PhaseEditPayload{Phase: p, Tier: row.tiers[taken]})
			}
		}
		if got != row.spent {
			t.Errorf("%s %v: %s, want %s", row.ladder, row.tiers, got, row.spent)
		}
	}
	s := started(t)
	p := worked3(s, task.TierExecutive, ExecutiveTrials)
	if !LadderOf(task.LadderKitchen, testLimits).Spends(s.t, s.phase(p)) {
		t.Error("an executive tries for ever")
	}
}

// The seed's limits hold in the fold, whoever wrote the operation.
func TestEscalate_BC37_limitsInTheFold(t *testing.T) {
	t.Parallel()
	s := started(t)
	p := worked3(s, task.TierAuto, 3)
	s.superseded(task.OpPhaseEscalate, task.EscalatePayload{
		Phase: p, Ladder: task.LadderBrew, Action: task.ActionAsk,
		Agreed: []string{"a", "b"},
	})
	s.escalate(p, task.LadderBrew, task.ActionResearch)
	s.escalate(p, task.LadderBrew, task.ActionSplit)
	third := task.EscalatePayload{Phase: p, Ladder: task.LadderBrew, Action: task.ActionUpgrade}
	s.refused(task.CodeEscalation, task.OpPhaseEscalate, third)
	s.superseded(task.OpPhaseEscalate, third)
	if got := s.phase(p).Escalations; len(got) != 2 || got[0].Action != task.ActionResearch || got[0].Attempts != 3 ||
		got[1].At == "" {
		t.Errorf("%+v", got)
	}
	for name, bad := range map[string]task.EscalatePayload{
		"no such phase":  {Phase: testUID(999), Ladder: task.LadderBrew, Action: task.ActionUpgrade},
		"no such ladder": {Phase: p, Ladder: "stairs", Action: task.ActionUpgrade},
		"no such action": {Phase: p, Ladder: task.LadderBrew, Action: "pray"},
		"a hostile name": {Phase: p, Ladder: task.LadderKitchen, Action: task.ActionUpgrade, Agreed: []string{"../x"}},
		"a long reason": {
			Phase: p, Ladder: task.LadderKitchen, Action: task.ActionUpgrade,
			Reason: strings.Repeat("x", task.MaxReason+1),
		},
	} {
		t.Run(name, func(t *testing.T) {
			s.TB = t
			s.superseded(task.OpPhaseEscalate, bad)
			if Check(s.t, s.next(task.OpPhaseEscalate, bad)) == nil {
				t.Error("allowed")
			}
		})
	}
}

// A phase whose iterations are used up goes nowhere but up, or to its approval.
func TestEscalate_BC37_spentPhase(t *testing.T) {
	t.Parallel()
	s := started(t)
	p := s.addExecuted(task.PhaseAddPayload{})
	s.do(task.OpPhaseReview, task.PhaseReviewPayload{
		Phase: p, Verdict: task.ReviewChanges, Reason: "no",
		MustEscalate: true,
	})
	if !s.phase(p).MustEscalate {
		t.Fatal("not spent")
	}
	s.refused(task.CodeEscalation, task.OpPhaseStart, task.PhasePayload{Phase: p})
	s.refused(task.CodeEscalation, task.OpPhaseAdd, task.PhaseAddPayload{Title: "Fix", Kind: task.KindFix, Parent: p})
	s.do(task.OpPhaseReset, task.PhaseReasonPayload{Phase: p})
	s.refused(task.CodeEscalation, task.OpPhaseStart, task.PhasePayload{Phase: p}) // a reset is no way around it
	s.escalate(p, task.LadderBrew, task.ActionUpgrade)
	s.start(p)
	s.executed(p)
	s.do(task.OpPhaseReview, task.PhaseReviewPayload{
		Phase: p, Verdict: task.ReviewChanges, Reason: "no",
		MustEscalate: true,
	})
	s.approve(p) // the reviewer takes it back
	if s.phase(p).MustEscalate {
		t.Error("completed, and spent")
	}
	s.refused(task.CodeTransition, task.OpPhaseEscalate,
		task.EscalatePayload{Phase: p, Ladder: task.LadderBrew, Action: task.ActionUpgrade})
}

// Iterations are counted where the work is: fixes and verifications belong to
// what they repair and verify.
func TestEscalate_BC50_countsTheWork(t *testing.T) {
	t.Parallel()
	s := started(t)
	p := s.add(task.PhaseAddPayload{})
	v := s.add(task.PhaseAddPayload{Kind: task.KindVerification, Parent: p})
	s.start(p)
	s.executed(p)
	for round := range 3 {
		s.start(v)
		s.executed(v)
		s.do(task.OpPhaseReview, task.PhaseReviewPayload{
			Phase: v, Verdict: task.ReviewChanges, Reason: "no",
			MustEscalate: LadderOf(task.LadderBrew, testLimits).Spends(s.t, s.phase(p)),
		})
		if spent := s.phase(p).MustEscalate; spent != (round == 2) {
			t.Fatalf("after %d rounds spent is %t: %d iterations", round+1, spent, Attempts(s.t, s.phase(p)))
		}
		if round == 2 {
			break
		}
		s.complete(s.add(task.PhaseAddPayload{Title: "Fix", Kind: task.KindFix, Parent: p}))
	}
	if n := Attempts(s.t, s.phase(p)); n != 3 {
		t.Errorf("%d iterations", n)
	}
	// One count: the iterations of verifications are not asked for, either.
	rung, _ := LadderOf(task.LadderBrew, testLimits).Rung(s.phase(p), task.ActionAsk)
	err := rung.Limits(s.t, s.phase(p), []string{"a", "b"})
	if err == nil || !strings.Contains(err.Error(), "has had 3") {
		t.Errorf("asked: %v", err)
	}
	s.refused(task.CodeEscalation, task.OpPhaseAdd, task.PhaseAddPayload{Title: "Fix", Kind: task.KindFix, Parent: v})
	s.refused(task.CodeTransition, task.OpPhaseEscalate,
		task.EscalatePayload{Phase: v, Ladder: task.LadderBrew, Action: task.ActionUpgrade})
}

// Research holds its phase: neither fixed nor tried again before.
func TestEscalate_BC37_researchFirst(t *testing.T) {
	t.Parallel()
	s := started(t)
	p := worked3(s, task.TierAuto, 3)
	s.escalate(p, task.LadderBrew, task.ActionResearch)
	r := s.add(task.PhaseAddPayload{Kind: task.KindResearch, Parent: p})
	if s.phase(r).ID != "1R" || !ResearchFirst(s.t, s.phase(p)) {
		t.Fatalf("%+v", s.phase(r))
	}
	s.refused(task.CodeDependencies, task.OpPhaseAdd, task.PhaseAddPayload{Title: "Fix", Kind: task.KindFix, Parent: p})
	s.refused(task.CodeDependencies, task.OpPhaseStart, task.PhasePayload{Phase: p})
	s.complete(r)
	s.add(task.PhaseAddPayload{Title: "Fix", Kind: task.KindFix, Parent: p})
}

// BC-52: an agent's error leaves the phase as it is; they are counted for the
// iteration.
func TestPhaseError_BC52(t *testing.T) {
	t.Parallel()
	s := started(t)
	p := s.add(task.PhaseAddPayload{})
	s.refused(task.CodeTransition, task.OpPhaseError, task.AgentErrorPayload{Phase: p, Iteration: 1, Agent: "developer"})
	s.start(p)
	s.do(task.OpPhaseError, task.AgentErrorPayload{Phase: p, Iteration: 1, Agent: "developer", Text: "API error"})
	s.want(p, task.PhaseInProgress, task.ReviewNone)
	if s.phase(p).Errors != 1 {
		t.Errorf("%d errors", s.phase(p).Errors)
	}
	s.superseded(task.OpPhaseError, task.AgentErrorPayload{Phase: p, Iteration: 2, Agent: "developer"})
	s.superseded(task.OpPhaseError, task.AgentErrorPayload{Phase: p, Iteration: 1, Agent: "a b"})
	s.do(task.OpPhaseFail, task.PhaseReasonPayload{Phase: p, Reason: "twice", MustEscalate: true})
	s.refused(task.CodeEscalation, task.OpPhaseStart, task.PhasePayload{Phase: p})
	s.escalate(p, task.LadderBrew, task.ActionReassign)
	s.start(p)
	if s.phase(p).Errors != 0 || s.phase(p).Iteration != 2 {
		t.Errorf("%+v", s.phase(p))
	}
}

// BC-51: a deadlock is where phases wait and nothing can be done about it.
func TestDeadlock_BC51(t *testing.T) {
	t.Parallel()
	s := started(t)
	a := s.add(task.PhaseAddPayload{})
	b := s.add(task.PhaseAddPayload{})
	if route.Deadlock(s.t) != nil {
		t.Error("two are ready")
	}
	s.do(task.OpPhaseEdit, task.PhaseEditPayload{Phase: b, AddDependsOn: []task.UID{a}})
	s.refused(task.CodeCycle, task.OpPhaseEdit, task.PhaseEditPayload{Phase: a, AddDependsOn: []task.UID{b}})
	s.superseded(task.OpPhaseEdit, task.PhaseEditPayload{Phase: a, AddDependsOn: []task.UID{b}})
	// No operation leads to one; a state that was stored with a circle is in it.
	s.t.Phases[0].DependsOn = []task.UID{b}
	if got := route.Deadlock(s.t); len(got) != 2 ||
		route.DeadlockReason(s.t) != "no phase can begin: 1 waits (2 is pending), 2 waits (1 is pending)" {
		t.Errorf("%d stuck: %s", len(got), route.DeadlockReason(s.t))
	}
	s.next3("wait", "phase-execution", "1")
	s.do(task.OpPhaseEdit, task.PhaseEditPayload{Phase: a, DropDependsOn: []task.UID{b}})
	if route.Deadlock(s.t) != nil || route.DeadlockReason(s.t) != "" {
		t.Errorf("1 is ready: %s", route.DeadlockReason(s.t))
	}
}

func TestPhaseEdit(t *testing.T) {
	t.Parallel()
	s := started(t)
	a := s.add(task.PhaseAddPayload{
		Acceptance: []string{"one"}, Agents: []string{"developer"},
		Verification: []string{"true"},
	})
	b := s.add(task.PhaseAddPayload{DependsOn: []task.UID{a}})
	v := s.add(task.PhaseAddPayload{Kind: task.KindVerification, Parent: a})
	s.do(task.OpPhaseEdit, task.PhaseEditPayload{
		Phase: a, Title: "Better", Tier: task.TierExecutive, AddAcceptance: []string{"two", "one"},
		DropAcceptance: []string{"one"},
		AddAgents:      []string{"tester"}, DropAgents: []string{"developer"}, DropVerification: []string{"true"},
	})
	p := s.phase(a)
	if p.Title != "Better" || p.Tier != task.TierExecutive || strings.Join(p.Acceptance, " ") != "two one" ||
		strings.Join(p.Agents, " ") != "tester" || p.Verification != nil {
		t.Errorf("%+v", p)
	}
	for name, bad := range map[string]task.PhaseEditPayload{
		"nothing":            {Phase: a},
		"no phase":           {Phase: testUID(999), Title: "x"},
		"a cycle":            {Phase: a, AddDependsOn: []task.UID{b}},
		"itself":             {Phase: a, AddDependsOn: []task.UID{a}},
		"its own":            {Phase: a, AddDependsOn: []task.UID{v}},
		"of its own":         {Phase: v, AddDependsOn: []task.UID{a}},
		"no title":           {Phase: a, Title: "\x1b[2J"},
		"no tier":            {Phase: a, Tier: "chef"},
		"no name":            {Phase: a, AddAgents: []string{"a b"}},
		"an empty criterion": {Phase: a, AddAcceptance: []string{""}},
	} {
		t.Run(name, func(t *testing.T) {
			s.TB = t
			s.superseded(task.OpPhaseEdit, bad)
			if err := Check(s.t, s.next(task.OpPhaseEdit, bad)); err == nil {
				t.Error("allowed")
			}
		})
	}
	s.TB = t
	var refusal *task.RefusedError
	if err := Check(s.t, s.next(task.OpPhaseEdit,
		task.PhaseEditPayload{Phase: b, DropAgents: []string{"nobody"}})); !errors.As(err, &refusal) {
		t.Errorf("%v", err)
	}
}

// BC-37, BC-52: a ladder never ends below a phase that has to be escalated, and a
// phase that no rung is left for goes on.
func TestLadder_BC37_BC52_neverEnds(t *testing.T) {
	t.Parallel()
	both := []string{"reviewer", "tester"}
	for _, row := range []struct {
		name   string
		before func(s *story, p task.UID)
		spent  bool // what another failure of an agent makes of it
		open   string
	}{
		{"nothing yet", func(*story, task.UID) {}, true, "research split upgrade reassign"},
		{"once", func(s *story, p task.UID) {
			s.escalate(p, task.LadderBrew, task.ActionUpgrade)
		}, true, "research split upgrade reassign"},
		{"twice, ten iterations not reached", func(s *story, p task.UID) {
			s.escalate(p, task.LadderBrew, task.ActionUpgrade)
			s.escalate(p, task.LadderBrew, task.ActionReassign)
		}, false, "ask"},
		{"by another ladder", func(s *story, p task.UID) {
			s.escalate(p, task.LadderKitchen, task.ActionUpgrade)
			s.escalate(p, task.LadderKitchen, task.ActionUpgrade)
			s.escalate(p, task.LadderKitchen, task.ActionUpgrade)
		}, false, "ask"},
	} {
		s := started(t)
		p := s.add(task.PhaseAddPayload{})
		s.start(p)
		row.before(s, p)
		ladder := LadderOf(task.LadderBrew, testLimits)
		if got := ladder.Reached(s.t, s.phase(p)); got != row.spent {
			t.Errorf("%s: %t", row.name, got)
		}
		s.do(task.OpPhaseFail, task.PhaseReasonPayload{Phase: p, Reason: "the API answered 500", MustEscalate: row.spent})
		if next := route.Next(s.t); next.Step != map[bool]string{true: task.StepEscalate, false: task.StepRetry}[row.spent] {
			t.Errorf("%s: %+v", row.name, next)
		}
		// However it came to that, by other settings or another clone:
		if !row.spent {
			s.start(p)
			s.do(task.OpPhaseFail, task.PhaseReasonPayload{Phase: p, Reason: "again", MustEscalate: true})
		}
		var open []string
		for _, r := range ladder.For(s.phase(p)) {
			if r.Open(s.t, s.phase(p), both) == nil {
				open = append(open, string(r.Action))
			}
		}
		if got := strings.Join(open, " "); got != row.open {
			t.Errorf("%s: open are %s", row.name, got)
		}
		s.refused(task.CodeEscalation, task.OpPhaseStart, task.PhasePayload{Phase: p})
		s.escalate(p, task.LadderBrew, task.EscalationAction(open[0]), both...)
		s.start(p)
	}
}

// A phase that was escalated as often as can be recorded goes on all the same.
func TestEscalate_BC37_asOftenAsCanBeRecorded(t *testing.T) {
	t.Parallel()
	s := started(t)
	p := s.add(task.PhaseAddPayload{Tier: task.TierExecutive})
	for range task.MaxEscalations {
		s.escalate(p, task.LadderKitchen, task.ActionAsk)
	}
	s.refused(task.CodeEscalation, task.OpPhaseEscalate,
		task.EscalatePayload{Phase: p, Ladder: task.LadderKitchen, Action: task.ActionAsk})
	s.start(p)
	s.do(task.OpPhaseFail, task.PhaseReasonPayload{Phase: p, Reason: "again", MustEscalate: true})
	s.start(p)
	if LadderOf(task.LadderKitchen, LadderLimits{}).Spends(s.t, s.phase(p)) {
		t.Error("it has to be escalated, and can't be")
	}
}

// BC-37: to split a phase is a rung of the ladder, so by hand it is no way around
// it; and what was split elsewhere goes on with its parts.
func TestEscalate_BC37_split(t *testing.T) {
	t.Parallel()
	s := started(t)
	p := s.add(task.PhaseAddPayload{})
	s.start(p)
	s.do(task.OpPhaseFail, task.PhaseReasonPayload{Phase: p, Reason: "stuck", MustEscalate: true})
	part := task.PhaseAddPayload{Title: "Half", Kind: task.KindSplit, Parent: p}
	s.refused(task.CodeEscalation, task.OpPhaseAdd, part)
	half := s.force(s.next(task.OpPhaseAdd, part)) // as another clone did, that had not heard of it
	if next := route.Next(s.t); next.Phase != "1a" || !s.phase(p).MustEscalate {
		t.Fatalf("%+v, spent: %t", next, s.phase(p).MustEscalate)
	}
	s.complete(half)
	if next := route.Next(s.t); next.Phase != "1" || next.Step != task.StepReview {
		t.Fatalf("its parts are done: %+v", next)
	}
	s.reject(p, "they do not fit")
	if next := route.Next(s.t); next.Step != task.StepEscalate {
		t.Errorf("work on it would begin again: %+v", next)
	}
}

// BC-47, BC-51: nothing waits for a fix that failed once what it was to repair is
// completed.
func TestNext_BC47_BC51_withoutAFailedFix(t *testing.T) {
	t.Parallel()
	s := started(t)
	p := s.addExecuted(task.PhaseAddPayload{})
	s.reject(p, "no")
	f := s.add(task.PhaseAddPayload{Title: "Fix", Kind: task.KindFix, Parent: p})
	after := s.add(task.PhaseAddPayload{DependsOn: []task.UID{f}})
	review := s.add(task.PhaseAddPayload{Kind: task.KindFinalReview})
	s.do(task.OpPhaseFail, task.PhaseReasonPayload{Phase: f, Reason: "the wrong way"})
	if next := route.Next(s.t); next.Step != task.StepRevise || next.Phase != "1" {
		t.Fatalf("%+v", next)
	}
	s.complete(s.add(task.PhaseAddPayload{Title: "Another fix", Kind: task.KindFix, Parent: p}))
	s.approve(p)
	s.want(f, task.PhaseDropped, task.ReviewNone)
	s.want(after, task.PhasePending, task.ReviewNone) // it failed with it
	s.complete(after)
	if next := route.Next(s.t); next.Phase != s.phase(review).ID {
		t.Fatalf("%+v", next)
	}
	s.start(review)
	s.executed(review)
	s.do(task.OpBoardReady, task.BoardReadyPayload{On: task.BoardOf(review), Reason: "seen"})
	s.approve(review)
	if next := route.Next(s.t); next.Command != "git brew finish" ||
		next.Reason != "every phase is completed, but for what was dropped: 1.1" {
		t.Fatalf("%+v", next)
	}
	s.do(task.OpFinish, task.FinishPayload{Status: task.Finished, Passed: route.PassedBy(s.t, task.StageComplete)})
}

// BC-51: so is a fix of a fix, once that one is completed.
func TestNext_BC51_withoutAFailedFixOfAFix(t *testing.T) {
	t.Parallel()
	s := started(t)
	p := s.addExecuted(task.PhaseAddPayload{})
	s.reject(p, "no")
	f := s.addExecuted(task.PhaseAddPayload{Title: "Fix", Kind: task.KindFix, Parent: p})
	s.reject(f, "no")
	g := s.add(task.PhaseAddPayload{Title: "Fix of the fix", Kind: task.KindFix, Parent: f})
	s.do(task.OpPhaseFail, task.PhaseReasonPayload{Phase: g, Reason: "the wrong way"})
	s.approve(f)
	if next := route.Next(s.t); next.Command != "git brew phase approve 1" {
		t.Fatalf("%+v", next)
	}
	s.want(g, task.PhaseDropped, task.ReviewNone)
	s.approve(p)
	s.do(task.OpFinish, task.FinishPayload{Status: task.Finished, Passed: route.PassedBy(s.t, task.StageComplete)})
}
