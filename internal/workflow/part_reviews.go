package workflow

// Reviews records verdicts, remarks, verification and escalation.
type Reviews struct {
	claims    *Claims
	clone     *Clone
	code      *Code
	config    *Config
	engine    *Engine
	journal   *Journal
	knowledge *Knowledge
	locks     *Locks
	phases    *Phases
	pipelines *Pipelines
	records   *Records
	sessions  *Sessions
	tasks     *Tasks
}
