package task

// The steps of the pipelines.
const (
	StepClarify  = "clarify"
	StepResearch = "research"
	StepPlan     = "plan"
	StepExecute  = "execute"
	StepReview   = "review"
	StepRevise   = "revise"
	StepRetry    = "retry"    // a phase failed, and nothing else is left
	StepEscalate = "escalate" // a phase was tried too often
	StepComplete = "complete" // every phase is done
	StepStart    = "start"    // the task has to be started
	StepResolve  = "resolve"  // a text could not be merged
	StepDone     = "done"     // it has ended
	StepWait     = "wait"     // phases wait for each other
	StepHook     = "hook"     // what runs after a step failed
)
