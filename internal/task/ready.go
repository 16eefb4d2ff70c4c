package task

// Ready returns all phases whose work can begin now, in order: each of them can be
// started, whatever comes first for the task as a whole.
func Ready(t Task) []Phase {
	if !Held(t) {
		return Due(t)
	}
	var research []Phase // which a plan may need
	for _, p := range t.Phases {
		if p.Kind == KindResearch && t.ready(p) {
			research = append(research, p)
		}
	}
	return research
}

// Held: what is to be carried out is not ready, and nothing begins but research.
func Held(t Task) bool { return t.planHeld() || checkFirstStart(t, Phase{}) != nil }

// Due returns the phases that wait for no other one, in order. What holds up all
// work may hold up them.
func Due(t Task) []Phase {
	var all []Phase
	for _, p := range t.Phases {
		if t.ready(p) {
			all = append(all, p)
		}
	}
	return all
}

// ready: work on p waits for no other phase.
func (t Task) ready(p Phase) bool {
	return p.Status == PhasePending && t.free(p)
}

// free: nothing about p itself, and no other phase, keeps it from being started.
func (t Task) free(p Phase) bool { return len(t.blockers(p)) == 0 && checkSpent(t, p) == nil }
