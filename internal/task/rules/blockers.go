package rules

import (
	"fmt"
	"strings"

	"github.com/git-brew/git-brew/internal/task"
)

// checkBegin says why work on a phase can't begin, whose status allows it.
func checkBegin(t task.Task, phase task.Phase) error {
	if err := CheckSpent(t, phase); err != nil {
		return err
	}
	if err := mustWait("phase "+phase.ID+" has to wait", Blockers(t, phase)); err != nil {
		return err
	}
	if phase.Kind != task.KindResearch {
		if err := checkPlan(t); err != nil {
			return err
		}
	}
	return CheckFirstStart(t, phase)
}

// maxBlockers is how many of them are named.
const maxBlockers = 20

// mustWait refuses what waits for something else.
func mustWait(what string, waits []string) error {
	if len(waits) == 0 {
		return nil
	}
	return &task.RefusedError{
		Code: task.CodeDependencies, Msg: what + ": " + strings.Join(waits, ", "), Hint: "see 'git brew next'",
		Findings: waits,
	}
}

// Blockers says, one by one, what has to happen before work on p can begin; the
// first of them, where they are many.
func Blockers(t task.Task, p task.Phase) []string {
	var waits []string
	wait := func(q task.Phase) { waits = append(waits, q.ID+" is "+ShownStatus(q)) }
	if p.MustEscalate {
		waits = append(waits, "it has to be escalated")
	}
	for _, uid := range t.DependenciesOf(p) {
		if dep, ok := t.Phase(uid); ok && !dep.Status.Over() {
			wait(dep)
		}
	}
	f := reviewedBy(t, &p)
	for i, q := range t.Phases {
		if len(waits) >= maxBlockers {
			break
		}
		child := q.Parent == p.UID && !q.Status.Over()
		switch {
		case child && q.Kind == task.KindSplit, child && q.Kind == task.KindResearch && q.Open(), f.awaits(&t.Phases[i]):
			wait(q)
		case p.Status == task.PhaseInReview && isFixOf(q, p.UID) && q.Open():
			wait(q) // where p begins anew, its fixes wait for that
		}
	}
	parent, ok := t.Phase(p.Parent)
	fixed, repairs := t.Phase(p.Fixes)
	switch {
	case !ok || p.Kind == task.KindSplit:
	case p.Kind == task.KindVerification && (parent.Status != task.PhaseInReview || parent.Review == task.ReviewChanges),
		p.Kind == task.KindFix && parent.Status != task.PhaseInReview:
		wait(parent)
	case p.Kind == task.KindVerification:
		for _, fix := range task.OpenFixes(t, parent.UID) {
			wait(fix)
		}
	case p.Kind == task.KindFix && repairs && p.Fixes != p.Parent && fixed.Open() && !fixed.InReview():
		wait(fixed)
	}
	return waits
}

// ShownStatus is a phase's status with its verdict, for people.
func ShownStatus(p task.Phase) string {
	if p.Review == task.ReviewChanges {
		return p.Status.String() + ", changes wanted"
	}
	return p.Status.String()
}

// DoneBlocked says why the work on p is not done, whatever its worker says: the fold
// would take that back at once. It has parts, or is a final review (BC-53), and
// something else is open.
func DoneBlocked(t task.Task, p task.Phase) error {
	var waits []string
	f := reviewedBy(t, &p)
	for i := range t.Phases {
		q := &t.Phases[i]
		if len(waits) < maxBlockers && (openPartOf(q, p.UID) || f.awaits(q)) {
			waits = append(waits, fmt.Sprintf("%s is %s", q.ID, q.Status))
		}
	}
	return mustWait("phase "+p.ID+" can't be done yet", waits)
}
