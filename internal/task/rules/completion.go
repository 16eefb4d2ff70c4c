package rules

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/git-brew/git-brew/internal/task"
)

// What has to hold before a phase is completed stands here, whatever completes it: its
// own approval, or that of its verification. completionBlocked is what the fold keeps
// as well, wherever histories meet: no row of the tables leads to completed past it.
// checkCompletion is the rest, which is asked where an approval is made.

// Completes are the phases that an approval of p is to complete: of a verification, what
// that verifies, too. The first of two owes what the last one does, though it completes
// nothing but itself: what is approved is the same work.
func Completes(t task.Task, p task.Phase) []task.Phase {
	if p.Kind == task.KindVerification {
		if parent, ok := t.Phase(p.Parent); ok {
			return []task.Phase{p, parent}
		}
	}
	return []task.Phase{p}
}

// completionBlocked says why p can't be completed, whoever looked at it and found it
// good. What a final review waits for is settled by then: see settleFinalReviews.
func completionBlocked(t task.Task, p task.Phase) error {
	if parts := openParts(t, p.UID); len(parts) > 0 {
		return task.Refuse(task.CodeDependencies, "phase "+p.ID+" has open parts: "+task.ShownIDs(parts),
			"see 'git brew next'")
	}
	for _, fixes := range [][]task.Phase{task.OpenFixes(t, p.UID), t.OpenFixesOf(p.UID)} {
		if len(fixes) > 0 {
			return task.Refuse(task.CodeOpenFixes, "phase "+p.ID+" has open fix phases: "+task.ShownIDs(fixes),
				"see 'git brew next'")
		}
	}
	return nil
}

// transitionOf looks an event of p up in the tables. No row leads to completed past
// completionBlocked, and none brings back what belongs to a dropped phase: below that
// nothing is to be done.
func transitionOf(t task.Task, p task.Phase, event PhaseEvent) (PhaseTransition, bool) {
	row, ok := phaseTransition(p, event)
	blocked := ok && (row.To == task.PhaseCompleted && completionBlocked(t, p) != nil ||
		event != EventRevive && p.Status.Over() && droppedAbove(t, p) != nil)
	return row, ok && !blocked
}

// droppedAbove is the highest dropped phase that p belongs to, or repairs: nothing
// happens to p until that is taken up again. nil where there is none.
func droppedAbove(t task.Task, p task.Phase) *task.Phase {
	var top *task.Phase
	for range task.MaxDepth + 1 {
		above := t.PhaseAt(p.Parent)
		if above == nil || above.Status != task.PhaseDropped {
			above = t.PhaseAt(p.Fixes)
		}
		if above == nil || above.Status != task.PhaseDropped {
			break
		}
		top, p = above, *above
	}
	return top
}

// checkAbove refuses what is to happen to a phase below a dropped one.
func checkAbove(t task.Task, p task.Phase) error {
	if above := droppedAbove(t, p); above != nil {
		return task.Refuse(task.CodeTransition, "phase "+p.ID+" belongs to "+above.ID+", which is dropped", takeUp(*above))
	}
	return nil
}

// resetOf is what sets a phase that is over back to pending.
func resetOf(t task.Task, p task.Phase) string {
	if above := droppedAbove(t, p); above != nil {
		p = *above
	}
	return "git brew phase reset " + p.ID
}

// takeUp is what takes a dropped phase up again.
func takeUp(p task.Phase) string { return "'git brew phase reset " + p.ID + "' takes it up again" }

// checkCompletion says what is owed before an approval that rests on a run can complete
// p, and what goes with it: the board of a final review, its commands, its reports.
func checkCompletion(t task.Task, p task.Phase, rests task.UID) error {
	for _, q := range Completes(t, p) {
		if q.Kind == task.KindFinalReview {
			if err := CheckBoard(t, task.BoardOf(q.UID), true); err != nil {
				return err
			}
		}
	}
	return cmp.Or(checkVerified(t, p, rests), CheckReports(t, p))
}

// CheckReports names every report that is owed before p is completed, and what it
// completes: each on its current iteration (BC-29, BC-42).
func CheckReports(t task.Task, p task.Phase) error {
	var missing []string
	hint := ""
	for _, q := range Completes(t, p) {
		owed := task.MissingReports(t, q)
		if hint == "" && len(owed) > 0 {
			hint = "git brew report " + q.ID + " --agent " + task.MissingAgents(t, q)[0] + " - first"
		}
		missing = append(missing, owed...)
	}
	if len(missing) == 0 {
		return nil
	}
	return &task.RefusedError{
		Code: task.CodeReports, Hint: hint, Findings: missing,
		Msg: fmt.Sprintf("phase %s: %s MISSING: %s", p.ID, task.Counted(len(missing), "report"), strings.Join(missing, ", ")),
	}
}

// openParts are the parts of uid that are not over: its work is done when they are.
func openParts(t task.Task, uid task.UID) []task.Phase {
	var open []task.Phase
	for i := range t.Phases {
		if p := &t.Phases[i]; openPartOf(p, uid) {
			open = append(open, *p)
		}
	}
	return open
}

func openPartOf(p *task.Phase, uid task.UID) bool {
	return p.Parent == uid && p.Kind == task.KindSplit && !p.Status.Over()
}

// settleParts: a phase whose parts are not all over any more is not done, nor is
// what p is a part of where p is not.
func (e *editor) settleParts(p task.Phase) {
	for _, uid := range []task.UID{p.UID, p.Parent} {
		if i := e.t.PhaseIndex(uid); i >= 0 && len(openParts(e.t, uid)) > 0 {
			e.firePhase(i, EventParted, moment{})
		}
	}
}

// Revisable: a fix of p can be made and begun now. It waits where what p belongs to is
// worked on itself, or done in parts.
func Revisable(t task.Task, p task.Phase) bool {
	root := t.WorkOf(p)
	return checkFix(t, p) == nil && (root.Status == task.PhaseInReview || root.Status == task.PhaseCompleted)
}

// UpForReview: a verdict is what p waits for. One that has a verification is
// completed by that.
func UpForReview(t task.Task, p task.Phase) bool {
	return p.Review != task.ReviewChanges && approvalBlocked(t, p, false) == nil
}

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
