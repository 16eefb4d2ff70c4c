package rules_test

import (
	"slices"
	"testing"

	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/route"
)

// inStage is a task in progress in a stage.
func inStage(t *testing.T, stage task.Stage) *story {
	t.Helper()
	s := specified(t)
	s.do(task.OpStage, task.StagePayload{Stage: stage})
	return s
}

func (s *story) write(name task.DocName, text string) {
	s.Helper()
	s.do(task.OpDocSet, task.DocSetPayload{Name: name, Base: s.t.Docs[name].OID, OID: s.texts.put(text)})
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
	stage          task.Stage
	state          string
	step, pipeline string
}{
	{task.StageClarify, "questions > 0", "clarify", "main"},
	{task.StageClarify, "questions = 0", "research", "main"},

	{task.StageResearch, "no RESEARCH.md", "research", "main"},
	{task.StageResearch, "RESEARCH.md exists", "plan", "main"},

	{task.StagePlan, "no ROADMAP.md", "plan", "main"},
	{task.StagePlan, "ROADMAP.md exists", "plan", "phase-execution"},

	{task.StageExecute, "pending, no PLAN.md", "plan", "phase-execution"},
	{task.StageExecute, "pending, PLAN.md exists", "execute", "phase-execution"},
	{task.StageExecute, "in progress", "execute", "phase-execution"},
	{task.StageExecute, "in review", "review", "phase-execution"},
	{task.StageExecute, "completed, and there is a next phase", "execute", "phase-execution"},
	{task.StageExecute, "completed, and it was the last", "complete", "main"},
}

// seedStates say what each state of the seed's table is here.
var seedStates = map[string]func(s *story){
	"questions > 0":      func(s *story) { s.write(task.DocContext, "# Gray Areas Remaining\n- [ ] q\n- [x] r\n") },
	"questions = 0":      func(s *story) { s.write(task.DocContext, "# Gray Areas Remaining\n- [x] q\n") },
	"no RESEARCH.md":     func(*story) {},
	"RESEARCH.md exists": func(s *story) { s.write(task.DocResearch, "found\n") },
	"no ROADMAP.md":      func(s *story) { s.add(task.PhaseAddPayload{}) },
	"ROADMAP.md exists":  func(s *story) { s.write(task.DocRoadmap, "1. a\n") },

	"pending, no PLAN.md":     func(s *story) { s.add(task.PhaseAddPayload{}) },
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
func (s *story) planned() task.UID {
	s.Helper()
	p := s.add(task.PhaseAddPayload{})
	s.write(task.PlanOf(p), "do it\n")
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
	s := inStage(t, task.StageClarify)
	s.write(task.DocContext, "# Gray Areas Remaining\n- [ ] q\n")
	s.next3("clarify", "main", "")
	s.write(task.DocContext, "# Gray Areas Remaining\n- [x] q\n")
	s.next3("research", "main", "")

	s.do(task.OpStage, task.StagePayload{Stage: task.StageResearch})
	s.next3("research", "main", "")
	s.write(task.DocResearch, "found\n")
	s.next3("plan", "main", "")

	s.do(task.OpStage, task.StagePayload{Stage: task.StagePlan})
	s.next3("plan", "main", "")
	s.write(task.DocRoadmap, "1. a\n")
	s.next3("plan", "phase-execution", "")
	one, two := s.add(task.PhaseAddPayload{}), s.add(task.PhaseAddPayload{})
	s.next3("plan", "phase-execution", "1")

	s.do(task.OpStage, task.StagePayload{Stage: task.StageExecute})
	s.next3("plan", "phase-execution", "1")
	s.write(task.PlanOf(one), "do it\n")
	s.next3("execute", "phase-execution", "1")

	s.do(task.OpStage, task.StagePayload{Stage: task.StagePlan})
	s.next3("plan", "phase-execution", "2") // the others are planned first
	s.write(task.PlanOf(two), "do it\n")
	s.next3("execute", "phase-execution", "1")
	s.start(one)
	s.next3("execute", "phase-execution", "1")
	s.executed(one)
	s.next3("review", "phase-execution", "1")
	s.approve(one)
	s.next3("execute", "phase-execution", "2")
	s.complete(two)
	s.next3("complete", "main", "")
	s.do(task.OpFinish, task.FinishPayload{Status: task.Finished})
	s.next3("done", "", "")
	if s.t.Stage != task.StageComplete {
		t.Errorf("stage %s", s.t.Stage)
	}
}

// SP-10, SP-11: a rejection is routed to revise, also later; fixes come before
// the next phase.
func TestNext_SP10_SP11_reviseAndFixes(t *testing.T) {
	t.Parallel()
	s := specified(t)
	one := s.add(task.PhaseAddPayload{})
	s.add(task.PhaseAddPayload{})
	s.start(one)
	s.executed(one)
	s.reject(one, "wrong")
	s.next3("revise", "phase-execution", "1")
	s.do(task.OpPause, task.PausePayload{Cause: task.CauseHandoff})
	s.do(task.OpStart, task.StartPayload{})
	s.next3("revise", "phase-execution", "1")
	fix := s.add(task.PhaseAddPayload{Kind: task.KindFix, Parent: one})
	s.next3("plan", "phase-execution", "1.1")
	s.write(task.PlanOf(fix), "x\n")
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
	s.add(task.PhaseAddPayload{})
	two := s.add(task.PhaseAddPayload{})
	s.start(two)
	s.next3("execute", "phase-execution", "2")
	s.do(task.OpPause, task.PausePayload{Cause: task.CauseHandoff})
	s.next3("execute", "phase-execution", "2")
	if got := route.Next(s.t).Command; got != "git brew start" {
		t.Errorf("after a hand-off: %s", got)
	}
	s.do(task.OpResume, task.EmptyPayload{})
	s.next3("execute", "phase-execution", "2")
	s.do(task.OpPause, task.PausePayload{Cause: task.CauseWaiting, Reason: "needs a key"})
	if got := route.Next(s.t); got.Step != "start" || got.Reason != `it is paused: "needs a key"` ||
		got.Command != "git brew start" {
		t.Errorf("paused: %+v", got)
	}
}

func TestNext_otherRows(t *testing.T) {
	t.Parallel()
	if got := route.Next(task.Task{}); got.Step != "done" {
		t.Errorf("no task: %+v", got)
	}
	empty := inStage(t, task.StageComplete)
	if got := route.Next(empty.t).Reason; got != "the task's stage is complete, and it has no phases" {
		t.Errorf("nothing was done: %s", got)
	}
	s := newStory(t)
	s.next3("start", "", "")
	s.do(task.OpStart, task.StartPayload{})
	s.next3("execute", "main", "")
	r := s.add(task.PhaseAddPayload{Kind: task.KindResearch, Title: "Spike"})
	s.next3("research", "phase-execution", "R")
	s.start(r)
	s.next3("research", "phase-execution", "R")
	s.do(task.OpPhaseFail, task.PhaseReasonPayload{Phase: r, Reason: "no answer"})
	s.next3("retry", "phase-execution", "R")
	s.complete(r)
	one := s.add(task.PhaseAddPayload{})
	v := s.add(task.PhaseAddPayload{Kind: task.KindVerification, Parent: one})
	s.start(one)
	s.executed(one)
	s.next3("review", "phase-execution", "1V")
	s.start(v)
	s.next3("review", "phase-execution", "1V")
	s.executed(v)
	s.next3("review", "phase-execution", "1V")
	s.approve(v)
	fr := s.add(task.PhaseAddPayload{Kind: task.KindFinalReview})
	s.next3("review", "phase-execution", "FR")
	s.start(fr)
	s.executed(fr)
	s.ready(task.BoardOf(fr), "ann", "bob", "cid")
	s.approve(fr)
	s.next3("complete", "main", "")
}

// What cannot go on says which phase waits for what.
func TestNext_wait(t *testing.T) {
	t.Parallel()
	s := started(t)
	one := s.add(task.PhaseAddPayload{})
	two := s.add(task.PhaseAddPayload{DependsOn: []task.UID{one}})
	s.do(task.OpPhaseFail, task.PhaseReasonPayload{Phase: one, Reason: "x"})
	s.t.Phases[1].FailedBy = two // as no history makes it
	s.t.Phases[0].FailedBy = one
	s.next3("wait", "phase-execution", "1")
}

func TestReady(t *testing.T) {
	t.Parallel()
	s := started(t)
	one := s.add(task.PhaseAddPayload{})
	s.add(task.PhaseAddPayload{Kind: task.KindVerification, Parent: one})
	s.add(task.PhaseAddPayload{DependsOn: []task.UID{one}})
	s.add(task.PhaseAddPayload{})
	s.add(task.PhaseAddPayload{Kind: task.KindFinalReview})
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
	for _, stage := range task.Stages {
		for _, status := range allStatuses {
			if got := route.Next(task.Task{Root: testUID(1), Status: status, Stage: stage}); got.Step == "" {
				t.Errorf("%s, %s: no step", stage, status)
			}
		}
	}
}
