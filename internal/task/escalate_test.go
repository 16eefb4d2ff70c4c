package task_test

import (
	"errors"
	"strings"
	"testing"

	. "github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/route"
)

var testLimits = LadderLimits{Iterations: 3, Junior: 3, Senior: 5}

// worked is a phase of a tier whose work was rejected some times: by rework.
func worked3(s *story, tier Tier, times int) UID {
	s.Helper()
	p := s.add(PhaseAddPayload{Tier: tier})
	for range times {
		s.tryAgain(p)
	}
	return p
}

// tryAgain is one more iteration that is rejected.
func (s *story) tryAgain(p UID) {
	s.Helper()
	s.start(p)
	s.executed(p)
	s.reject(p, "not yet")
}

func (s *story) escalate(p UID, ladder LadderName, action EscalationAction, agreed ...string) {
	s.Helper()
	s.do(OpPhaseEscalate, EscalatePayload{Phase: p, Ladder: ladder, Action: action, Agreed: agreed})
}

// BC-37, BR-11: every rung of every ladder, and when it is open.
func TestLadder_BC37_BR11_rungs(t *testing.T) {
	t.Parallel()
	both := []string{"reviewer", "tester"}
	for _, row := range []struct {
		ladder     LadderName
		tier       Tier
		iterations int // rejected ones
		escalated  int // times before, each after the last iteration
		action     EscalationAction
		agreed     []string
		refusal    string // a part of it; "" where the rung is open
	}{
		{LadderBrew, TierAuto, 2, 0, ActionResearch, nil, "has had 2 of 3 iterations"},
		{LadderBrew, TierAuto, 3, 0, ActionResearch, nil, ""},
		{LadderBrew, TierAuto, 3, 0, ActionSplit, nil, ""},
		{LadderBrew, TierAuto, 3, 0, ActionUpgrade, nil, ""},
		{LadderBrew, TierAuto, 3, 0, ActionReassign, nil, ""},
		{LadderBrew, TierAuto, 3, 1, ActionReassign, nil, "has had 0 of 3 iterations"},
		{LadderBrew, TierAuto, 3, 0, ActionAsk, both, "people are asked after 10"},
		{LadderBrew, TierAuto, 9, 0, ActionAsk, both, "people are asked after 10"},
		{LadderBrew, TierAuto, 10, 0, ActionAsk, nil, "0 of 2 agents agree"},
		{LadderBrew, TierAuto, 10, 0, ActionAsk, []string{"tester", "tester"}, "1 of 2 agents agree"},
		{LadderBrew, TierAuto, 10, 0, ActionAsk, []string{"tester", "Tester"}, "1 of 2 agents agree"},
		{LadderBrew, TierAuto, 10, 0, ActionAsk, both, ""},

		{LadderKitchen, TierJunior, 1, 0, ActionUpgrade, nil, ""}, // blocked: at once
		{LadderKitchen, TierJunior, 3, 0, ActionUpgrade, nil, ""},
		{LadderKitchen, TierJunior, 3, 0, ActionAsk, nil, "has no ask for a phase of tier junior"},
		{LadderKitchen, TierSenior, 5, 0, ActionUpgrade, nil, ""},
		{LadderKitchen, TierAuto, 5, 0, ActionUpgrade, nil, ""},
		{LadderKitchen, TierSenior, 5, 0, ActionResearch, nil, "has no research"},
		{LadderKitchen, TierExecutive, 1, 0, ActionUpgrade, nil, "has no upgrade"},
		{LadderKitchen, TierExecutive, 1, 0, ActionAsk, nil, ""},
	} {
		s := started(t)
		p := worked3(s, row.tier, row.iterations)
		for range row.escalated {
			s.escalate(p, row.ladder, ActionUpgrade)
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
		ladder LadderName
		tiers  []Tier // the tier, and those that it is upgraded to
		spent  string // for each rejected iteration: . or X; an escalation follows X
	}{
		{LadderBrew, []Tier{TierAuto}, "..X..X...X..X"}, // research, split, then asked from the tenth on
		{LadderKitchen, []Tier{TierJunior, TierSenior, TierExecutive}, "..X....X........"},
		{LadderKitchen, []Tier{TierAuto, TierExecutive}, "....X......."},
	} {
		s := started(t)
		p := s.add(PhaseAddPayload{Tier: row.tiers[0]})
		ladder, got, taken := LadderOf(row.ladder, testLimits), "", 0
		for range row.spent {
			s.tryAgain(p)
			if !ladder.Spends(s.t, s.phase(p)) {
				got += "."
				continue
			}
			got += "X"
			taken++
			action := ActionResearch
			if row.ladder == LadderKitchen {
				action = ActionUpgrade
			} else if taken > MaxEscalated {
				action = ActionAsk
			}
			s.escalate(p, row.ladder, action, "a", "b")
			if taken < len(row.tiers) {
				s.do(OpPhaseEdit, PhaseEditPayload{Phase: p, Tier: row.tiers[taken]})
			}
		}
		if got != row.spent {
			t.Errorf("%s %v: %s, want %s", row.ladder, row.tiers, got, row.spent)
		}
	}
	s := started(t)
	p := worked3(s, TierExecutive, ExecutiveTrials)
	if !LadderOf(LadderKitchen, testLimits).Spends(s.t, s.phase(p)) {
		t.Error("an executive tries for ever")
	}
}

// The seed's limits hold in the fold, whoever wrote the operation.
func TestEscalate_BC37_limitsInTheFold(t *testing.T) {
	t.Parallel()
	s := started(t)
	p := worked3(s, TierAuto, 3)
	s.superseded(OpPhaseEscalate, EscalatePayload{Phase: p, Ladder: LadderBrew, Action: ActionAsk, Agreed: []string{"a", "b"}})
	s.escalate(p, LadderBrew, ActionResearch)
	s.escalate(p, LadderBrew, ActionSplit)
	third := EscalatePayload{Phase: p, Ladder: LadderBrew, Action: ActionUpgrade}
	s.refused(CodeEscalation, OpPhaseEscalate, third)
	s.superseded(OpPhaseEscalate, third)
	if got := s.phase(p).Escalations; len(got) != 2 || got[0].Action != ActionResearch || got[0].Attempts != 3 || got[1].At == "" {
		t.Errorf("%+v", got)
	}
	for name, bad := range map[string]EscalatePayload{
		"no such phase":  {Phase: testUID(999), Ladder: LadderBrew, Action: ActionUpgrade},
		"no such ladder": {Phase: p, Ladder: "stairs", Action: ActionUpgrade},
		"no such action": {Phase: p, Ladder: LadderBrew, Action: "pray"},
		"a hostile name": {Phase: p, Ladder: LadderKitchen, Action: ActionUpgrade, Agreed: []string{"../x"}},
		"a long reason":  {Phase: p, Ladder: LadderKitchen, Action: ActionUpgrade, Reason: strings.Repeat("x", MaxReason+1)},
	} {
		t.Run(name, func(t *testing.T) {
			s.TB = t
			s.superseded(OpPhaseEscalate, bad)
			if Check(s.t, s.next(OpPhaseEscalate, bad)) == nil {
				t.Error("allowed")
			}
		})
	}
}

// A phase whose iterations are used up goes nowhere but up, or to its approval.
func TestEscalate_BC37_spentPhase(t *testing.T) {
	t.Parallel()
	s := started(t)
	p := s.addExecuted(PhaseAddPayload{})
	s.do(OpPhaseReview, PhaseReviewPayload{Phase: p, Verdict: ReviewChanges, Reason: "no", MustEscalate: true})
	if !s.phase(p).MustEscalate {
		t.Fatal("not spent")
	}
	s.refused(CodeEscalation, OpPhaseStart, PhasePayload{Phase: p})
	s.refused(CodeEscalation, OpPhaseAdd, PhaseAddPayload{Title: "Fix", Kind: KindFix, Parent: p})
	s.do(OpPhaseReset, PhaseReasonPayload{Phase: p})
	s.refused(CodeEscalation, OpPhaseStart, PhasePayload{Phase: p}) // a reset is no way around it
	s.escalate(p, LadderBrew, ActionUpgrade)
	s.start(p)
	s.executed(p)
	s.do(OpPhaseReview, PhaseReviewPayload{Phase: p, Verdict: ReviewChanges, Reason: "no", MustEscalate: true})
	s.approve(p) // the reviewer takes it back
	if s.phase(p).MustEscalate {
		t.Error("completed, and spent")
	}
	s.refused(CodeTransition, OpPhaseEscalate, EscalatePayload{Phase: p, Ladder: LadderBrew, Action: ActionUpgrade})
}

// Iterations are counted where the work is: fixes and verifications belong to
// what they repair and verify.
func TestEscalate_BC50_countsTheWork(t *testing.T) {
	t.Parallel()
	s := started(t)
	p := s.add(PhaseAddPayload{})
	v := s.add(PhaseAddPayload{Kind: KindVerification, Parent: p})
	s.start(p)
	s.executed(p)
	for round := range 3 {
		s.start(v)
		s.executed(v)
		s.do(OpPhaseReview, PhaseReviewPayload{Phase: v, Verdict: ReviewChanges, Reason: "no", MustEscalate: LadderOf(LadderBrew, testLimits).Spends(s.t, s.phase(p))})
		if spent := s.phase(p).MustEscalate; spent != (round == 2) {
			t.Fatalf("after %d rounds spent is %t: %d iterations", round+1, spent, Attempts(s.t, s.phase(p)))
		}
		if round == 2 {
			break
		}
		s.complete(s.add(PhaseAddPayload{Title: "Fix", Kind: KindFix, Parent: p}))
	}
	if n := Attempts(s.t, s.phase(p)); n != 3 {
		t.Errorf("%d iterations", n)
	}
	// One count: the iterations of verifications are not asked for, either.
	rung, _ := LadderOf(LadderBrew, testLimits).Rung(s.phase(p), ActionAsk)
	err := rung.Limits(s.t, s.phase(p), []string{"a", "b"})
	if err == nil || !strings.Contains(err.Error(), "has had 3") {
		t.Errorf("asked: %v", err)
	}
	s.refused(CodeEscalation, OpPhaseAdd, PhaseAddPayload{Title: "Fix", Kind: KindFix, Parent: v})
	s.refused(CodeTransition, OpPhaseEscalate, EscalatePayload{Phase: v, Ladder: LadderBrew, Action: ActionUpgrade})
}

// Research holds its phase: neither fixed nor tried again before.
func TestEscalate_BC37_researchFirst(t *testing.T) {
	t.Parallel()
	s := started(t)
	p := worked3(s, TierAuto, 3)
	s.escalate(p, LadderBrew, ActionResearch)
	r := s.add(PhaseAddPayload{Kind: KindResearch, Parent: p})
	if s.phase(r).ID != "1R" || !ResearchFirst(s.t, s.phase(p)) {
		t.Fatalf("%+v", s.phase(r))
	}
	s.refused(CodeDependencies, OpPhaseAdd, PhaseAddPayload{Title: "Fix", Kind: KindFix, Parent: p})
	s.refused(CodeDependencies, OpPhaseStart, PhasePayload{Phase: p})
	s.complete(r)
	s.add(PhaseAddPayload{Title: "Fix", Kind: KindFix, Parent: p})
}

// BC-52: an agent's error leaves the phase as it is; they are counted for the
// iteration.
func TestPhaseError_BC52(t *testing.T) {
	t.Parallel()
	s := started(t)
	p := s.add(PhaseAddPayload{})
	s.refused(CodeTransition, OpPhaseError, AgentErrorPayload{Phase: p, Iteration: 1, Agent: "developer"})
	s.start(p)
	s.do(OpPhaseError, AgentErrorPayload{Phase: p, Iteration: 1, Agent: "developer", Text: "API error"})
	s.want(p, PhaseInProgress, ReviewNone)
	if s.phase(p).Errors != 1 {
		t.Errorf("%d errors", s.phase(p).Errors)
	}
	s.superseded(OpPhaseError, AgentErrorPayload{Phase: p, Iteration: 2, Agent: "developer"})
	s.superseded(OpPhaseError, AgentErrorPayload{Phase: p, Iteration: 1, Agent: "a b"})
	s.do(OpPhaseFail, PhaseReasonPayload{Phase: p, Reason: "twice", MustEscalate: true})
	s.refused(CodeEscalation, OpPhaseStart, PhasePayload{Phase: p})
	s.escalate(p, LadderBrew, ActionReassign)
	s.start(p)
	if s.phase(p).Errors != 0 || s.phase(p).Iteration != 2 {
		t.Errorf("%+v", s.phase(p))
	}
}

// BC-51: a deadlock is where phases wait and nothing can be done about it.
func TestDeadlock_BC51(t *testing.T) {
	t.Parallel()
	s := started(t)
	a := s.add(PhaseAddPayload{})
	b := s.add(PhaseAddPayload{})
	if route.Deadlock(s.t) != nil {
		t.Error("two are ready")
	}
	s.do(OpPhaseEdit, PhaseEditPayload{Phase: b, AddDependsOn: []UID{a}})
	s.refused(CodeCycle, OpPhaseEdit, PhaseEditPayload{Phase: a, AddDependsOn: []UID{b}})
	s.superseded(OpPhaseEdit, PhaseEditPayload{Phase: a, AddDependsOn: []UID{b}})
	// No operation leads to one; a state that was stored with a circle is in it.
	s.t.Phases[0].DependsOn = []UID{b}
	if got := route.Deadlock(s.t); len(got) != 2 || route.DeadlockReason(s.t) != "no phase can begin: 1 waits (2 is pending), 2 waits (1 is pending)" {
		t.Errorf("%d stuck: %s", len(got), route.DeadlockReason(s.t))
	}
	s.next3("wait", "phase-execution", "1")
	s.do(OpPhaseEdit, PhaseEditPayload{Phase: a, DropDependsOn: []UID{b}})
	if route.Deadlock(s.t) != nil || route.DeadlockReason(s.t) != "" {
		t.Errorf("1 is ready: %s", route.DeadlockReason(s.t))
	}
}

func TestPhaseEdit(t *testing.T) {
	t.Parallel()
	s := started(t)
	a := s.add(PhaseAddPayload{Acceptance: []string{"one"}, Agents: []string{"developer"}, Verification: []string{"true"}})
	b := s.add(PhaseAddPayload{DependsOn: []UID{a}})
	v := s.add(PhaseAddPayload{Kind: KindVerification, Parent: a})
	s.do(OpPhaseEdit, PhaseEditPayload{
		Phase: a, Title: "Better", Tier: TierExecutive, AddAcceptance: []string{"two", "one"}, DropAcceptance: []string{"one"},
		AddAgents: []string{"tester"}, DropAgents: []string{"developer"}, DropVerification: []string{"true"},
	})
	p := s.phase(a)
	if p.Title != "Better" || p.Tier != TierExecutive || strings.Join(p.Acceptance, " ") != "two one" || strings.Join(p.Agents, " ") != "tester" || p.Verification != nil {
		t.Errorf("%+v", p)
	}
	for name, bad := range map[string]PhaseEditPayload{
		"nothing":            {Phase: a},
		"no phase":           {Phase: testUID(999), Title: "x"},
		"a cycle":            {Phase: a, AddDependsOn: []UID{b}},
		"itself":             {Phase: a, AddDependsOn: []UID{a}},
		"its own":            {Phase: a, AddDependsOn: []UID{v}},
		"of its own":         {Phase: v, AddDependsOn: []UID{a}},
		"no title":           {Phase: a, Title: "\x1b[2J"},
		"no tier":            {Phase: a, Tier: "chef"},
		"no name":            {Phase: a, AddAgents: []string{"a b"}},
		"an empty criterion": {Phase: a, AddAcceptance: []string{""}},
	} {
		t.Run(name, func(t *testing.T) {
			s.TB = t
			s.superseded(OpPhaseEdit, bad)
			if err := Check(s.t, s.next(OpPhaseEdit, bad)); err == nil {
				t.Error("allowed")
			}
		})
	}
	s.TB = t
	var refusal *RefusedError
	if err := Check(s.t, s.next(OpPhaseEdit, PhaseEditPayload{Phase: b, DropAgents: []string{"nobody"}})); !errors.As(err, &refusal) {
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
		before func(s *story, p UID)
		spent  bool // what another failure of an agent makes of it
		open   string
	}{
		{"nothing yet", func(*story, UID) {}, true, "research split upgrade reassign"},
		{"once", func(s *story, p UID) { s.escalate(p, LadderBrew, ActionUpgrade) }, true, "research split upgrade reassign"},
		{"twice, ten iterations not reached", func(s *story, p UID) {
			s.escalate(p, LadderBrew, ActionUpgrade)
			s.escalate(p, LadderBrew, ActionReassign)
		}, false, "ask"},
		{"by another ladder", func(s *story, p UID) {
			s.escalate(p, LadderKitchen, ActionUpgrade)
			s.escalate(p, LadderKitchen, ActionUpgrade)
			s.escalate(p, LadderKitchen, ActionUpgrade)
		}, false, "ask"},
	} {
		s := started(t)
		p := s.add(PhaseAddPayload{})
		s.start(p)
		row.before(s, p)
		ladder := LadderOf(LadderBrew, testLimits)
		if got := ladder.Reached(s.t, s.phase(p)); got != row.spent {
			t.Errorf("%s: %t", row.name, got)
		}
		s.do(OpPhaseFail, PhaseReasonPayload{Phase: p, Reason: "the API answered 500", MustEscalate: row.spent})
		if next := route.Next(s.t); next.Step != map[bool]string{true: StepEscalate, false: StepRetry}[row.spent] {
			t.Errorf("%s: %+v", row.name, next)
		}
		// However it came to that, by other settings or another clone:
		if !row.spent {
			s.start(p)
			s.do(OpPhaseFail, PhaseReasonPayload{Phase: p, Reason: "again", MustEscalate: true})
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
		s.refused(CodeEscalation, OpPhaseStart, PhasePayload{Phase: p})
		s.escalate(p, LadderBrew, EscalationAction(open[0]), both...)
		s.start(p)
	}
}

// A phase that was escalated as often as can be recorded goes on all the same.
func TestEscalate_BC37_asOftenAsCanBeRecorded(t *testing.T) {
	t.Parallel()
	s := started(t)
	p := s.add(PhaseAddPayload{Tier: TierExecutive})
	for range MaxEscalations {
		s.escalate(p, LadderKitchen, ActionAsk)
	}
	s.refused(CodeEscalation, OpPhaseEscalate, EscalatePayload{Phase: p, Ladder: LadderKitchen, Action: ActionAsk})
	s.start(p)
	s.do(OpPhaseFail, PhaseReasonPayload{Phase: p, Reason: "again", MustEscalate: true})
	s.start(p)
	if LadderOf(LadderKitchen, LadderLimits{}).Spends(s.t, s.phase(p)) {
		t.Error("it has to be escalated, and can't be")
	}
}

// BC-37: to split a phase is a rung of the ladder, so by hand it is no way around
// it; and what was split elsewhere goes on with its parts.
func TestEscalate_BC37_split(t *testing.T) {
	t.Parallel()
	s := started(t)
	p := s.add(PhaseAddPayload{})
	s.start(p)
	s.do(OpPhaseFail, PhaseReasonPayload{Phase: p, Reason: "stuck", MustEscalate: true})
	part := PhaseAddPayload{Title: "Half", Kind: KindSplit, Parent: p}
	s.refused(CodeEscalation, OpPhaseAdd, part)
	half := s.force(s.next(OpPhaseAdd, part)) // as another clone did, that had not heard of it
	if next := route.Next(s.t); next.Phase != "1a" || !s.phase(p).MustEscalate {
		t.Fatalf("%+v, spent: %t", next, s.phase(p).MustEscalate)
	}
	s.complete(half)
	if next := route.Next(s.t); next.Phase != "1" || next.Step != StepReview {
		t.Fatalf("its parts are done: %+v", next)
	}
	s.reject(p, "they do not fit")
	if next := route.Next(s.t); next.Step != StepEscalate {
		t.Errorf("work on it would begin again: %+v", next)
	}
}

// BC-47, BC-51: nothing waits for a fix that was given up once what it was to
// repair is completed.
func TestNext_BC47_BC51_fixGivenUp(t *testing.T) {
	t.Parallel()
	s := started(t)
	p := s.addExecuted(PhaseAddPayload{})
	s.reject(p, "no")
	f := s.add(PhaseAddPayload{Title: "Fix", Kind: KindFix, Parent: p})
	after := s.add(PhaseAddPayload{DependsOn: []UID{f}})
	review := s.add(PhaseAddPayload{Kind: KindFinalReview})
	s.do(OpPhaseFail, PhaseReasonPayload{Phase: f, Reason: "the wrong way"})
	if next := route.Next(s.t); next.Step != StepRevise || next.Phase != "1" {
		t.Fatalf("%+v", next)
	}
	s.complete(s.add(PhaseAddPayload{Title: "Another fix", Kind: KindFix, Parent: p}))
	s.approve(p)
	if next := route.Next(s.t); next.Phase != s.phase(after).ID || next.Step != StepRetry {
		t.Fatalf("what failed with it: %+v", next)
	}
	s.complete(after)
	if next := route.Next(s.t); next.Phase != s.phase(review).ID {
		t.Fatalf("%+v", next)
	}
	s.start(review)
	s.executed(review)
	s.do(OpBoardReady, BoardReadyPayload{On: BoardOf(review), Reason: "seen"})
	s.approve(review)
	if next := route.Next(s.t); next.Command != "git brew finish" || next.Reason != "every phase is completed, but for what was given up: 1.1" {
		t.Fatalf("%+v", next)
	}
	// To take it up again is to do again what was done without it.
	if r := s.refusal(CodeTransition, OpPhaseStart, PhasePayload{Phase: f}); r.Msg != "phase 1.1 was given up: 1 is completed without it" || !strings.Contains(r.Hint, "git brew phase reset 1'") {
		t.Errorf("%v", r)
	}
	s.do(OpFinish, FinishPayload{Status: Finished, Passed: route.PassedBy(s.t, StageComplete)})
}

// BC-51: so is a fix of a fix, once that one is completed.
func TestNext_BC51_fixOfAFixGivenUp(t *testing.T) {
	t.Parallel()
	s := started(t)
	p := s.addExecuted(PhaseAddPayload{})
	s.reject(p, "no")
	f := s.addExecuted(PhaseAddPayload{Title: "Fix", Kind: KindFix, Parent: p})
	s.reject(f, "no")
	g := s.add(PhaseAddPayload{Title: "Fix of the fix", Kind: KindFix, Parent: f})
	s.do(OpPhaseFail, PhaseReasonPayload{Phase: g, Reason: "the wrong way"})
	s.approve(f)
	if next := route.Next(s.t); next.Command != "git brew phase approve 1" {
		t.Fatalf("%+v", next)
	}
	if r := s.refusal(CodeTransition, OpPhaseStart, PhasePayload{Phase: g}); !strings.Contains(r.Msg, "phase 1.2 was given up: 1.1 is completed") {
		t.Errorf("%v", r)
	}
	s.approve(p)
	s.do(OpFinish, FinishPayload{Status: Finished, Passed: route.PassedBy(s.t, StageComplete)})
}
