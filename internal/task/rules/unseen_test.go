package rules_test

import (
	"strings"
	"testing"

	"github.com/git-brew/git-brew/internal/operation"
	"github.com/git-brew/git-brew/internal/task"
	. "github.com/git-brew/git-brew/internal/task/rules"
)

// What can't be seen is in no title and in no other text of an operation,
// of whatever kind; letters that need joiners, and emoji, are.
func TestCheck_nothingUnseen(t *testing.T) {
	t.Parallel()
	s := started(t)
	p := s.add(task.PhaseAddPayload{})
	plan := s.on(task.DocPlan)
	for name, text := range map[string]string{
		"zero width space": "T\u200b zw", "joiner in ASCII": "ad\u200dmin", "joiner in front": "\u200dx",
		"right to left override": "x\u202egpj.exe",
		"isolate":                "\u2066x", "mark": "x\u200f", "byte order mark": "\ufeffx", "soft hyphen": "pass\u00adword",
		"tag": "x\U000e0041", "word joiner": "a\u2060b", "Arabic mark": "a\u061cb",
	} {
		for kind, payload := range map[string]any{
			"title":    task.EditPayload{Title: text},
			"phase":    task.PhaseAddPayload{Title: text},
			"accepts":  task.PhaseAddPayload{Title: "x", Acceptance: []string{"y", text}},
			"pause":    task.PausePayload{Reason: text},
			"review":   task.PhaseReviewPayload{Phase: p, Verdict: task.ReviewChanges, Reason: text},
			"remark":   task.RemarkAddPayload{On: plan, Severity: task.Minor, Text: text},
			"decision": task.DecisionAddPayload{Title: "x", Rejected: []task.Alternative{{What: text}}},
		} {
			op := s.next(task.OpEdit, payload)
			switch kind {
			case "phase", "accepts":
				op.Kind = task.OpPhaseAdd
			case "block":
				op.Kind = task.OpPause
			case "review":
				op.Kind = task.OpPhaseReview
			case "remark":
				op.Kind = task.OpRemarkAdd
			case "decision":
				op.Kind = task.OpDecisionAdd
			}
			if err := Check(s.t, op); err == nil || strings.ContainsFunc(err.Error(), func(r rune) bool { return r >= 0x80 }) {
				t.Errorf("%s, %s: %v", name, kind, err)
			}
		}
	}
	for _, text := range []string{
		"می\u200cخواهم", "क्\u200dष", "👩\u200d💻 works",
		"Zürich – naïve ½", "日本語", "עברית (C++)\u200e ועוד", "\u200fשלום",
	} {
		if err := Check(s.t, s.next(task.OpEdit, task.EditPayload{Title: text})); err != nil {
			t.Errorf("%q: %v", text, err)
		}
	}
	// The fold takes what came from elsewhere as it is.
	s.force(s.next(task.OpEdit, task.EditPayload{Title: "T\u200b zw"}))
	if s.t.Title != "T\u200b zw" {
		t.Errorf("title %q", s.t.Title)
	}
}

// What an operation names, and what it quotes, is as it is: nobody can write that
// without. What is written beside it is not.
func TestCheck_quotedAsItIs(t *testing.T) {
	t.Parallel()
	const odd = "a\u200bb\u00ad"
	s := started(t)
	p := s.add(task.PhaseAddPayload{Verification: []string{"x"}})
	for i := range s.t.Phases {
		s.t.Phases[i].Verification, s.t.Phases[i].Acceptance = []string{odd}, []string{odd}
	}
	s.start(p)
	plan := s.on(task.DocPlan)
	for name, c := range map[string]struct {
		kind   operation.Kind
		quoted any
		beside any // nil: nothing is written there
	}{
		"what was said of what is taken back": {
			task.OpUndo,
			task.UndoPayload{Operations: []operation.ID{testUID(1)}, Commit: commitA, Said: odd},
			nil,
		},
		"a command that ran": {
			task.OpPhaseVerify,
			task.VerifyPayload{Phase: p, Iteration: 1, Clean: true, Commands: []task.CommandRun{{Text: odd}}},
			nil,
		},
		"what goes": {task.OpPhaseEdit, task.PhaseEditPayload{
			Phase: p, DropVerification: []string{odd},
			DropAcceptance: []string{odd},
		}, task.PhaseEditPayload{Phase: p, AddAcceptance: []string{odd}}},
		"a file that was changed": {
			task.OpPhaseReview,
			task.PhaseReviewPayload{
				Phase: p, Verdict: task.ReviewChanges, Reason: "no",
				Deviations: []task.Deviation{{What: odd, Impact: task.ImpactLow}},
			},
			task.PhaseReviewPayload{
				Phase: p, Verdict: task.ReviewChanges, Reason: "no",
				Deviations: []task.Deviation{{What: "x", Impact: task.ImpactLow, Reason: odd}},
			},
		},
		"a file with a remark": {task.OpRemarkAdd, task.RemarkAddPayload{
			On: plan, Severity: task.Minor, Text: "x",
			File: odd,
		}, task.RemarkAddPayload{On: plan, Severity: task.Minor, Text: odd}},
		"what stays open": {task.OpStepSkip, task.SkipPayload{
			Passed: task.Passed{Step: task.StepClarify}, Reason: "x",
			Questions: []string{odd},
		}, task.SkipPayload{Passed: task.Passed{Step: task.StepClarify}, Reason: odd}},
		"where a branch began": {
			task.OpEdit,
			task.EditPayload{AddServices: []task.Service{{Path: odd, Base: odd}}},
			task.EditPayload{Title: odd},
		},
	} {
		unseen := func(err error) bool { return err != nil && strings.Contains(err.Error(), "U+200B") }
		if err := Check(s.t, s.next(c.kind, c.quoted)); unseen(err) {
			t.Errorf("%s: %v", name, err)
		}
		if c.beside != nil && !unseen(Check(s.t, s.next(c.kind, c.beside))) {
			t.Errorf("%s: what is written beside it passes", name)
		}
	}
}
