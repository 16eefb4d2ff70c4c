package route

import (
	"fmt"
	"slices"

	"github.com/git-brew/git-brew/internal/task"
)

// What the rows say of phases that are the workers'.

// sayRun has workers do what is theirs: the phase alone, where a run would begin others, too, of
// which nobody said that they are for workers.
func sayRun(s situation, step *Step) {
	step.Command = CommandRun
	if slices.ContainsFunc(s.Phases, func(p task.Phase) bool {
		return p.Status == task.PhasePending && s.ForWorkers(p) && !workersTask(s.Task, p)
	}) {
		step.Command = runOnly + s.focus.ID
	}
}

// sayGivenUp quotes the worker that could not go on: what it asks, the reset answers.
func sayGivenUp(s situation, step *Step) {
	step.Reason, step.Command = "phase "+s.focus.ID+" failed with its workers", "git brew phase reset "+s.focus.ID
	if last := s.focus.LastTurn(); last.Outcome == task.TurnBlocked {
		step.Reason += fmt.Sprintf(", and the last one says: %q", last.Reason)
		step.Command += " -m ANSWER"
	}
	step.Reason += "; 'git brew run' tries it again once it is reset, and 'git brew phase drop " + s.focus.ID +
		" -m WHY' goes without it"
}
