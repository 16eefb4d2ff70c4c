package rules

import "github.com/git-brew/git-brew/internal/task"

// What the tests beside the package ask of its inside.

// FireTask takes a task through an event.
func FireTask(t task.Task, event TaskEvent, at, reason string) (task.Task, bool) {
	e := editor{t: t, at: at}
	err := e.fireTask(event, moment{reason: reason})
	return e.t, err == nil
}

// FirePhase takes a phase through an event.
func FirePhase(t task.Task, uid task.UID, event PhaseEvent, at, reason, commit string,
	services task.Commits,
) (task.Task, bool) {
	e := editor{t: t, at: at}
	ok := e.firePhase(t.PhaseIndex(uid), event, moment{reason: reason, commit: commit, services: services})
	return e.t, ok
}

// AwaitedByFinalReview tells what final reviews wait for.
func AwaitedByFinalReview(t task.Task) func(*task.Phase) bool { return familyOf(t.Phases).awaits }

// RejectionStands reports whether a rejection of the user's stands in the way of p.
func RejectionStands(t task.Task, p task.Phase) bool {
	_, stands := StandingRejection(t, p)
	return stands
}

func (r Rung) Limits(t task.Task, p task.Phase, agreed []string) error { return r.limits(t, p, agreed) }

func (t Tally) Blocking() []TalliedRemark { return t.blocking() }

// What they look at.
const (
	ExecutiveTrials = executiveTrials
	MaxEscalated    = maxEscalated
)

var (
	BoardOn          = boardOn
	CheckAllDone     = checkAllDone
	Circle           = circle
	FallsWith        = fallsWith
	LookUpTask       = lookUpTask
	MayWaitFor       = mayWaitFor
	PhaseTransitions = phaseTransitions
	PhaseRow         = phaseTransition
	TaskTransitions  = taskTransitions
	ValidPassed      = validPassed
)
