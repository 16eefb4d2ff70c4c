package task

import (
	"strings"
	"testing"
)

// What can't be seen is in no title and in no other text of an operation,
// of whatever kind; letters that need joiners, and emoji, are.
func TestCheck_nothingUnseen(t *testing.T) {
	t.Parallel()
	s := started(t)
	p := s.add(PhaseAddPayload{})
	plan := s.on(DocPlan)
	for name, text := range map[string]string{
		"zero width space": "T\u200b zw", "joiner in ASCII": "ad\u200dmin", "joiner in front": "\u200dx", "right to left override": "x\u202egpj.exe",
		"isolate": "\u2066x", "mark": "x\u200f", "byte order mark": "\ufeffx", "soft hyphen": "pass\u00adword", "tag": "x\U000e0041", "word joiner": "a\u2060b", "Arabic mark": "a\u061cb",
	} {
		for kind, payload := range map[string]any{
			"title":    EditPayload{Title: text},
			"phase":    PhaseAddPayload{Title: text},
			"accepts":  PhaseAddPayload{Title: "x", Acceptance: []string{"y", text}},
			"block":    ReasonPayload{Reason: text},
			"review":   PhaseReviewPayload{Phase: p, Verdict: ReviewChanges, Reason: text},
			"remark":   RemarkAddPayload{On: plan, Severity: Minor, Text: text},
			"decision": DecisionAddPayload{Title: "x", Rejected: []Alternative{{What: text}}},
		} {
			op := s.next(OpEdit, payload)
			switch kind {
			case "phase", "accepts":
				op.Kind = OpPhaseAdd
			case "block":
				op.Kind = OpBlock
			case "review":
				op.Kind = OpPhaseReview
			case "remark":
				op.Kind = OpRemarkAdd
			case "decision":
				op.Kind = OpDecisionAdd
			}
			if err := Check(s.t, op); err == nil || strings.ContainsFunc(err.Error(), func(r rune) bool { return r >= 0x80 }) {
				t.Errorf("%s, %s: %v", name, kind, err)
			}
		}
	}
	for _, text := range []string{"می\u200cخواهم", "क्\u200dष", "👩\u200d💻 works", "Zürich – naïve ½", "日本語"} {
		if err := Check(s.t, s.next(OpEdit, EditPayload{Title: text})); err != nil {
			t.Errorf("%q: %v", text, err)
		}
	}
	// What an older version made is as it was.
	s.force(s.next(OpEdit, EditPayload{Title: "T\u200b zw"}))
	if s.t.Title != "T\u200b zw" {
		t.Errorf("title %q", s.t.Title)
	}
}
