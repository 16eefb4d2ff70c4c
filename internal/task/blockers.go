package task

import (
	"fmt"
	"strings"
)

// checkBegin says why work on a phase can't begin, whose status allows it.
func checkBegin(t Task, phase Phase) error {
	if err := CheckSpent(t, phase); err != nil {
		return err
	}
	if err := checkGivenUp(t, phase); err != nil {
		return err
	}
	if waits := Blockers(t, phase); len(waits) > 0 {
		return &RefusedError{
			Code: CodeDependencies, Msg: fmt.Sprintf("phase %s has to wait: %s", phase.ID, strings.Join(waits, ", ")),
			Hint: "see 'git brew next'", Findings: waits,
		}
	}
	if phase.Kind != KindResearch {
		if err := checkPlan(t); err != nil {
			return err
		}
	}
	return CheckFirstStart(t, phase)
}

// maxBlockers is how many of them are named.
const maxBlockers = 20

// blockers says, one by one, what has to happen before work on p can begin; the
// first of them, where they are many.
func Blockers(t Task, p Phase) []string {
	var waits []string
	if p.MustEscalate {
		waits = append(waits, "it has to be escalated")
	}
	for _, uid := range t.DependenciesOf(p) {
		if dep, ok := t.Phase(uid); ok && t.Unfinished(dep) {
			waits = append(waits, fmt.Sprintf("%s is %s", dep.ID, dep.Status))
		}
	}
	f := reviewedBy(t, &p)
	for i, q := range t.Phases {
		if len(waits) >= maxBlockers {
			break
		}
		child := q.Parent == p.UID && !q.Status.Over()
		switch {
		case child && q.Kind == KindSplit, child && q.Kind == KindResearch && q.open():
			waits = append(waits, fmt.Sprintf("%s is %s", q.ID, q.Status))
		case p.Status == PhaseInReview && q.fixOf(p.UID) && q.open():
			// Where p begins anew, its fixes wait for that.
			waits = append(waits, fmt.Sprintf("%s is %s", q.ID, q.Status))
		case f.awaits(&t.Phases[i]):
			waits = append(waits, fmt.Sprintf("%s is %s", q.ID, q.Status))
		}
	}
	if p.Kind == KindSplit || p.Parent == "" {
		return waits
	}
	parent, ok := t.Phase(p.Parent)
	switch {
	case !ok:
	case p.Kind == KindVerification && (parent.Status != PhaseInReview || parent.Review == ReviewChanges):
		waits = append(waits, fmt.Sprintf("%s is %s", parent.ID, ShownStatus(parent)))
	case p.Kind == KindVerification:
		for _, fix := range openFixes(t, parent.UID) {
			waits = append(waits, fmt.Sprintf("%s is %s", fix.ID, fix.Status))
		}
	case p.Kind == KindFix && parent.Status != PhaseInReview:
		waits = append(waits, fmt.Sprintf("%s is %s", parent.ID, parent.Status))
	case p.Kind == KindFix && p.Fixes != p.Parent:
		if fixed, ok := t.Phase(p.Fixes); ok && fixed.open() && fixed.Status != PhaseInReview {
			waits = append(waits, fmt.Sprintf("%s is %s", fixed.ID, fixed.Status))
		}
	}
	return waits
}

// standing is a phase's status with its verdict, for people.
func ShownStatus(p Phase) string {
	if p.Review == ReviewChanges {
		return p.Status.String() + ", changes wanted"
	}
	return p.Status.String()
}

// isPaused reports whether p is in progress in a task that is not: nobody's time runs.
func isPaused(p Phase) bool { return p.Status == PhaseInProgress && p.WorkSince == "" }

// doneBlocked says why the work on p is not done, whatever its worker says: the fold
// would take that back at once. It has parts, or is a final review (BC-53), and
// something else is open.
func DoneBlocked(t Task, p Phase) error {
	var waits []string
	f := reviewedBy(t, &p)
	for i := range t.Phases {
		q := &t.Phases[i]
		if len(waits) < maxBlockers && (q.openPartOf(p.UID) || f.awaits(q)) {
			waits = append(waits, fmt.Sprintf("%s is %s", q.ID, q.Status))
		}
	}
	if len(waits) == 0 {
		return nil
	}
	return &RefusedError{
		Code: CodeDependencies, Msg: fmt.Sprintf("phase %s can't be done yet: %s", p.ID, strings.Join(waits, ", ")),
		Hint: "see 'git brew next'", Findings: waits,
	}
}
