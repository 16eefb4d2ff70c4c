package route

import (
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/rules"
)

// Ready returns all phases whose work can begin now, in order: each of them can be
// started, whatever comes first for the task as a whole.
func Ready(t task.Task) []task.Phase {
	if !Held(t) {
		return Due(t)
	}
	var research []task.Phase // which a plan may need
	for _, p := range t.Phases {
		if p.Kind == task.KindResearch && ready(t, p) {
			research = append(research, p)
		}
	}
	return research
}

// Held: what is to be carried out is not ready, and nothing begins but research.
func Held(t task.Task) bool {
	return rules.PlanHeld(t) || rules.CheckFirstStart(t, task.Phase{}) != nil
}

// Due returns the phases that wait for no other one, in order. What holds up all
// work may hold up them.
func Due(t task.Task) []task.Phase {
	var all []task.Phase
	for _, p := range t.Phases {
		if ready(t, p) {
			all = append(all, p)
		}
	}
	return all
}

// ready: work on p waits for no other phase.
func ready(t task.Task, p task.Phase) bool {
	return p.Status == task.PhasePending && free(t, p)
}

// free: nothing about p itself, and no other phase, keeps it from being started.
func free(t task.Task, p task.Phase) bool {
	return len(rules.Blockers(t, p)) == 0 && rules.CheckSpent(t, p) == nil
}
