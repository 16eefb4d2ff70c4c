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
	if waits := Blockers(t, phase); len(waits) > 0 {
		return &task.RefusedError{
			Code: task.CodeDependencies, Msg: fmt.Sprintf("phase %s has to wait: %s", phase.ID, strings.Join(waits, ", ")),
			Hint: "see 'git brew next'", Findings: waits,
		}
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

// Blockers says, one by one, what has to happen before work on p can begin; the
// first of them, where they are many.
func Blockers(t task.Task, p task.Phase) []string {
	var waits []string
	if p.MustEscalate {
		waits = append(waits, "it has to be escalated")
	}
	for _, uid := range t.DependenciesOf(p) {
		if dep, ok := t.Phase(uid); ok && !dep.Status.Over() {
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
		case child && q.Kind == task.KindSplit, child && q.Kind == task.KindResearch && q.Open():
			waits = append(waits, fmt.Sprintf("%s is %s", q.ID, q.Status))
		case p.Status == task.PhaseInReview && isFixOf(q, p.UID) && q.Open():
			// Where p begins anew, its fixes wait for that.
			waits = append(waits, fmt.Sprintf("%s is %s", q.ID, q.Status))
		case f.awaits(&t.Phases[i]):
			waits = append(waits, fmt.Sprintf("%s is %s", q.ID, q.Status))
		}
	}
	if p.Kind == task.KindSplit || p.Parent == "" {
		return waits
	}
	parent, ok := t.Phase(p.Parent)
	switch {
	case !ok:
	case p.Kind == task.KindVerification && (parent.Status != task.PhaseInReview || parent.Review == task.ReviewChanges):
		waits = append(waits, fmt.Sprintf("%s is %s", parent.ID, ShownStatus(parent)))
	case p.Kind == task.KindVerification:
		for _, fix := range task.OpenFixes(t, parent.UID) {
			waits = append(waits, fmt.Sprintf("%s is %s", fix.ID, fix.Status))
		}
	case p.Kind == task.KindFix && parent.Status != task.PhaseInReview:
		waits = append(waits, fmt.Sprintf("%s is %s", parent.ID, parent.Status))
	case p.Kind == task.KindFix && p.Fixes != p.Parent:
		if fixed, ok := t.Phase(p.Fixes); ok && fixed.Open() && fixed.Status != task.PhaseInReview {
			waits = append(waits, fmt.Sprintf("%s is %s", fixed.ID, fixed.Status))
		}
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

// isPaused reports whether p is in progress in a task that is not: nobody's time runs.
func isPaused(p task.Phase) bool { return p.Status == task.PhaseInProgress && p.WorkSince == "" }

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
	if len(waits) == 0 {
		return nil
	}
	return &task.RefusedError{
		Code: task.CodeDependencies, Msg: fmt.Sprintf("phase %s can't be done yet: %s", p.ID, strings.Join(waits, ", ")),
		Hint: "see 'git brew next'", Findings: waits,
	}
}
