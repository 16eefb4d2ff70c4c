package view

import (
	"github.com/git-brew/git-brew/internal/app/steps"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/route"
	"github.com/git-brew/git-brew/internal/ui"
)

// NextStep is what `next` answers.
type NextStep struct {
	Task task.ID `json:"task"`
	Next Next    `json:"next"`
	// Skip says what is done without where the step is skipped; none: it can't
	// be.
	Skip string `json:"skip,omitempty"`
	// Plan is how the step is taken; null where it is none of a pipeline.
	Plan *steps.StepPlan `json:"plan"`
	// Ready is every phase whose work can begin now, UnderWay every one that is
	// worked on; with --all.
	Ready    []ui.Object `json:"ready,omitzero"`
	UnderWay []ui.Object `json:"under_way,omitzero"`
	// Skipped is set where this command skipped a step.
	Skipped *Skip `json:"skipped,omitempty"`
	DryRun  bool  `json:"dry_run,omitzero"`
}

// NewNextStep tells which step of a task comes next.
func NewNextStep(t task.Task, step route.Step) NextStep {
	return NextStep{Task: t.ID, Next: Next(step), Skip: step.Skip}
}

// Work tells of phases, and by next of what comes for each.
func Work(t task.Task, phases []task.Phase, next func(task.Phase) route.Step) []ui.Object {
	all := make([]ui.Object, 0, len(phases))
	for _, p := range phases {
		all = append(all, ui.Object{NewPhase(t, p), "next", Next(next(p))})
	}
	return all
}

// Skip is a step that was passed over, in JSON.
type Skip struct {
	ID     task.UID `json:"id"` // the operation that recorded it
	Step   string   `json:"step"`
	Phase  string   `json:"phase,omitempty"`
	What   string   `json:"what"`
	Reason string   `json:"reason"` // "" where another command passed it
	At     string   `json:"at"`
	// Due: the step is due again since.
	Due bool `json:"due"`
}

func NewSkips(t task.Task) []Skip {
	all := make([]Skip, len(t.Skips))
	for i, k := range t.Skips {
		all[i] = Skip{
			ID: k.UID, Step: k.Step, Phase: PhaseID(t, k.Phase), What: k.Shown(t), Reason: k.Reason, At: k.At,
			Due: k.Over,
		}
	}
	return all
}
