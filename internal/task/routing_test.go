package task_test

import (
	"slices"
	"testing"

	. "github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/route"
)

// inStage is a task in progress in a stage.
func inStage(t *testing.T, stage Stage) *story {
	t.Helper()
	s := specified(t)
	s.do(OpStage, StagePayload{Stage: stage})
	return s
}

func (s *story) write(name DocName, text string) {
	s.Helper()
	s.do(OpDocSet, DocSetPayload{Name: name, Base: s.t.Docs[name].OID, OID: s.texts.put(text)})
}

func (s *story) next3(step, pipeline, phase string) {
	s.Helper()
	if got := route.Next(s.t); got.Step != step || got.Pipeline != pipeline || got.Phase != phase || got.Reason == "" {
		s.Errorf("next is %+v, want %s/%s %s", got, step, pipeline, phase)
	}
}

// The seed's routing table (SP-3), row by row, in its words and in its order.
// Where the table and its reference differ (SP-4), the table counts: planning
// ends with ROADMAP.md, whatever phases there are.
var seedTable = []struct {
	stage          Stage
	state          string
	step, pipeline string
}{
	{StageClarify, "questions > 0", "clarify", "main"},
	{StageClarify, "questions = 0", "research", "main"},

	{StageResearch, "no RESEARCH.md", "research", "main"},
	{StageResearch, "RESEARCH.md exists", "plan", "main"},

	{StagePlan, "no ROADMAP.md", "plan", "main"},
	{StagePlan, "ROADMAP.md exists", "plan", "phase-execution"},

	{StageExecute, "pending, no PLAN.md", "plan", "phase-execution"},
	{StageExecute, "pending, PLAN.md exists", "execute", "phase-execution"},
	{StageExecute, "in progress", "execute", "phase-execution"},
	{StageExecute, "in review", "review", "phase-execution"},
	{StageExecute, "completed, and there is a next phase", "execute", "phase-execution"},
	{StageExecute, "completed, and it was the last", "complete", "main"},
}

// seedStates say what each state of the seed's table is here.
var seedStates = map[string]func(s *story){
	"questions > 0":      func(s *story) { s.write(DocContext, "# Gray Areas Remaining\n- [ ] q\n- [x] r\n") },
	"questions = 0":      func(s *story) { s.write(DocContext, "# Gray Areas Remaining\n- [x] q\n") },
	"no RESEARCH.md":     func(*story) {},
	"RESEARCH.md exists": func(s *story) { s.write(DocResearch, "found\n") },
	"no ROADMAP.md":      func(s *story) { s.add(PhaseAddPayload{}) },
	"ROADMAP.md exists":  func(s *story) { s.write(DocRoadmap, "1. a\n") },

	"pending, no PLAN.md":     func(s *story) { s.add(PhaseAddPayload{}) },
	"pending, PLAN.md exists": func(s *story) { s.planned() },
	"in progress":             func(s *story) { s.start(s.planned()) },
	"in review": func(s *story) {
		p := s.planned()
		s.planned()
		s.start(p)
		s.executed(p)
	},
	"completed, and there is a next phase": func(s *story) {
		p := s.planned()
		s.planned()
		s.complete(p)
	},
	"completed, and it was the last": func(s *story) { s.complete(s.planned()) },
}

// planned adds a phase with a plan.
func (s *story) planned() UID {
	s.Helper()
	p := s.add(PhaseAddPayload{})
	s.write(PlanOf(p), "do it\n")
	return p
}

func TestNext_SP3_SP4_seedTable(t *testing.T) {
	t.Parallel()
	for _, row := range seedTable {
		t.Run(string(row.stage)+", "+row.state, func(t *testing.T) {
			t.Parallel()
			s := inStage(t, row.stage)
			seedStates[row.state](s)
			got := route.Next(s.t)
			if got.Step != row.step || got.Pipeline != row.pipeline || got.Reason == "" || got.Command == "" {
				t.Errorf("next is %+v, want %s in %s", got, row.step, row.pipeline)
			}
		})
	}
}

// SP-9, SP-14: each step leaves behind what the table looks for, so that the
// next one follows, top to bottom.
func TestNext_SP9_SP14_stepByStep(t *testing.T) {
	t.Parallel()
	s := inStage(t, StageClarify)
	s.write(DocContext, "# Gray Areas Remaining\n- [ ] q\n")
	s.next3("clarify", "main", "")
	s.write(DocContext, "# Gray Areas Remaining\n- [x] q\n")
	s.next3("research", "main", "")

	s.do(OpStage, StagePayload{Stage: StageResearch})
	s.next3("research", "main", "")
	s.write(DocResearch, "found\n")
	s.next3("plan", "main", "")

	s.do(OpStage, StagePayload{Stage: StagePlan})
	s.next3("plan", "main", "")
	s.write(DocRoadmap, "1. a\n")
	s.next3("plan", "phase-execution", "")
	one, two := s.add(PhaseAddPayload{}), s.add(PhaseAddPayload{})
	s.next3("plan", "phase-execution", "1")

	s.do(OpStage, StagePayload{Stage: StageExecute})
	s.next3("plan", "phase-execution", "1")
	s.write(PlanOf(one), "do it\n")
	s.next3("execute", "phase-execution", "1")

	s.do(OpStage, StagePayload{Stage: StagePlan})
	s.next3("plan", "phase-execution", "2") // the others are planned first
	s.write(PlanOf(two), "do it\n")
	s.next3("execute", "phase-execution", "1")
	s.start(one)
	s.next3("execute", "phase-execution", "1")
	s.executed(one)
	s.next3("review", "phase-execution", "1")
	s.approve(one)
	s.next3("execute", "phase-execution", "2")
	s.complete(two)
	s.next3("complete", "main", "")
	s.do(OpFinish, FinishPayload{Status: Finished})
	s.next3("done", "", "")
	if s.t.Stage != StageComplete {
		t.Errorf("stage %s", s.t.Stage)
	}
}

// SP-10, SP-11: a rejection is routed to revise, also later; fixes come before
// the next phase.
func TestNext_SP10_SP11_reviseAndFixes(t *testing.T) {
	t.Parallel()
	s := specified(t)
	one := s.add(PhaseAddPayload{})
	s.add(PhaseAddPayload{})
	s.start(one)
	s.executed(one)
	s.reject(one, "wrong")
	s.next3("revise", "phase-execution", "1")
	s.do(OpPause, PausePayload{Cause: CauseHandoff})
	s.do(OpStart, StartPayload{})
	s.next3("revise", "phase-execution", "1")
	fix := s.add(PhaseAddPayload{Kind: KindFix, Parent: one})
	s.next3("plan", "phase-execution", "1.1")
	s.write(PlanOf(fix), "x\n")
	s.next3("execute", "phase-execution", "1.1")
	s.start(fix)
	s.executed(fix)
	s.next3("review", "phase-execution", "1.1")
	s.approve(fix)
	s.next3("review", "phase-execution", "1")
	s.approve(one)
	s.next3("plan", "phase-execution", "2")
}

// S-39: whoever comes next goes on with the phase that was interrupted.
func TestNext_S39_interruptedPhase(t *testing.T) {
	t.Parallel()
	s := started(t)
	s.add(PhaseAddPayload{})
	two := s.add(PhaseAddPayload{})
	s.start(two)
	s.next3("execute", "phase-execution", "2")
	s.do(OpPause, PausePayload{Cause: CauseHandoff})
	s.next3("execute", "phase-execution", "2")
	if got := route.Next(s.t).Command; got != "git brew start" {
		t.Errorf("after a hand-off: %s", got)
	}
	s.do(OpResume, EmptyPayload{})
	s.next3("execute", "phase-execution", "2")
	s.do(OpPause, PausePayload{Cause: CauseWaiting, Reason: "needs a key"})
	if got := route.Next(s.t); got.Step != "start" || got.Reason != `the task is paused, and waits: "needs a key"` || got.Command != "git brew start" {
		t.Errorf("paused: %+v", got)
	}
}

func TestNext_otherRows(t *testing.T) {
	t.Parallel()
	if got := route.Next(Task{}); got.Step != "done" {
		t.Errorf("no task: %+v", got)
	}
	empty := inStage(t, StageComplete)
	if got := route.Next(empty.t).Reason; got != "the task's stage is complete, and it has no phases" {
		t.Errorf("nothing was done: %s", got)
	}
	s := newStory(t)
	s.next3("start", "", "")
	s.do(OpStart, StartPayload{})
	s.next3("execute", "main", "")
	r := s.add(PhaseAddPayload{Kind: KindResearch, Title: "Spike"})
	s.next3("research", "phase-execution", "R")
	s.start(r)
	s.next3("research", "phase-execution", "R")
	s.do(OpPhaseFail, PhaseReasonPayload{Phase: r, Reason: "no answer"})
	s.next3("retry", "phase-execution", "R")
	s.complete(r)
	one := s.add(PhaseAddPayload{})
	v := s.add(PhaseAddPayload{Kind: KindVerification, Parent: one})
	s.start(one)
	s.executed(one)
	s.next3("review", "phase-execution", "1V")
	s.start(v)
	s.next3("review", "phase-execution", "1V")
	s.executed(v)
	s.next3("review", "phase-execution", "1V")
	s.approve(v)
	fr := s.add(PhaseAddPayload{Kind: KindFinalReview})
	s.next3("review", "phase-execution", "FR")
	s.start(fr)
	s.executed(fr)
	s.ready(BoardOf(fr), "ann", "bob", "cid")
	s.approve(fr)
	s.next3("complete", "main", "")
}

// What cannot go on says which phase waits for what.
func TestNext_wait(t *testing.T) {
	t.Parallel()
	s := started(t)
	one := s.add(PhaseAddPayload{})
	two := s.add(PhaseAddPayload{DependsOn: []UID{one}})
	s.do(OpPhaseFail, PhaseReasonPayload{Phase: one, Reason: "x"})
	s.t.Phases[1].FailedBy = two // as no history makes it
	s.t.Phases[0].FailedBy = one
	s.next3("wait", "phase-execution", "1")
}

func TestReady(t *testing.T) {
	t.Parallel()
	s := started(t)
	one := s.add(PhaseAddPayload{})
	s.add(PhaseAddPayload{Kind: KindVerification, Parent: one})
	s.add(PhaseAddPayload{DependsOn: []UID{one}})
	s.add(PhaseAddPayload{})
	s.add(PhaseAddPayload{Kind: KindFinalReview})
	ready := func() []string {
		var ids []string
		for _, p := range route.Ready(s.t) {
			ids = append(ids, p.ID)
		}
		return ids
	}
	if got := ready(); !slices.Equal(got, []string{"1", "3"}) {
		t.Errorf("ready %v", got)
	}
	s.start(one)
	s.executed(one)
	if got := ready(); !slices.Equal(got, []string{"1V", "3"}) {
		t.Errorf("ready %v", got)
	}
}

// Every row of the table can be reached.
func TestRoutes_lastRowFitsAll(t *testing.T) {
	t.Parallel()
	for _, stage := range Stages {
		for _, status := range allStatuses {
			if got := route.Next(Task{Root: testUID(1), Status: status, Stage: stage}); got.Step == "" {
				t.Errorf("%s, %s: no step", stage, status)
			}
		}
	}
}
