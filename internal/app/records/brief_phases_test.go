package records

import (
	"strings"
	"testing"

	"github.com/git-brew/git-brew/internal/task"
)

// SP-13: what a snapshot holds of a completed phase does not grow with what
// reviews and commands said of it; of one that is open nothing is missing.
func TestTrimmed_SP13_completedPhases(t *testing.T) {
	t.Parallel()
	said := []task.Deviation{{What: "a.go", Impact: task.ImpactLow, Reason: strings.Repeat("why ", 300)}}
	run := &task.Verified{Passed: true, Commands: []task.CommandRun{{Text: "go test ./..."}}}
	phases := []task.Phase{
		{ID: "1", Status: task.PhaseCompleted, Deviations: said, Verified: run},
		{ID: "2", Status: task.PhaseInReview, Deviations: said, Verified: run},
		{ID: "3", Status: task.PhaseCompleted},
	}
	brief, less := trimmed(phases)
	if !less || brief[0].Deviations != nil || brief[0].Verified != nil || len(brief[1].Deviations) != 1 ||
		brief[1].Verified != run {
		t.Errorf("%t, %+v", less, brief)
	}
	if len(phases[0].Deviations) != 1 || phases[0].Verified != run {
		t.Error("the phases themselves were changed")
	}
	if same, less := trimmed(phases[1:]); less || &same[0] != &phases[1] {
		t.Error("copied for nothing")
	}
}
