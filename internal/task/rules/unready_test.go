package rules_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/route"
	. "github.com/git-brew/git-brew/internal/task/rules"
)

// unready is a task in a stage, with a roadmap, a phase that has its plan, and a
// plan that lacks something.
func unready(t *testing.T, stage task.Stage, lacks ...string) (*story, task.UID) {
	t.Helper()
	s := inStage(t, stage)
	s.write(task.DocRoadmap, "1. {GOAL}\n")
	p := s.planned()
	s.t.Unready = task.NewUnready(lacks)
	return s, p
}

// BC-18, BC-24: a plan that is not ready is not carried out, from whatever stage,
// and what next says is allowed.
func TestCheckPlan_BC18_BC24_fromEveryStage(t *testing.T) {
	t.Parallel()
	held := func(what string, err error) {
		t.Helper()
		refused, ok := errors.AsType[*task.RefusedError](err)
		if !ok || refused.Code != task.CodeDocuments ||
			refused.Msg != "the plan is not ready: spec:3: no phase covers R1; and 1 more" || len(refused.Findings) != 2 {
			t.Errorf("%s: %v", what, err)
		}
	}
	for _, stage := range task.Stages {
		s, p := unready(t, stage, "spec:3: no phase covers R1", "plan:9: {WHAT} is not filled in")
		held("start from "+string(stage), checkNow(s.t, task.OpPhaseStart, task.PhasePayload{Phase: p}))
		if len(route.Ready(s.t)) > 0 || strings.HasPrefix(route.Next(s.t).Command, "git brew phase start") {
			t.Errorf("%s: %v is ready, next is %+v", stage, route.Ready(s.t), route.Next(s.t))
		}
		for _, to := range []task.Stage{task.StageExecute, task.StageComplete} {
			err := checkNow(s.t, task.OpStage, task.StagePayload{Stage: to})
			switch refused, ok := errors.AsType[*task.RefusedError](err); {
			case s.t.Stage != task.StageExecute && s.t.Stage != task.StageComplete:
				held(string(stage)+" to "+string(to), err)
			case to == task.StageComplete && (!ok || !strings.HasPrefix(refused.Msg, "phases are not completed")),
				to == task.StageExecute && err != nil:
				t.Errorf("%s to %s: %v", stage, to, err)
			}
		}
		for _, to := range []task.Stage{task.StageClarify, task.StageResearch, task.StagePlan} {
			if err := checkNow(s.t, task.OpStage, task.StagePayload{Stage: to}); err != nil {
				t.Errorf("%s to %s: %v", stage, to, err)
			}
		}
		r := s.add(task.PhaseAddPayload{Kind: task.KindResearch})
		if err := checkNow(s.t, task.OpPhaseStart, task.PhasePayload{Phase: r}); err != nil {
			t.Errorf("%s: research: %v", stage, err)
		}
	}
	if s, p := unready(t, task.StagePlan); checkNow(s.t, task.OpPhaseStart, task.PhasePayload{Phase: p}) != nil {
		t.Error("a plan that lacks nothing holds the work up")
	}
	s := inStage(t, task.StageExecute)
	p := s.planned()
	s.t.Unready = task.NewUnready([]string{"no phase covers R1"})
	if err := checkNow(s.t, task.OpPhaseStart, task.PhasePayload{Phase: p}); err != nil {
		t.Errorf("made with its phases, and never planned: %v", err)
	}
	s, p = unready(t, task.StageExecute)
	s.start(p)
	two := s.planned()
	if s.t.Unready = task.NewUnready([]string{"gap"}); checkNow(s.t, task.OpPhaseStart,
		task.PhasePayload{Phase: two}) != nil {
		t.Error("what was begun is held up in execution")
	}
	if s.do(task.OpStage, task.StagePayload{Stage: task.StagePlan}); checkNow(s.t, task.OpPhaseStart,
		task.PhasePayload{Phase: two}) == nil {
		t.Error("planned anew, and not asked")
	}
}

// SP-8: what a plan lacks is passed over with a reason, for as long as it does not
// lack more, and planning is not come back to.
func TestSkip_BC18_SP8_planThatIsNotReady(t *testing.T) {
	t.Parallel()
	s, p := unready(t, task.StagePlan, "a", "b")
	skip := task.SkipPayload{Passed: route.PassedNext(s.t), Reason: "a trial"}
	if err := route.CheckSkip(s.t, task.SkipPayload{
		Passed: task.Passed{Step: task.StepPlan},
		Reason: "a trial",
	}); err == nil {
		t.Error("the roadmap is there, and skipped")
	}
	if err := route.CheckSkip(s.t, skip); err != nil || skip.Lacks != 2 {
		t.Fatalf("%v, %+v", err, skip)
	}
	s.do(task.OpStepSkip, skip)
	if got := s.t.Skips[0]; got.Lacks != 2 || s.t.ShownStep(got.Passed) != "2 findings in the plan" {
		t.Errorf("%+v, %s", got, s.t.ShownStep(got.Passed))
	}
	for lacks, held := range map[int]bool{1: false, 2: false, 3: true} {
		s.t.Unready = task.Unready{N: lacks}
		if err := checkNow(s.t, task.OpPhaseStart, task.PhasePayload{Phase: p}); (err != nil) != held {
			t.Errorf("%d findings: %v", lacks, err)
		}
	}
	if !route.AsksPlan(s.t) {
		t.Error("nobody would look for a third")
	}
	s.do(task.OpStage, task.StagePayload{Stage: task.StageClarify})
	s.t.Unready = task.Unready{N: 1}
	if err := checkNow(s.t, task.OpPhaseStart, task.PhasePayload{Phase: p}); err == nil {
		t.Error("the skip outlives the planning")
	}

	without := inStage(t, task.StagePlan)
	without.skip(task.StepPlan, "")
	p = without.planned()
	without.t.Unready = task.Unready{N: 1}
	if err := checkNow(without.t, task.OpPhaseStart, task.PhasePayload{Phase: p}); err == nil {
		t.Error("to do without a roadmap lets its findings pass, too")
	}
	for _, bad := range []task.Passed{
		{Step: task.StepResearch, Lacks: 1},
		{Step: task.StepPlan, Phase: p, Lacks: 1},
		{Step: task.StepPlan, Lacks: -1},
		{Step: task.StepPlan, Lacks: task.MaxUnready + 1},
	} {
		if ValidPassed(bad, without.t) {
			t.Errorf("%+v is taken", bad)
		}
	}
}
