package view

import (
	"github.com/git-brew/git-brew/internal/app/steps"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/route"
	"github.com/git-brew/git-brew/internal/ui"
)

// NextStep tells which step of a task comes next, and how it is taken; plan is null where it
// is none of a pipeline. "skip" says what is done without where the step is skipped: where
// there is none, it can't be.
func NextStep(t task.Task, step route.Step, plan *steps.StepPlan, more ...any) ui.Object {
	return append(ui.Object{"task", t.ID, "next", Next(step), "skip?", step.Skip, "plan", plan}, more...)
}

// Work tells of phases, and by next of what comes for each.
func Work(t task.Task, phases []task.Phase, next func(task.Phase) route.Step) []ui.Object {
	all := make([]ui.Object, 0, len(phases))
	for _, p := range phases {
		all = append(all, ui.Object{NewPhase(t, p), "next", Next(next(p))})
	}
	return all
}

// Skips are the steps of a task that were passed over, with the operations that recorded it.
// Where another command passed one, there is no reason; one that is due is so again.
func Skips(t task.Task) []ui.Object {
	all := []ui.Object{}
	for _, k := range t.Skips {
		all = append(all, ui.Object{
			"id", k.UID, "step", k.Step, "phase?", PhaseID(t, k.Phase), "what", k.Shown(t), "reason", k.Reason, "at", k.At,
			"due", k.Over,
		})
	}
	return all
}

// Rung is a rung of a ladder.
type Rung struct {
	Action task.EscalationAction `json:"action"`
	Open   bool                  `json:"open"`
	Why    string                `json:"why"` // it is closed
	After  int                   `json:"after"`
}
