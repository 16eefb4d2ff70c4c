package route

import "github.com/git-brew/git-brew/internal/task"

// Step is what comes next: a step of a pipeline, or of nothing where the task
// has to be started or gone on with first.
type Step struct {
	Step     string `json:"step"`
	Pipeline string `json:"pipeline"`
	Phase    string `json:"phase,omitempty"` // its shown id
	Reason   string `json:"reason"`
	// Command is what a person or an agent types next.
	Command string `json:"command,omitempty"`
	// Skip says what is done without where the step is skipped; "" where it can't be.
	Skip string `json:"skip,omitempty"`
	// Taker says who may take the step. For tells from it who is asked: Needs, and
	// where that is the user, Ask, a sentence for them.
	Taker Taker  `json:"taker,omitempty"`
	Needs Asked  `json:"needs,omitempty"`
	Ask   string `json:"ask,omitempty"`
	// Row is when the row of the routing table fits that says so.
	Row string `json:"-"`
}

// The pipelines.
const (
	PipelineMain  = "main"
	PipelinePhase = "phase-execution"
)

// Row is a row of the routing table, as docs/reference/lifecycle.md shows it.
type Row struct{ When, Step, Pipeline, Skip string }

// Rows are the rows of the routing table, in order.
func Rows() []Row {
	var all []Row
	for _, r := range routes() {
		all = append(all, Row{When: r.when, Step: r.step, Pipeline: r.pipeline, Skip: r.skip})
	}
	return all
}

// Next returns the step that the routing table gives for t.
func Next(t task.Task) Step {
	r, s, ok := routeOf(view{Task: t})
	if !ok {
		return Step{}
	}
	return stepOf(r, s)
}

// stepOf is what a row says of a situation.
func stepOf(r route, s situation) Step {
	step := Step{
		Step: r.step, Pipeline: r.pipeline, Phase: s.about(r).ID, Reason: r.reason(s), Command: r.command(s), Skip: r.skip,
		Row: r.when,
	}
	switch {
	case r.taker != nil:
		step.Taker = r.taker(s)
	case r.begins:
		step.Taker = TakerWorker
	}
	step.Ask = r.asking(step, step.Taker)
	if s.Status == task.Paused && r.step != task.StepStart {
		step.Reason, step.Command, step.Skip, step.Taker, step.Ask = "paused; "+step.Reason, "git brew start", "", "", ""
	}
	return step
}

// about is the phase that a row's step is about: none where the step is the task's,
// whatever phase waits for it.
func (s situation) about(r route) task.Phase {
	if r.pipeline == PipelineMain {
		return task.Phase{}
	}
	return s.focus
}
