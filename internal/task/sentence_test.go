package task_test

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/git-brew/git-brew/internal/operation"
	. "github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/report"
)

// said makes an operation and returns its subject.
func (s *story) said(kind operation.Kind, payload any) string {
	s.Helper()
	before := s.t
	s.do(kind, payload)
	return report.Subject(s.nodes[len(s.nodes)-1].Op, before, s.t)
}

// Each operation is told in one line; together they are the task's story.
func TestSubject(t *testing.T) {
	t.Parallel()
	s := newStory(t)
	if got := report.Subject(s.nodes[0].Op, Task{}, s.t); got != "created: Add JWT auth" {
		t.Error(got)
	}
	var p UID
	for _, tt := range []struct {
		kind    operation.Kind
		payload func() any
		want    string
	}{
		{OpEdit, func() any { return EditPayload{Title: "Add auth", Type: "fix"} }, "edited: title Add auth, type fix"},
		{OpStart, func() any { return StartPayload{} }, "task: pending -> in progress"},
		{OpStage, func() any { return StagePayload{Stage: StagePlan} }, "stage: execute -> plan"},
		{OpPhaseAdd, func() any { return PhaseAddPayload{Title: "Login endpoint"} }, "phase 1: added: Login endpoint"},
		{OpPhaseStart, func() any { return PhasePayload{Phase: p, Commit: commitA} }, "phase 1: pending -> in progress, start commit a000000"},
		{OpPhaseLaunch, func() any { return PhaseLaunchPayload{Phase: p, Agent: "dev"} }, "phase 1: launched dev"},
		{OpReport, func() any { return ReportPayload{Phase: p, Iteration: 1, Agent: "dev", OID: s.texts.put("r")} }, "phase 1: report of dev, iteration 1"},
		{OpPhaseDone, func() any { return PhasePayload{Phase: p} }, "phase 1: in progress -> in review"},
		{OpPhaseReview, func() any { return PhaseReviewPayload{Phase: p, Verdict: ReviewChanges, Reason: "no\ntests"} }, "phase 1: review wants changes: no tests"},
		{OpPhaseStart, func() any { return PhasePayload{Phase: p} }, "phase 1: in review -> in progress, iteration 2"},
		{OpPhaseFail, func() any { return PhaseReasonPayload{Phase: p, Reason: "stuck"} }, "phase 1: in progress -> failed: stuck"},
		{OpPhaseDrop, func() any { return PhaseReasonPayload{Phase: p, Reason: "not wanted"} }, "phase 1: failed -> dropped: not wanted"},
		{OpPhaseReset, func() any { return PhaseReasonPayload{Phase: p} }, "phase 1: dropped -> pending"},
		{OpKnowledgeAdd, func() any {
			return KnowledgeAddPayload{TS: "2026-03-01T10:00:00Z", T: "avoid", Txt: "token ids are ints"}
		}, `knowledge: avoid "token ids are ints"`},
		{OpKnowledgeRemove, func() any {
			return KnowledgeRemovePayload{IDs: []operation.ID{s.t.Knowledge[0].ID}, Reason: "compacted"}
		}, "knowledge: removed 1 entry: compacted"},
		{OpDocSet, func() any { return DocSetPayload{Name: PlanOf(p), OID: s.texts.put("x")} }, "phase 1: plan written"},
		{OpDocSet, func() any { return DocSetPayload{Name: PlanOf(p), OID: s.texts.put("y")} }, "phase 1: plan changed, conflict kept"},
		{OpDocSet, func() any { return DocSetPayload{Name: "context", OID: s.texts.put("z")} }, "context: written"},
		{OpStart, func() any { return StartPayload{} }, "task: went on, in progress"},
		{OpStart, func() any { return StartPayload{TookFrom: "jo@desk"} }, "task: went on, in progress, lock taken from jo@desk"},
		{OpLockLost, func() any { return LockLostPayload{Fence: 3, Claim: commitA, Holder: "jo@desk\n"} }, "lock: claim of fence 3 lost to jo@desk"},
		{OpPhaseStart, func() any {
			return PhasePayload{Phase: p, Commit: commitA, Claimed: true, Worker: "ann", Passed: []Passed{{Step: StepPlan, Phase: p}}}
		}, "phase 1: pending -> in progress, iteration 3, by ann, start commit a000…"},
		{OpPhaseClaim, func() any { return ClaimPayload{Phase: p, Worker: "bob", From: s.phase(p).Claim.UID} }, "phase 1: taken over from ann by bob"},
		{OpStage, func() any { return StagePayload{Stage: StagePlan, Passed: []Passed{{Step: StepResearch}}} }, "stage: execute -> plan; skipped research"},
		{OpStepHook, func() any {
			return StepHookPayload{Step: StepExecute, Phase: p, When: HookPre, Runs: []HookRun{{Hook: "ops/lint", Kind: "program", Outcome: HookPassed}, {Hook: "ops/look", Kind: "program", Outcome: HookFailed, Detail: "exit status 2"}}}
		}, "phase 1: pre-execute: ops/look failed: exit status 2, ops/lint passed"},
		{OpStepHook, func() any {
			return StepHookPayload{Step: StepReview, When: HookPost, Runs: []HookRun{{Hook: "ops/tell.md", Kind: "workflow", Outcome: HookUntrusted}}}
		}, "post-review: ops/tell.md is not trusted"},
		{OpHookSkip, func() any { return HookSkipPayload{Record: s.t.StepHooks[1].UID, Reason: "not now"} }, "post-review: passed over: not now"},
		{OpPause, func() any { return PausePayload{Cause: CauseCompaction} }, "task: in progress -> paused: the agent's context is compacted"},
		{OpResume, func() any { return EmptyPayload{} }, "task: paused -> in progress"},
		{OpPause, func() any { return PausePayload{Cause: CauseWaiting, Reason: "needs a key"} }, "task: in progress -> paused: needs a key"},
		{OpFinish, func() any { return FinishPayload{Status: Cancelled, Reason: "not wanted"} }, "task: paused -> cancelled: not wanted"},
		{OpDelete, func() any { return EmptyPayload{} }, "deleted"},
	} {
		got := s.said(tt.kind, tt.payload())
		if got != tt.want {
			t.Errorf("%s: %q, want %q", tt.kind, got, tt.want)
		}
		if tt.kind == OpPhaseAdd {
			p = s.nodes[len(s.nodes)-1].Op.ID
		}
	}
}

func TestSubject_oneLine(t *testing.T) {
	t.Parallel()
	s := started(t)
	got := s.said(OpKnowledgeAdd, KnowledgeAddPayload{TS: "2026-03-01T10:00:00Z", T: "avoid", Txt: strings.Repeat("wörter ", 40)})
	if n := utf8.RuneCountInString(got); n > MaxSubject || !strings.HasSuffix(got, `…"`) {
		t.Errorf("%d runes: %s", n, got)
	}
	for _, op := range []operation.Operation{
		{Kind: "new.kind\x1b[2J\n"},
		{Kind: OpPause, Payload: []byte(`{"cause":"waiting","reason":"a\u001b[31m\u202eb\u2028c\r\nd"}`)},
		{Kind: OpPhaseAdd, Payload: []byte(`[]`)},
	} {
		if got := report.Subject(op, Task{}, Task{}); strings.ContainsFunc(got, IsControl) || got == "" {
			t.Errorf("%q", got)
		}
	}
}

func TestTrailers(t *testing.T) {
	t.Parallel()
	s := started(t)
	p := s.add(PhaseAddPayload{})
	op := s.next(OpPhaseStart, PhasePayload{Phase: p, Commit: commitA})
	op.Session, op.Fence = "7f3a\nBrew-To: x", 3
	after, _ := Apply(s.t, op, s.texts)
	got := report.Trailers(op, s.t, after)
	want := []operation.Trailer{
		{Key: "Brew-Op", Value: string(op.ID)},
		{Key: "Brew-Clock", Value: "4"},
		{Key: "Brew-Phase", Value: "1"},
		{Key: "Brew-From", Value: "pending"},
		{Key: "Brew-To", Value: "in_progress"},
		{Key: "Brew-Start-Commit", Value: commitA},
		{Key: "Brew-Session", Value: "7f3a Brew-To: x"},
		{Key: "Brew-Fence", Value: "3"},
	}
	if !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if back := parseTrailers(operation.Message("subject", got)); !slices.Equal(back, want) {
		t.Errorf("read back %v", back)
	}
	s.t = after
	for name, phase := range map[DocName]string{PlanOf(p): "1", SummaryOf(s.phase(p)): "1", DocPlan: ""} {
		op := s.next(OpDocSet, DocSetPayload{Name: name, OID: s.texts.put("x\n")})
		after, _ := Apply(s.t, op, s.texts)
		told := operation.Message("", report.Trailers(op, s.t, after))
		if strings.Contains(told, "Brew-Phase: 1\n") != (phase == "1") || strings.Contains(told, "Brew-From") {
			t.Errorf("%s: %s", name, told)
		}
	}
	s.executed(p)
	before := s.t
	s.reject(p, "x")
	if got := operation.Message("", report.Trailers(s.nodes[len(s.nodes)-1].Op, before, s.t)); !strings.Contains(got, "Brew-From: none\nBrew-To: changes\n") {
		t.Error(got)
	}
}

func TestParseTrailers(t *testing.T) {
	t.Parallel()
	for _, none := range []string{"", "a: b", "a: b\n", "subject\n\nprose here\nand: there", "subject\n\n: x", "subject\n\na b: x"} {
		if got := parseTrailers(none); len(got) > 0 {
			t.Errorf("%q has %v", none, got)
		}
	}
}

func FuzzTrailers(f *testing.F) {
	f.Add("7f3a9c01", "1", "subject")
	f.Add("a\nb: c", "US-003", "x\n\ny: z")
	f.Add("\x00\xff\u2028", "", "")
	f.Fuzz(func(t *testing.T, session, shown, message string) {
		op := operation.Operation{ID: testUID(1), Kind: OpPhaseDone, Clock: 3, Session: session, Fence: 1, Payload: []byte(`{"phase":"` + string(testUID(2)) + `"}`)}
		before := Task{Phases: []Phase{{UID: testUID(2), ID: shown, Status: PhaseInProgress}}}
		after := Task{Phases: []Phase{{UID: testUID(2), ID: shown, Status: PhaseInReview}}}
		all := report.Trailers(op, before, after)
		if back := parseTrailers(operation.Message("subject", all)); !slices.Equal(back, all) {
			t.Fatalf("%q came back as %q", all, back)
		}
		parseTrailers(message)
	})
}

// parseTrailers reads the trailers of a commit message: its last paragraph, if
// that is not the subject and all its lines are trailers.
func parseTrailers(message string) []operation.Trailer {
	i := strings.LastIndex(strings.TrimRight(message, "\n"), "\n\n")
	if i < 0 {
		return nil
	}
	var all []operation.Trailer
	for line := range strings.Lines(strings.Trim(message[i:], "\n")) {
		key, value, ok := strings.Cut(strings.TrimSuffix(line, "\n"), ": ")
		if !ok || !trailerKey(key) {
			return nil
		}
		all = append(all, operation.Trailer{Key: key, Value: value})
	}
	return all
}

func trailerKey(s string) bool {
	return s != "" && !strings.ContainsFunc(s, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r != '-'
	})
}
