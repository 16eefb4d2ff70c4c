package route

import (
	"fmt"

	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/rules"
)

// Deadlock returns the phases that wait for ever: none is ready, none is under
// way or up for review, and some are pending (BC-51). What waits only for a
// phase that failed is told by that one.
func Deadlock(t task.Task) []task.Phase {
	var stuck []task.Phase
	for _, p := range t.Phases {
		switch p.Status {
		case task.PhaseInProgress:
			if rules.DoneBlocked(t, p) == nil {
				return nil
			}
		case task.PhaseInReview:
			return nil
		case task.PhasePending:
			if rules.Escalates(t, p) || len(rules.Blockers(t, p)) == 0 {
				return nil
			}
			stuck = append(stuck, p)
		case task.PhaseCompleted, task.PhaseFailed, task.PhaseDropped:
		}
	}
	return stuck
}

// DeadlockReason says in a clause what a deadlock is made of.
func DeadlockReason(t task.Task) string {
	stuck := Deadlock(t)
	if len(stuck) == 0 {
		return ""
	}
	s := "no phase can begin"
	for i, p := range stuck {
		const named = 3
		if i == named {
			return s + fmt.Sprintf(", and %d more wait", len(stuck)-named)
		}
		if waits := rules.Blockers(t, p); len(waits) > 0 {
			sep := ", "
			if i == 0 {
				sep = ": "
			}
			s += sep + p.ID + " waits (" + waits[0] + ")"
		}
	}
	return s
}
