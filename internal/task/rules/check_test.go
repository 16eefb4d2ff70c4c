package rules_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/git-brew/git-brew/internal/operation"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/report"
	. "github.com/git-brew/git-brew/internal/task/rules"
)

// BC-26, BC-28: a task starts from pending, in progress and handoff (and
// blocked); anything else is refused with its status and what to do.
func TestStart_BC26_statuses(t *testing.T) {
	t.Parallel()
	for status, ok := range map[task.Status]bool{
		task.Pending: true, task.InProgress: true, task.Paused: true,
		task.Finished: false, task.Failed: false, task.Cancelled: false,
	} {
		s := newStory(t)
		s.t.Status = status
		if !ok {
			r := s.refusal(task.CodeTaskState, task.OpStart, task.StartPayload{})
			if !strings.Contains(r.Msg, string(status)) || !strings.Contains(r.Hint, "--restart") {
				t.Errorf("%s: %v", status, r)
			}
			s.do(task.OpStart, task.StartPayload{Restart: true})
		} else {
			s.do(task.OpStart, task.StartPayload{})
		}
		if s.t.Status != task.InProgress {
			t.Errorf("%s became %s", status, s.t.Status)
		}
	}
}

func TestFinish_openPhasesNamed(t *testing.T) {
	t.Parallel()
	s := newStory(t)
	s.refused(task.CodeTransition, task.OpFinish, task.FinishPayload{Status: task.Finished})
	s.do(task.OpStart, task.StartPayload{})
	one := s.add(task.PhaseAddPayload{Title: "Token model"})
	s.add(task.PhaseAddPayload{Title: "Login"})
	s.complete(one)
	r := s.refusal(task.CodeOpenPhases, task.OpFinish, task.FinishPayload{Status: task.Finished})
	if !slices.Equal(r.Findings, []string{"2 Login (pending)"}) || !strings.Contains(r.Error(), "2 Login") {
		t.Errorf("%v", r)
	}
	s.refused(task.CodeInvalid, task.OpFinish, task.FinishPayload{Status: task.InProgress})
	// Nor is the stage complete before they are (SP-14).
	if r := s.refusal(task.CodeOpenPhases, task.OpStage,
		task.StagePayload{Stage: task.StageComplete}); !slices.Equal(r.Findings, []string{"2 Login (pending)"}) ||
		r.Hint != "see 'git brew next'" {
		t.Errorf("%v", r)
	}
	s.do(task.OpFinish, task.FinishPayload{Status: task.Failed, Reason: "no way"})
	if s.t.FinishedAt == "" || s.t.Reason != "no way" {
		t.Errorf("%+v", s.t)
	}
	s.refused(task.CodeTaskState, task.OpPhaseStart, task.PhasePayload{Phase: one})
	s.refused(task.CodeTaskState, task.OpPhaseAdd, task.PhaseAddPayload{Title: "More"})
	s.do(task.OpStart, task.StartPayload{Restart: true})
	if s.t.FinishedAt != "" || s.t.Reason != "" {
		t.Errorf("restarted: %+v", s.t)
	}
}

// Whatever ends or interrupts the task pauses its phases; what brings it back
// resumes them.
func TestTask_pausesAndResumesPhases(t *testing.T) {
	t.Parallel()
	s := started(t)
	p := s.add(task.PhaseAddPayload{})
	s.start(p)
	for _, step := range []struct {
		kind    operation.Kind
		payload any
	}{
		{task.OpPause, task.PausePayload{Cause: task.CauseHandoff}},
		{task.OpPause, task.PausePayload{Cause: task.CauseWaiting, Reason: "x"}},
		{task.OpFinish, task.FinishPayload{Status: task.Cancelled}},
	} {
		s.do(step.kind, step.payload)
		if s.want(p, task.PhaseInProgress, task.ReviewNone); s.phase(p).WorkSince != "" {
			t.Errorf("%s: its time runs since %s", step.kind, s.phase(p).WorkSince)
		}
		s.do(task.OpStart, task.StartPayload{Restart: true})
		if s.want(p, task.PhaseInProgress, task.ReviewNone); s.phase(p).WorkSince == "" {
			t.Errorf("%s: nobody's time runs", step.kind)
		}
	}
	if got := s.phase(p).Iteration; got != 1 {
		t.Errorf("iteration %d", got)
	}
	if s.t.Current != p {
		t.Error("the interrupted phase is not current")
	}
}

func TestCheck_titlesAndNames(t *testing.T) {
	t.Parallel()
	s := started(t)
	for _, bad := range []string{"", " ", "a\nb", "\x1b[2Jx", "\u202ex", strings.Repeat("x", task.MaxTitle+1)} {
		s.refused(task.CodeInvalid, task.OpPhaseAdd, task.PhaseAddPayload{Title: bad})
		s.superseded(task.OpPhaseAdd, task.PhaseAddPayload{Title: bad})
		if bad != "" {
			s.refused(task.CodeInvalid, task.OpEdit, task.EditPayload{Title: bad})
		}
	}
	s.refused(task.CodeInvalid, task.OpEdit, task.EditPayload{})
	s.refused(task.CodeInvalid, task.OpEdit, task.EditPayload{Branch: "a..b"})
	s.refused(task.CodeInvalid, task.OpPhaseAdd, task.PhaseAddPayload{Title: "x", Agents: []string{"../x"}})
	s.refused(task.CodeInvalid, task.OpPhaseAdd, task.PhaseAddPayload{Title: "x", Kind: "x"})
	s.refused(task.CodeInvalid, task.OpPhaseAdd, task.PhaseAddPayload{Title: "x", Tier: "chef"})
	s.refused(task.CodeInvalid, task.OpPhaseAdd, task.PhaseAddPayload{Title: "x", Kind: task.KindFix})
	s.refused(task.CodeInvalid, task.OpPause, task.PausePayload{Cause: task.CauseWaiting})
	s.refused(task.CodeInvalid, task.OpStage, task.StagePayload{Stage: "x"})
	s.refused(task.CodeTaken, task.OpCreate, task.CreatePayload{})
	s.refused(task.CodeInvalid, "no.such.kind", task.EmptyPayload{})
	p := s.add(task.PhaseAddPayload{})
	s.refused(task.CodeInvalid, task.OpPhaseReview, task.PhaseReviewPayload{Phase: p, Verdict: "x"})
	s.start(p)
	s.executed(p)
	s.refused(task.CodeInvalid, task.OpPhaseReview, task.PhaseReviewPayload{Phase: p, Verdict: task.ReviewChanges})
}

func TestCheck_notThere(t *testing.T) {
	t.Parallel()
	s := started(t)
	for kind, payload := range map[operation.Kind]any{
		task.OpPhaseStart: task.PhasePayload{Phase: testUID(99)}, task.OpPhaseDone: task.PhasePayload{},
		task.OpPhaseReview: task.PhaseReviewPayload{Verdict: task.ReviewApproved},
		task.OpPhaseFail:   task.PhaseReasonPayload{}, task.OpPhaseDrop: task.PhaseReasonPayload{},
		task.OpPhaseReset: task.PhaseReasonPayload{}, task.OpPhaseLaunch: task.PhaseLaunchPayload{Agent: "x"},
		task.OpReport:   task.ReportPayload{Agent: "x", OID: commitA},
		task.OpDocSet:   task.DocSetPayload{Name: task.PlanOf(testUID(9)), OID: commitA},
		task.OpPhaseAdd: task.PhaseAddPayload{Title: "x", Kind: task.KindFix, Parent: testUID(9)},
	} {
		if err := Check(s.t, s.next(kind, payload)); !errors.Is(err, task.ErrNoPhase) {
			t.Errorf("%s: %v", kind, err)
		}
		s.superseded(kind, payload)
	}
	for kind, payload := range map[operation.Kind]any{
		task.OpDocResolve:      task.DocResolvePayload{Conflict: testUID(9), OID: commitA},
		task.OpKnowledgeRemove: task.KnowledgeRemovePayload{IDs: []operation.ID{testUID(9)}},
	} {
		if err := Check(s.t, s.next(kind, payload)); !errors.Is(err, task.ErrNoEntry) {
			t.Errorf("%s: %v", kind, err)
		}
		s.superseded(kind, payload)
	}
	if err := Check(s.t, s.next(task.OpDocSet, task.DocSetPayload{Name: "x", OID: commitA})); !errors.Is(err,
		task.ErrNoDocument) {
		t.Error(err)
	}
	s.refused(task.CodeUnknownDep, task.OpPhaseAdd, task.PhaseAddPayload{Title: "x", DependsOn: []task.UID{testUID(99)}})
	if err := Check(task.Task{}, s.next(task.OpStart, task.StartPayload{})); !errors.Is(err, task.ErrNoTask) {
		t.Error(err)
	}
	s.do(task.OpDelete, task.EmptyPayload{})
	if err := Check(s.t, s.next(task.OpStart, task.StartPayload{})); !errors.Is(err, task.ErrNoTask) {
		t.Error(err)
	}
	s.superseded(task.OpEdit, task.EditPayload{Title: "x"})
}

// A part that waits for what waits for its whole would never be ready.
func TestPhaseAdd_cycle(t *testing.T) {
	t.Parallel()
	s := started(t)
	one := s.add(task.PhaseAddPayload{})
	two := s.add(task.PhaseAddPayload{DependsOn: []task.UID{one}})
	three := s.add(task.PhaseAddPayload{DependsOn: []task.UID{two}})
	final := s.add(task.PhaseAddPayload{Kind: task.KindFinalReview})
	for _, dep := range []task.UID{two, three, final} {
		s.refused(task.CodeCycle, task.OpPhaseAdd,
			task.PhaseAddPayload{Title: "part", Kind: task.KindSplit, Parent: one, DependsOn: []task.UID{dep}})
	}
	part := s.add(task.PhaseAddPayload{
		Title: "part", Kind: task.KindSplit, Parent: three,
		DependsOn: []task.UID{one, three},
	})
	if got := s.phase(part).DependsOn; !slices.Equal(got, []task.UID{one}) {
		t.Errorf("depends on %v: what it belongs to is no dependency", got)
	}
}

// Nonsense changes nothing but the clock, and never panics.
func TestApply_hostile(t *testing.T) {
	t.Parallel()
	s := full(t)
	for _, k := range kindsDeclared(t) {
		for _, raw := range []string{
			"", "null", "[]", "{", `"x"`, `{}`, `{"phase":"` + strings.Repeat("x", 1000) + `"}`, `{"phase":1}`,
			`{"title":"\u0000","kind":"fix","parent":"x","depends_on":[""]}`, `{"name":"../../x","oid":"x"}`,
			`{"name":"phases//plan","oid":"` + commitA + `"}`, `{"iteration":-1,"agent":"../../x"}`, `{"status":"finished\n"}`,
			`{"ids":[""]}`,
		} {
			op := operation.Operation{ID: testUID(500), Kind: k, Clock: 999, Law: 1, At: "\x1b", Payload: []byte(raw)}
			before := encoded(t, s.t)
			after, _ := Apply(s.t, op, nil)
			if encoded(t, s.t) != before {
				t.Fatalf("%s %s changed the state it was given", k, raw)
			}
			if after.Clock != 999 {
				t.Errorf("%s: clock %d", k, after.Clock)
			}
			if _, err := task.Decode(stored(t, after)); err != nil {
				t.Errorf("%s %s: %v", k, raw, err)
			}
			_ = Check(s.t, op)
			report.Subject(op, s.t, after)
			report.Trailers(op, s.t, after)
			if _, applied := Apply(task.Task{}, op, nil); applied {
				t.Errorf("%s applied to nothing", k)
			}
		}
	}
}

// A refusal begins with what it is about, and says what would be allowed.
func TestCheck_refusalsNameTheirSubject(t *testing.T) {
	t.Parallel()
	s := started(t)
	one := s.add(task.PhaseAddPayload{Title: "Token model"})
	s.start(one)
	s.executed(one)
	err := s.refusal(task.CodeTransition, task.OpPhaseDone, task.PhasePayload{Phase: one})
	if !strings.HasPrefix(err.Error(), "phase 1 is in review, and can't be done now; ") {
		t.Errorf("%v", err)
	}
}
