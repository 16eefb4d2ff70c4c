package rules_test

import (
	"strings"
	"testing"

	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/report"
)

// SP-13: how a reviewer says how much a deviation matters.
func TestParseDeviation_SP13(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]task.Deviation{
		"a.go=high":                 {What: "a.go", Impact: task.ImpactHigh},
		"a b.go=low: tests: faster": {What: "a b.go", Impact: task.ImpactLow, Reason: "tests: faster"},
		"x=1/a=b.go=Medium:":        {What: "x=1/a=b.go", Impact: task.ImpactMedium},
		"Task 2=high:not asked for": {What: "Task 2", Impact: task.ImpactHigh, Reason: "not asked for"},
		"a.go=low: b=high":          {What: "a.go", Impact: task.ImpactLow, Reason: "b=high"},
	} {
		if got, err := task.ParseDeviation(in); err != nil || got != want {
			t.Errorf("%q: %+v, %v; want %+v", in, got, err, want)
		}
	}
	for _, in := range []string{
		"", "a.go", "a.go=", "a.go=grave", "=high", "a\x1b.go=high", "a.go=highest: x",
		"a.go=high: " + strings.Repeat("x", task.MaxSaid+1),
	} {
		if got, err := task.ParseDeviation(in); err == nil {
			t.Errorf("%q is %+v", in, got)
		}
	}
}

// SP-13: what a review says stands in the place of what the one before said, a reset
// takes it with it, and what is out of bounds changes nothing.
func TestApplyPhaseReview_SP13_deviations(t *testing.T) {
	t.Parallel()
	s := started(t)
	p := s.addExecuted(task.PhaseAddPayload{})
	review := func(verdict task.Review, all ...task.Deviation) {
		s.do(task.OpPhaseReview, task.PhaseReviewPayload{Phase: p, Verdict: verdict, Reason: "why", Deviations: all})
	}
	a, b := task.Deviation{What: "a.go", Impact: task.ImpactHigh, Reason: "not asked for"},
		task.Deviation{What: "b.go", Impact: task.ImpactLow, Reason: ""}
	review(task.ReviewChanges, a, b)
	if got := s.phase(p).Deviations; len(got) != 2 {
		t.Errorf("%+v", got)
	}
	if report := report.FinalReport(s.t, report.Story{}, ""); !strings.Contains(report,
		"## What to look at\n\n- Phase 1, Work, departs from its plan: a.go (high): not asked for\n"+
			"- Phase 1, Work, departs from its plan: b.go (low)\n") {
		t.Error(report)
	}
	review(task.ReviewApproved, b)
	if got := s.phase(p); len(got.Deviations) != 1 || got.Deviations[0] != b || got.Status != task.PhaseCompleted {
		t.Errorf("%+v", got)
	}
	many := make([]task.Deviation, 201)
	for i := range many {
		many[i] = task.Deviation{What: strings.Repeat("x", i+1), Impact: task.ImpactLow}
	}
	for _, bad := range [][]task.Deviation{
		many,
		{a, a},
		{{What: "c.go", Impact: "grave", Reason: ""}},
		{{What: "c\n.go", Impact: task.ImpactLow, Reason: ""}},
		{{What: "", Impact: task.ImpactLow, Reason: ""}},
	} {
		s.refused(task.CodeInvalid, task.OpPhaseReview,
			task.PhaseReviewPayload{Phase: p, Verdict: task.ReviewChanges, Reason: "no", Deviations: bad})
	}
	s.do(task.OpPhaseReset, task.PhaseReasonPayload{Phase: p})
	if got := s.phase(p).Deviations; got != nil {
		t.Errorf("after a reset: %+v", got)
	}
}
