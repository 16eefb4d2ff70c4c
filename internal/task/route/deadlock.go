package route

import (
	"strings"

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
	var waits []string
	for i, p := range Deadlock(t) {
		if on := rules.Blockers(t, p); len(on) > 0 && i < 3 {
			waits = append(waits, p.ID+" waits ("+on[0]+")")
		}
	}
	if len(waits) == 0 {
		return ""
	}
	return "no phase can begin: " + strings.Join(waits, ", ")
}
