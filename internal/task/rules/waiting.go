package rules

import (
	"slices"

	"github.com/git-brew/git-brew/internal/task"
)

// What a phase waits for is said of two moments: that its work is done, and that
// it is completed. Its work waits for what it depends on, its parts and its
// research; that of a verification, or of a fix, for the work on what it is for; that
// of a part for what its parent depends on, too. It is completed after its work, its
// verifications and its fixes. A final review begins when everything else is
// completed. No moment waits for itself, be it over others: nothing would ever go on.
// Whatever adds, edits or takes back phases keeps to that in the fold, so that it
// holds wherever histories meet. blockers is the same rule, asked of where the phases stand.

// waiters are, of each moment, those that wait for it: phases[i] is done at i, and
// completed at n+i; at 2n is all that a final review waits for.
func waiters(phases []task.Phase) [][]int {
	n := len(phases)
	by, at, f := make([][]int, 2*n+1), make(map[task.UID]int, n), familyOf(phases)
	for i := range phases {
		at[phases[i].UID] = i
	}
	delete(at, "")
	wait := func(moment, on int) { by[on] = append(by[on], moment) }
	for i := range phases {
		p := &phases[i]
		wait(n+i, i)
		for _, uid := range task.DependenciesOf(p, func(uid task.UID) *task.Phase { return f[uid] }) {
			if dep, known := at[uid]; known {
				wait(i, n+dep)
			}
		}
		after := p.Kind == task.KindVerification || p.Kind == task.KindFix
		for _, uid := range slices.Compact([]task.UID{p.Parent, p.Fixes}) {
			switch above, known := at[uid]; {
			case known && after:
				wait(n+above, n+i)
				wait(i, above)
			case known:
				wait(above, n+i)
			}
		}
		switch {
		case p.Kind == task.KindFinalReview:
			wait(i, 2*n)
		case !f.inFinalReview(p): // what another one brought about is its own
			wait(2*n, n+i)
		}
	}
	return by
}

// waitersFor are the phases that can't be completed before the work on p is done, or on a
// part of it, p among them. P may be one that is still to be added.
func waitersFor(t task.Task, p task.Phase) map[task.UID]bool {
	phases, i := t.Phases, t.PhaseIndex(p.UID)
	if i < 0 {
		phases, i = append(slices.Clip(phases), p), len(phases)
	}
	by, n := waiters(phases), len(phases)
	wait, seen := map[task.UID]bool{}, make([]bool, len(by))
	left := []int{i}
	for j := range t.Phases {
		if partOf(t, t.Phases[j], p.UID) {
			left = append(left, j)
		}
	}
	for len(left) > 0 {
		moment := left[len(left)-1]
		if left = left[:len(left)-1]; seen[moment] {
			continue
		}
		seen[moment], left = true, append(left, by[moment]...)
		if moment >= n && moment < 2*n {
			wait[phases[moment-n].UID] = true
		}
	}
	return wait
}

// partOf reports whether p is a part of uid, be it of one of its parts.
func partOf(t task.Task, p task.Phase, uid task.UID) bool {
	for n := 0; uid != "" && p.Kind == task.KindSplit && n <= task.MaxDepth; n++ {
		if p.Parent == uid {
			return true
		}
		p, _ = t.Phase(p.Parent)
	}
	return false
}

// mayWaitFor reports whether p can depend on another phase: not on itself, on
// what it belongs to or what belongs to it, or on what waits for it already.
func mayWaitFor(t task.Task, p task.Phase, on task.UID) bool {
	dep, ok := t.Phase(on)
	return ok && !waitersFor(t, p)[on] && !task.Belongs(t, dep, p.UID)
}

// family finds the phases of a task by their uid, for what asks each phase about
// others: made once, it keeps that from growing with their square.
type family map[task.UID]*task.Phase

func familyOf(phases []task.Phase) family {
	f := make(family, len(phases))
	for i := range phases {
		f[phases[i].UID] = &phases[i]
	}
	delete(f, "") // one that is to be added may have no name yet
	return f
}

// hangs reports whether p is something, or hangs below it.
func (f family) hangs(p *task.Phase, below func(*task.Phase) bool) bool {
	for n := 0; p != nil && n <= task.MaxDepth; n++ {
		if below(p) {
			return true
		}
		p = f[p.Parent]
	}
	return false
}

// inFinalReview reports whether p is a final review, or hangs below one: another
// one does not wait for it, nor is it of it.
func (f family) inFinalReview(p *task.Phase) bool {
	return f.hangs(p, func(p *task.Phase) bool { return p.Kind == task.KindFinalReview })
}

// reviewedBy is the family that a final review is of; none where p is no such.
func reviewedBy(t task.Task, p *task.Phase) family {
	if p.Kind != task.KindFinalReview {
		return nil
	}
	return familyOf(t.Phases)
}

// awaits reports whether a final review of the family waits for p.
func (f family) awaits(p *task.Phase) bool {
	return f != nil && !p.Status.Over() && !f.inFinalReview(p)
}

// stands: it is executed or completed, and so is of all that there is.
func stands(p task.Phase) bool {
	return p.Kind == task.KindFinalReview && (p.Status == task.PhaseInReview || p.Status == task.PhaseCompleted)
}

// settleFinalReviews: a final review is of all that was done (BC-53). Where something
// else is to be done after it, because it was added, set back, or sent back, the review
// is open again, and begins anew when that is completed. One that is under way sees what
// comes.
func (e *editor) settleFinalReviews() {
	if !slices.ContainsFunc(e.t.Phases, stands) {
		return
	}
	f := familyOf(e.t.Phases)
	if !slices.ContainsFunc(e.t.Phases, func(p task.Phase) bool { return f.awaits(&p) }) {
		return
	}
	for i := range e.t.Phases {
		if stands(e.t.Phases[i]) {
			e.firePhase(i, EventReopen, moment{})
		}
	}
}
