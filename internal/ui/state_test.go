package ui

import (
	"testing"

	"github.com/git-brew/git-brew/internal/task"
)

// One sentence says where a task stands.
func TestState(t *testing.T) {
	phase := func(id string, kind task.PhaseKind, status task.PhaseStatus) task.Phase {
		return task.Phase{UID: task.UID(id), ID: id, Kind: kind, Status: status}
	}
	one := phase("1", task.KindExecution, task.PhaseCompleted)
	reviewed := phase("2", task.KindExecution, task.PhaseInReview)
	busy := phase("2", task.KindExecution, task.PhaseInProgress)
	fix := phase("2.1", task.KindFix, task.PhaseInProgress)
	later := phase("3", task.KindExecution, task.PhasePending)
	final := phase("FR", task.KindFinalReview, task.PhasePending)
	dropped := phase("1", task.KindExecution, task.PhaseDropped)
	for _, c := range []struct {
		want    string
		status  task.Status
		stage   task.Stage
		current task.UID
		phases  []task.Phase
	}{
		{"pending, stage clarify", task.Pending, task.StageClarify, "", nil},
		{"pending, 1 phase", task.Pending, task.StageExecute, "", []task.Phase{later}},
		{"in progress, stage plan", task.InProgress, task.StagePlan, "", []task.Phase{later}},
		{"in progress, stage execute", task.InProgress, task.StageExecute, "", nil},
		{"in progress, phase 2 of 3 in review", task.InProgress, task.StageExecute, "2", []task.Phase{one, reviewed, later}},
		{"in progress, phase 2 of 3", task.InProgress, task.StageExecute, "2", []task.Phase{one, busy, later}},
		{"paused, phase 2.1", task.Paused, task.StageExecute, "2.1", []task.Phase{one, reviewed, fix}},
		{"in progress, phases 2, 2.1", task.InProgress, task.StageExecute, "2", []task.Phase{busy, fix}},
		{"in progress, 1 of 2 phases completed", task.InProgress, task.StageExecute, "1", []task.Phase{one, later}},
		{"in progress, phase 2 of 4", task.InProgress, task.StageExecute, "2", []task.Phase{one, busy, later, final}},
		{
			"in progress, phase 2 of 2", task.InProgress, task.StageExecute, "2",
			[]task.Phase{one, busy, phase("3", task.KindExecution, task.PhaseDropped)},
		},
		{"in progress, phase 2", task.InProgress, task.StageExecute, "2", []task.Phase{dropped, busy, later}},
		{
			"in progress, 1 of 3 phases completed", task.InProgress, task.StageExecute, "1",
			[]task.Phase{one, later, final, dropped},
		},
		{"in progress, every phase completed", task.InProgress, task.StageExecute, "1", []task.Phase{one}},
		{"finished", task.Finished, task.StageComplete, "1", []task.Phase{one}},
	} {
		got := State(task.Task{Status: c.status, Stage: c.stage, Current: c.current, Phases: c.phases})
		if got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}
