package rules_test

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/git-brew/git-brew/internal/operation"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/report"
	. "github.com/git-brew/git-brew/internal/task/rules"
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
	if got := report.Subject(s.nodes[0].Op, task.Task{}, s.t); got != "created: Add JWT auth" {
		t.Error(got)
	}
	var p task.UID
	for _, tt := range []struct {
		kind    operation.Kind
		payload func() any
		want    string
	}{
		{task.OpEdit, func() any {
			return task.EditPayload{Title: "Add auth", Type: "fix"}
		}, "edited: title Add auth, type fix"},
		{task.OpStart, func() any { return task.StartPayload{} }, "task: pending -> in progress"},
		{task.OpStage, func() any { return task.StagePayload{Stage: task.StagePlan} }, "stage: execute -> plan"},
		{task.OpPhaseAdd, func() any {
			return task.PhaseAddPayload{Title: "Login endpoint"}
		}, "phase 1: added: Login endpoint"},
		{task.OpPhaseStart, func() any {
			return task.PhasePayload{Phase: p, Commit: commitA}
		}, "phase 1: pending -> in progress, start commit a000000"},
		{task.OpPhaseLaunch, func() any { return task.PhaseLaunchPayload{Phase: p, Agent: "dev"} }, "phase 1: launched dev"},
		{task.OpReport, func() any {
			return task.ReportPayload{Phase: p, Iteration: 1, Agent: "dev", OID: s.texts.put("r")}
		}, "phase 1: report of dev, iteration 1"},
		{task.OpPhaseDone, func() any { return task.PhasePayload{Phase: p} }, "phase 1: in progress -> in review"},
		{task.OpPhaseReview, func() any {
			return task.PhaseReviewPayload{Phase: p, Verdict: task.ReviewChanges, Reason: "no\ntests"}
		}, "phase 1: review wants changes: no tests"},
		{task.OpPhaseStart, func() any {
			return task.PhasePayload{Phase: p}
		}, "phase 1: in review -> in progress, iteration 2"},
		{task.OpPhaseFail, func() any {
			return task.PhaseReasonPayload{Phase: p, Reason: "stuck"}
		}, "phase 1: in progress -> failed: stuck"},
		{task.OpPhaseDrop, func() any {
			return task.PhaseReasonPayload{Phase: p, Reason: "not wanted"}
		}, "phase 1: failed -> dropped: not wanted"},
		{task.OpPhaseReset, func() any { return task.PhaseReasonPayload{Phase: p} }, "phase 1: dropped -> pending"},
		{task.OpKnowledgeAdd, func() any {
			return task.KnowledgeAddPayload{TS: "2026-03-01T10:00:00Z", T: "avoid", Txt: "token ids are ints"}
		}, `knowledge: avoid "token ids are ints"`},
		{task.OpKnowledgeRemove, func() any {
			return task.KnowledgeRemovePayload{IDs: []operation.ID{s.t.Knowledge[0].ID}, Reason: "compacted"}
		}, "knowledge: removed 1 entry: compacted"},
		{task.OpDocSet, func() any {
			return task.DocSetPayload{Name: task.PlanOf(p), OID: s.texts.put("x")}
		}, "phase 1: plan written"},
		{task.OpDocSet, func() any {
			return task.DocSetPayload{Name: task.PlanOf(p), OID: s.texts.put("y")}
		}, "phase 1: plan changed, conflict kept"},
		{task.OpDocSet, func() any { return task.DocSetPayload{Name: "context", OID: s.texts.put("z")} }, "context: written"},
		{task.OpStart, func() any { return task.StartPayload{} }, "task: went on, in progress"},
		{task.OpStart, func() any {
			return task.StartPayload{TookFrom: "jo@desk"}
		}, "task: went on, in progress, lock taken from jo@desk"},
		{task.OpLockLost, func() any {
			return task.LockLostPayload{Fence: 3, Claim: commitA, Holder: "jo@desk\n"}
		}, "lock: claim of fence 3 lost to jo@desk"},
		{task.OpPhaseStart, func() any {
			return task.PhasePayload{
				Phase: p, Commit: commitA, Claimed: true, Worker: "ann",
				Passed: []task.Passed{{Step: task.StepPlan, Phase: p}},
			}
		}, "phase 1: pending -> in progress, iteration 3, by ann, start commit a000…"},
		{task.OpPhaseClaim, func() any {
			return task.ClaimPayload{Phase: p, Worker: "bob", From: s.phase(p).Claim.UID}
		}, "phase 1: taken over from ann by bob"},
		{task.OpStage, func() any {
			return task.StagePayload{Stage: task.StagePlan, Passed: []task.Passed{{Step: task.StepResearch}}}
		}, "stage: execute -> plan; skipped research"},
		{task.OpStepHook, func() any {
			return task.StepHookPayload{
				Step: task.StepExecute, Phase: p, When: task.HookPre,
				Runs: []task.HookRun{
					{Hook: "ops/lint", Kind: "program", Outcome: task.HookPassed},
					{Hook: "ops/look", Kind: "program", Outcome: task.HookFailed, Detail: "exit status 2"},
				},
			}
		}, "phase 1: pre-execute: ops/look failed: exit status 2"},
		{task.OpStepHook, func() any {
			return task.StepHookPayload{
				Step: task.StepReview, When: task.HookPost,
				Runs: []task.HookRun{{Hook: "ops/tell.md", Kind: "workflow", Outcome: task.HookUntrusted}},
			}
		}, "post-review: ops/tell.md is not trusted"},
		{task.OpHookSkip, func() any {
			return task.HookSkipPayload{Record: s.t.StepHooks[1].UID, Reason: "not now"}
		}, "post-review: passed over: not now"},
		{task.OpPause, func() any {
			return task.PausePayload{Cause: task.CauseCompaction}
		}, "task: in progress -> paused: the agent's context is compacted"},
		{task.OpResume, func() any { return task.EmptyPayload{} }, "task: paused -> in progress"},
		{task.OpPause, func() any {
			return task.PausePayload{Cause: task.CauseWaiting, Reason: "needs a key"}
		}, "task: in progress -> paused: needs a key"},
		{task.OpFinish, func() any {
			return task.FinishPayload{Status: task.Cancelled, Reason: "not wanted"}
		}, "task: paused -> cancelled: not wanted"},
		{task.OpDelete, func() any { return task.EmptyPayload{} }, "deleted"},
	} {
		got := s.said(tt.kind, tt.payload())
		if got != tt.want {
			t.Errorf("%s: %q, want %q", tt.kind, got, tt.want)
		}
		if tt.kind == task.OpPhaseAdd {
			p = s.nodes[len(s.nodes)-1].Op.ID
		}
	}
}

func TestSubject_oneLine(t *testing.T) {
	t.Parallel()
	s := started(t)
	got := s.said(task.OpKnowledgeAdd, task.KnowledgeAddPayload{
		TS: "2026-03-01T10:00:00Z", T: "avoid",
		Txt: strings.Repeat("wörter ", 40),
	})
	if n := utf8.RuneCountInString(got); n > task.MaxSubject || !strings.HasSuffix(got, `…"`) {
		t.Errorf("%d runes: %s", n, got)
	}
	for _, op := range []operation.Operation{
		{Kind: "new.kind\x1b[2J\n"},
		{Kind: task.OpPause, Payload: []byte(`{"cause":"waiting","reason":"a\u001b[31m\u202eb\u2028c\r\nd"}`)},
		{Kind: task.OpPhaseAdd, Payload: []byte(`[]`)},
	} {
		if got := report.Subject(op, task.Task{}, task.Task{}); strings.ContainsFunc(got, task.IsControl) || got == "" {
			t.Errorf("%q", got)
		}
	}
}

func TestTrailers(t *testing.T) {
	t.Parallel()
	s := started(t)
	p := s.add(task.PhaseAddPayload{})
	op := s.next(task.OpPhaseStart, task.PhasePayload{Phase: p, Commit: commitA})
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
	for name, phase := range map[task.DocName]string{
		task.PlanOf(p): "1", task.SummaryOf(s.phase(p)): "1",
		task.DocPlan: "",
	} {
		op := s.next(task.OpDocSet, task.DocSetPayload{Name: name, OID: s.texts.put("x\n")})
		after, _ := Apply(s.t, op, s.texts)
		told := operation.Message("", report.Trailers(op, s.t, after))
		if strings.Contains(told, "Brew-Phase: 1\n") != (phase == "1") || strings.Contains(told, "Brew-From") {
			t.Errorf("%s: %s", name, told)
		}
	}
	s.executed(p)
	before := s.t
	s.reject(p, "x")
	if got := operation.Message("", report.Trailers(s.nodes[len(s.nodes)-1].Op, before, s.t)); !strings.Contains(got,
		"Brew-From: none\nBrew-To: changes\n") {
		t.Error(got)
	}
}

func TestParseTrailers(t *testing.T) {
	t.Parallel()
	for _, none := range []string{
		"", "a: b", "a: b\n", "subject\n\nprose here\nand: there", "subject\n\n: x",
		"subject\n\na b: x",
	} {
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
		op := operation.Operation{
			ID: testUID(1), Kind: task.OpPhaseDone, Clock: 3, Session: session, Fence: 1,
			Payload: []byte(`{"phase":"` + string(testUID(2)) + `"}`),
		}
		before := task.Task{Phases: []task.Phase{{UID: testUID(2), ID: shown, Status: task.PhaseInProgress}}}
		after := task.Task{Phases: []task.Phase{{UID: testUID(2), ID: shown, Status: task.PhaseInReview}}}
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
