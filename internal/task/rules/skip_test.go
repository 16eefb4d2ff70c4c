package rules_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/report"
	"github.com/git-brew/git-brew/internal/task/route"
)

func (s *story) skip(step string, p task.UID) {
	s.Helper()
	s.do(task.OpStepSkip, task.SkipPayload{Passed: task.Passed{Step: step, Phase: p}, Reason: "simple"})
}

// What may be skipped where, and what comes next then; "never" is refused, with
// what to do instead. In the words of the seed's table, and after it the states
// that the seed forgot.
var skipTable = []struct {
	stage task.Stage
	state string
	skip  string
	then  string // the step that comes next, and its phase
}{
	{task.StageClarify, "questions > 0", "clarify", "research"},
	{task.StageClarify, "questions = 0", "research", "plan"},
	{task.StageResearch, "questions > 0", "clarify", "research"},
	{task.StagePlan, "questions > 0", "clarify", "plan"},
	{task.StageResearch, "no RESEARCH.md", "research", "plan"},
	{task.StageResearch, "RESEARCH.md exists", "plan", "never"},
	{task.StagePlan, "no ROADMAP.md", "plan", "plan 1"},
	{task.StagePlan, "ROADMAP.md exists", "plan", "never"},
	{task.StageExecute, "pending, no PLAN.md", "plan", "execute 1"},
	{task.StageExecute, "pending, PLAN.md exists", "execute", "never"},
	{task.StageExecute, "in progress", "execute", "never"},
	{task.StageExecute, "in review", "review", "never"},
	{task.StageExecute, "completed, and there is a next phase", "execute", "never"},
	{task.StageExecute, "completed, and it was the last", "complete", "never"},

	{task.StageExecute, "a review wants changes", "revise", "never"},
	{task.StageExecute, "a verification is ready", "review", "never"},
	{task.StageExecute, "a research phase is ready", "research", "never"},
	{task.StageExecute, "a phase failed", "retry", "never"},
	{task.StageExecute, "a fix phase has no PLAN.md", "plan", "execute 1.1"},
}

var skipStates = map[string]func(s *story){
	"a review wants changes": func(s *story) {
		p := s.planned()
		s.start(p)
		s.executed(p)
		s.reject(p, "wrong")
	},
	"a verification is ready": func(s *story) {
		p := s.planned()
		s.add(task.PhaseAddPayload{Kind: task.KindVerification, Parent: p})
		s.start(p)
		s.executed(p)
	},
	"a research phase is ready": func(s *story) { s.add(task.PhaseAddPayload{Kind: task.KindResearch}) },
	"a phase failed": func(s *story) {
		s.do(task.OpPhaseFail, task.PhaseReasonPayload{Phase: s.planned(), Reason: "no way"})
	},
	"a fix phase has no PLAN.md": func(s *story) {
		p := s.planned()
		s.start(p)
		s.executed(p)
		s.add(task.PhaseAddPayload{Kind: task.KindFix, Parent: p})
	},
}

func TestSkip_SP8_whatMayBeSkippedWhere(t *testing.T) {
	t.Parallel()
	for _, row := range skipTable {
		t.Run(string(row.stage)+", "+row.state, func(t *testing.T) {
			t.Parallel()
			s := inStage(t, row.stage)
			build := seedStates[row.state]
			if build == nil {
				build = skipStates[row.state]
			}
			build(s)
			next := route.Next(s.t)
			if next.Step != row.skip {
				t.Fatalf("next is %+v, want %s", next, row.skip)
			}
			var phase task.UID
			if next.Phase != "" {
				p, err := s.t.FindPhase(next.Phase)
				if err != nil {
					t.Fatal(err)
				}
				phase = p.UID
			}
			payload := task.SkipPayload{Passed: task.Passed{Step: row.skip, Phase: phase}, Reason: "simple"}
			if row.then == "never" {
				if why := s.refusal(task.CodeTransition, task.OpStepSkip, payload); !strings.Contains(why.Hint, next.Command) ||
					next.Command == "" || !strings.Contains(why.Msg, "is never skipped") || route.Next(s.t).Skip != "" {
					t.Errorf("refused: %v; %q", why, route.Next(s.t).Skip)
				}
				return
			}
			if route.Next(s.t).Skip == "" {
				t.Error("it can be skipped, and is not said to")
			}
			s.do(task.OpStepSkip, payload)
			if got := strings.TrimSpace(route.Next(s.t).Step + " " + route.Next(s.t).Phase); got != row.then {
				t.Errorf("then next is %q, want %q", got, row.then)
			}
			if n := len(s.t.Skips); n == 0 || s.t.Skips[n-1].Reason != "simple" {
				t.Errorf("on record: %+v", s.t.Skips)
			}
		})
	}
}

func TestSkip_SP8_refusals(t *testing.T) {
	t.Parallel()
	s := inStage(t, task.StageClarify)
	s.write(task.DocContext, "# Gray Areas Remaining\n- [ ] q\n")
	of := func(step, why string) task.SkipPayload {
		return task.SkipPayload{Passed: task.Passed{Step: step}, Reason: why}
	}
	s.refused(task.CodeTransition, task.OpStepSkip, of(task.StepResearch, "not its turn"))
	s.refused(task.CodeTransition, task.OpStepSkip, of("dance", "unknown"))
	s.refused(task.CodeInvalid, task.OpStepSkip, of(task.StepClarify, " "))
	s.do(task.OpPause, task.PausePayload{Cause: task.CauseHandoff})
	s.refused(task.CodeTaskState, task.OpStepSkip, of(task.StepClarify, "simple"))
	s.superseded(task.OpStepSkip, of("dance", "unknown"))
	s.superseded(task.OpStepSkip, task.SkipPayload{
		Passed: task.Passed{Step: task.StepPlan, Phase: testUID(77)},
		Reason: "no such phase",
	})
	s.superseded(task.OpStepSkip, task.SkipPayload{Passed: task.Passed{
		Step:  task.StepClarify,
		Phase: s.add(task.PhaseAddPayload{}),
	}, Reason: "no step of a phase"})
	s.superseded(task.OpStepSkip, of(task.StepClarify, ""))
	// What a board holds up, its reviewers let go on.
	held := started(t)
	held.gap(task.DocPlan)
	held.planned()
	if why := held.refusal(task.CodeTransition, task.OpStepSkip,
		of(task.StepReview, "no time")); !strings.HasPrefix(why.Msg, "review is never skipped: plan is not READY") ||
		why.Hint != "git brew remark resolve 1" {
		t.Errorf("%v", why)
	}
}

// A skip holds for the place it was made at: another question, a step back, or
// another iteration asks for the step again.
func TestSkip_SP8_holdsForItsPlace(t *testing.T) {
	t.Parallel()
	s := inStage(t, task.StageClarify)
	s.write(task.DocContext, "# Gray Areas Remaining\n- [ ] q\n")
	if got := s.said(task.OpStepSkip, task.SkipPayload{
		Passed: task.Passed{Step: task.StepClarify},
		Reason: "it is clear",
	}); got != "skipped: the discussion: it is clear" {
		t.Errorf("it is told as %q", got)
	}
	s.next3("research", "main", "")
	s.write(task.DocContext, "# Gray Areas Remaining\n- [ ] q\n- [ ] r\n")
	s.next3("clarify", "main", "")
	s.skip(task.StepClarify, "")
	s.skip(task.StepResearch, "")
	s.next3("plan", "main", "")
	s.do(task.OpStage, task.StagePayload{Stage: task.StagePlan})
	s.do(task.OpStage, task.StagePayload{Stage: task.StageResearch})
	s.next3("research", "main", "") // it was gone back to
	s.skip(task.StepResearch, "")
	s.do(task.OpStage, task.StagePayload{Stage: task.StagePlan})
	s.skip(task.StepPlan, "")
	p := s.add(task.PhaseAddPayload{})
	s.skip(task.StepPlan, p)
	s.next3("execute", "phase-execution", "1")
	s.start(p)
	s.do(task.OpPhaseReset, task.PhaseReasonPayload{Phase: p})
	s.next3("plan", "phase-execution", "1")
	over := 0
	for _, k := range s.t.Skips {
		if k.Over {
			over++
		}
	}
	if len(s.t.Skips) != 6 || over != 1 {
		t.Errorf("%d skips, %d over: %+v", len(s.t.Skips), over, s.t.Skips)
	}
}

// SP-12: a question that comes up after the discussion is left behind by each stage forward,
// and by the end; work that goes on leaves it, and so does the way back.
func TestPassed_SP12_lateQuestion(t *testing.T) {
	t.Parallel()
	for i, at := range task.Stages {
		s := inStage(t, at)
		s.write(task.DocContext, "# Gray Areas Remaining\n- [ ] q\n")
		for j, to := range task.Stages {
			want := j > i || to == task.StageComplete
			if got := slices.Contains(route.PassedBy(s.t, to), task.Passed{Step: task.StepClarify}); got != want {
				t.Errorf("from %s to %s the discussion is passed: %v", at, to, got)
			}
		}
	}
}

// SP-8, SP-12: what a stage, a start or an end leaves behind is on record, too,
// once.
func TestPassed_SP8_SP12_onRecord(t *testing.T) {
	t.Parallel()
	s := inStage(t, task.StageClarify)
	s.write(task.DocContext, "# Gray Areas Remaining\n- [ ] q\n")
	main := func(steps ...string) []task.Passed {
		var all []task.Passed
		for _, step := range steps {
			all = append(all, task.Passed{Step: step})
		}
		return all
	}
	for to, want := range map[task.Stage][]task.Passed{
		task.StageClarify: nil, task.StageResearch: main(task.StepClarify),
		task.StagePlan:     main(task.StepClarify, task.StepResearch),
		task.StageExecute:  main(task.StepClarify, task.StepResearch, task.StepPlan),
		task.StageComplete: main(task.StepClarify, task.StepResearch, task.StepPlan),
	} {
		if got := route.PassedBy(s.t, to); !slices.Equal(got, want) {
			t.Errorf("to %s: passed %v, want %v", to, got, want)
		}
	}
	s.skip(task.StepClarify, "")
	p := s.add(task.PhaseAddPayload{})
	v := s.add(task.PhaseAddPayload{Kind: task.KindVerification, Parent: p})
	passed := route.PassedByStart(s.t, s.phase(p))
	if want := append(main(task.StepResearch, task.StepPlan),
		task.Passed{Step: task.StepPlan, Phase: p}); !slices.Equal(passed, want) {
		t.Errorf("a start passes %v, want %v", passed, want)
	}
	s.do(task.OpPhaseStart, task.PhasePayload{Phase: p, Commit: commitA, Passed: passed})
	if len(s.t.Skips) != 4 || s.t.Stage != task.StageExecute {
		t.Fatalf("stage %s, skips %+v", s.t.Stage, s.t.Skips)
	}
	if subject := report.Subject(s.nodes[len(s.nodes)-1].Op, s.t, s.t); !strings.Contains(subject, "skipped rese") {
		t.Errorf("subject %q", subject)
	}
	s.executed(p)
	if got := route.PassedByStart(s.t, s.phase(v)); len(got) != 0 {
		t.Errorf("a verification has no plan, and passes %v", got)
	}
	s.reject(p, "again")
	if got := route.PassedByStart(s.t, s.phase(p)); !slices.Equal(got, []task.Passed{{Step: task.StepPlan, Phase: p}}) {
		t.Errorf("the next iteration passes %v", got)
	}
	s.write(task.PlanOf(p), "plan\n")
	if got := route.PassedByStart(s.t, s.phase(p)); len(got) != 0 {
		t.Errorf("with a plan it passes %v", got)
	}
	if report := report.FinalReport(s.t, report.Story{}, ""); !strings.Contains(report,
		"- Skipped: the discussion (1 of its questions open): simple\n- Skipped: research\n") {
		t.Errorf("the report says nothing of it:\n%s", report)
	}
}
