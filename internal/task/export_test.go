package task

// What the tests beside the package ask of its inside.

// FireTask takes a task through an event.
func FireTask(t Task, event TaskEvent, at, reason string) (Task, bool) {
	e := editor{t: t}
	err := e.fireTask(event, moment{at: at, reason: reason})
	return e.t, err == nil
}

// FirePhase takes a phase through an event.
func FirePhase(t Task, uid UID, event PhaseEvent, at, reason, commit string, services Commits) (Task, bool) {
	e := editor{t: t}
	ok := e.firePhase(t.phaseIndex(uid), event, moment{at: at, reason: reason, commit: commit, services: services})
	return e.t, ok
}

// AwaitedByFinalReview tells what final reviews wait for.
func AwaitedByFinalReview(t Task) func(*Phase) bool { return familyOf(t.Phases).awaits }

func (r Rung) Limits(t Task, p Phase, agreed []string) error { return r.limits(t, p, agreed) }

func (t Task) MayWaitFor(p Phase, on ...UID) bool { return t.mayWaitFor(p, on...) }

func (p Passed) Valid(t Task) bool { return p.valid(t) }

func (t Task) BoardOn(on BoardName) (Board, bool) { return t.board(on) }

func (t Tally) Blocking() []TalliedRemark { return t.blocking() }

func (t Task) OpenFixes(uid UID) []Phase { return t.openFixes(uid) }
