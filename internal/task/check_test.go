package task_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/git-brew/git-brew/internal/operation"
	. "github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/report"
)

// BC-26, BC-28: a task starts from pending, in progress and handoff (and
// blocked); anything else is refused with its status and what to do.
func TestStart_BC26_statuses(t *testing.T) {
	t.Parallel()
	for status, ok := range map[Status]bool{
		Pending: true, InProgress: true, Paused: true,
		Finished: false, Failed: false, Cancelled: false,
	} {
		s := newStory(t)
		s.t.Status = status
		if !ok {
			r := s.refusal(CodeTaskState, OpStart, StartPayload{})
			if !strings.Contains(r.Msg, string(status)) || !strings.Contains(r.Hint, "--restart") {
				t.Errorf("%s: %v", status, r)
			}
			s.do(OpStart, StartPayload{Restart: true})
		} else {
			s.do(OpStart, StartPayload{})
		}
		if s.t.Status != InProgress {
			t.Errorf("%s became %s", status, s.t.Status)
		}
	}
}

func TestFinish_openPhasesNamed(t *testing.T) {
	t.Parallel()
	s := newStory(t)
	s.refused(CodeTransition, OpFinish, FinishPayload{Status: Finished})
	s.do(OpStart, StartPayload{})
	one := s.add(PhaseAddPayload{Title: "Token model"})
	s.add(PhaseAddPayload{Title: "Login"})
	s.complete(one)
	r := s.refusal(CodeOpenPhases, OpFinish, FinishPayload{Status: Finished})
	if !slices.Equal(r.Findings, []string{"2 Login (pending)"}) || !strings.Contains(r.Error(), "2 Login") {
		t.Errorf("%v", r)
	}
	s.refused(CodeInvalid, OpFinish, FinishPayload{Status: InProgress})
	// Nor is the stage complete before they are (SP-14).
	if r := s.refusal(CodeOpenPhases, OpStage, StagePayload{Stage: StageComplete}); !slices.Equal(r.Findings, []string{"2 Login (pending)"}) || r.Hint != "see 'git brew next'" {
		t.Errorf("%v", r)
	}
	s.do(OpFinish, FinishPayload{Status: Failed, Reason: "no way"})
	if s.t.FinishedAt == "" || s.t.Reason != "no way" {
		t.Errorf("%+v", s.t)
	}
	s.refused(CodeTaskState, OpPhaseStart, PhasePayload{Phase: one})
	s.refused(CodeTaskState, OpPhaseAdd, PhaseAddPayload{Title: "More"})
	s.do(OpStart, StartPayload{Restart: true})
	if s.t.FinishedAt != "" || s.t.Reason != "" {
		t.Errorf("restarted: %+v", s.t)
	}
}

// Whatever ends or interrupts the task pauses its phases; what brings it back
// resumes them.
func TestTask_pausesAndResumesPhases(t *testing.T) {
	t.Parallel()
	s := started(t)
	p := s.add(PhaseAddPayload{})
	s.start(p)
	for _, step := range []struct {
		kind    operation.Kind
		payload any
	}{
		{OpPause, PausePayload{Cause: CauseHandoff}}, {OpPause, PausePayload{Cause: CauseWaiting, Reason: "x"}}, {OpFinish, FinishPayload{Status: Cancelled}},
	} {
		s.do(step.kind, step.payload)
		if s.want(p, PhaseInProgress, ReviewNone); s.phase(p).WorkSince != "" {
			t.Errorf("%s: its time runs since %s", step.kind, s.phase(p).WorkSince)
		}
		s.do(OpStart, StartPayload{Restart: true})
		if s.want(p, PhaseInProgress, ReviewNone); s.phase(p).WorkSince == "" {
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
	for _, bad := range []string{"", " ", "a\nb", "\x1b[2Jx", "\u202ex", strings.Repeat("x", MaxTitle+1)} {
		s.refused(CodeInvalid, OpPhaseAdd, PhaseAddPayload{Title: bad})
		s.superseded(OpPhaseAdd, PhaseAddPayload{Title: bad})
		if bad != "" {
			s.refused(CodeInvalid, OpEdit, EditPayload{Title: bad})
		}
	}
	s.refused(CodeInvalid, OpEdit, EditPayload{})
	s.refused(CodeInvalid, OpEdit, EditPayload{Branch: "a..b"})
	s.refused(CodeInvalid, OpPhaseAdd, PhaseAddPayload{Title: "x", Agents: []string{"../x"}})
	s.refused(CodeInvalid, OpPhaseAdd, PhaseAddPayload{Title: "x", Kind: "x"})
	s.refused(CodeInvalid, OpPhaseAdd, PhaseAddPayload{Title: "x", Tier: "chef"})
	s.refused(CodeInvalid, OpPhaseAdd, PhaseAddPayload{Title: "x", Kind: KindFix})
	s.refused(CodeInvalid, OpPause, PausePayload{Cause: CauseWaiting})
	s.refused(CodeInvalid, OpStage, StagePayload{Stage: "x"})
	s.refused(CodeTaken, OpCreate, CreatePayload{})
	s.refused(CodeInvalid, "no.such.kind", EmptyPayload{})
	p := s.add(PhaseAddPayload{})
	s.refused(CodeInvalid, OpPhaseReview, PhaseReviewPayload{Phase: p, Verdict: "x"})
	s.start(p)
	s.executed(p)
	s.refused(CodeInvalid, OpPhaseReview, PhaseReviewPayload{Phase: p, Verdict: ReviewChanges})
}

func TestCheck_notThere(t *testing.T) {
	t.Parallel()
	s := started(t)
	for kind, payload := range map[operation.Kind]any{
		OpPhaseStart: PhasePayload{Phase: testUID(99)}, OpPhaseDone: PhasePayload{}, OpPhaseReview: PhaseReviewPayload{Verdict: ReviewApproved},
		OpPhaseFail: PhaseReasonPayload{}, OpPhaseDrop: PhaseReasonPayload{}, OpPhaseReset: PhaseReasonPayload{}, OpPhaseLaunch: PhaseLaunchPayload{Agent: "x"},
		OpReport: ReportPayload{Agent: "x", OID: commitA}, OpDocSet: DocSetPayload{Name: PlanOf(testUID(9)), OID: commitA},
		OpPhaseAdd: PhaseAddPayload{Title: "x", Kind: KindFix, Parent: testUID(9)},
	} {
		if err := Check(s.t, s.next(kind, payload)); !errors.Is(err, ErrNoPhase) {
			t.Errorf("%s: %v", kind, err)
		}
		s.superseded(kind, payload)
	}
	for kind, payload := range map[operation.Kind]any{
		OpDocResolve: DocResolvePayload{Conflict: testUID(9), OID: commitA}, OpKnowledgeRemove: KnowledgeRemovePayload{IDs: []operation.ID{testUID(9)}},
	} {
		if err := Check(s.t, s.next(kind, payload)); !errors.Is(err, ErrNoEntry) {
			t.Errorf("%s: %v", kind, err)
		}
		s.superseded(kind, payload)
	}
	if err := Check(s.t, s.next(OpDocSet, DocSetPayload{Name: "x", OID: commitA})); !errors.Is(err, ErrNoDocument) {
		t.Error(err)
	}
	s.refused(CodeUnknownDep, OpPhaseAdd, PhaseAddPayload{Title: "x", DependsOn: []UID{testUID(99)}})
	if err := Check(Task{}, s.next(OpStart, StartPayload{})); !errors.Is(err, ErrNoTask) {
		t.Error(err)
	}
	s.do(OpDelete, EmptyPayload{})
	if err := Check(s.t, s.next(OpStart, StartPayload{})); !errors.Is(err, ErrNoTask) {
		t.Error(err)
	}
	s.superseded(OpEdit, EditPayload{Title: "x"})
}

// A part that waits for what waits for its whole would never be ready.
func TestPhaseAdd_cycle(t *testing.T) {
	t.Parallel()
	s := started(t)
	one := s.add(PhaseAddPayload{})
	two := s.add(PhaseAddPayload{DependsOn: []UID{one}})
	three := s.add(PhaseAddPayload{DependsOn: []UID{two}})
	final := s.add(PhaseAddPayload{Kind: KindFinalReview})
	for _, dep := range []UID{two, three, final} {
		s.refused(CodeCycle, OpPhaseAdd, PhaseAddPayload{Title: "part", Kind: KindSplit, Parent: one, DependsOn: []UID{dep}})
	}
	part := s.add(PhaseAddPayload{Title: "part", Kind: KindSplit, Parent: three, DependsOn: []UID{one, three}})
	if got := s.phase(part).DependsOn; !slices.Equal(got, []UID{one}) {
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
			`{"name":"phases//plan","oid":"` + commitA + `"}`, `{"iteration":-1,"agent":"../../x"}`, `{"status":"finished\n"}`, `{"ids":[""]}`,
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
			if _, err := Decode(stored(t, after)); err != nil {
				t.Errorf("%s %s: %v", k, raw, err)
			}
			_ = Check(s.t, op)
			report.Subject(op, s.t, after)
			report.Trailers(op, s.t, after)
			if _, applied := Apply(Task{}, op, nil); applied {
				t.Errorf("%s applied to nothing", k)
			}
		}
	}
}

// A refusal begins with what it is about, and says what would be allowed.
func TestCheck_refusalsNameTheirSubject(t *testing.T) {
	t.Parallel()
	s := started(t)
	one := s.add(PhaseAddPayload{Title: "Token model"})
	s.start(one)
	s.executed(one)
	err := s.refusal(CodeTransition, OpPhaseDone, PhasePayload{Phase: one})
	if !strings.HasPrefix(err.Error(), "phase 1 is in review; only a phase in progress can be done; ") {
		t.Errorf("%v", err)
	}
}
