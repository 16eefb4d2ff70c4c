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

// waits are what the moments of some phases wait for. phases[i] is done at i, and
// completed at n+i; at 2n is all that a final review waits for.
type waits struct {
	phases []*task.Phase
	all    []wait
}

// wait is one moment that is not before another one.
type wait struct{ moment, on int }

func (w waits) completed(i int) int { return len(w.phases) + i }

func (w waits) moments() int { return 2*len(w.phases) + 1 }

// phaseAt is the phase whose moment it is; false for the last.
func (w waits) phaseAt(moment int) (*task.Phase, bool) {
	if moment == w.moments()-1 {
		return nil, false
	}
	return w.phases[moment%len(w.phases)], true
}

// waitsOf looks at the phases of a task, and at more that it is to have.
func waitsOf(phases []task.Phase, more ...task.Phase) waits {
	w := waits{phases: make([]*task.Phase, 0, len(phases)+len(more)), all: make([]wait, 0, 4*len(phases))}
	at, f := make(map[task.UID]int, cap(w.phases)), familyOf(phases, more...)
	for _, list := range [][]task.Phase{phases, more} {
		for i := range list {
			at[list[i].UID] = len(w.phases)
			w.phases = append(w.phases, &list[i])
		}
	}
	delete(at, "")
	add := func(moment, on int) { w.all = append(w.all, wait{moment, on}) }
	others := w.moments() - 1
	for i, p := range w.phases {
		add(w.completed(i), i)
		for _, uid := range task.DependenciesOf(p, func(uid task.UID) *task.Phase {
			if above, known := at[uid]; known {
				return w.phases[above]
			}
			return nil
		}) {
			if dep, known := at[uid]; known {
				add(i, w.completed(dep))
			}
		}
		after := p.Kind == task.KindVerification || p.Kind == task.KindFix
		for _, uid := range slices.Compact([]task.UID{p.Parent, p.Fixes}) {
			switch above, known := at[uid]; {
			case known && after:
				add(w.completed(above), w.completed(i))
				add(i, above)
			case known:
				add(above, w.completed(i))
			}
		}
		switch {
		case p.Kind == task.KindFinalReview:
			add(i, others)
		case !f.inFinalReview(p): // what another one brought about is its own
			add(others, w.completed(i))
		}
	}
	return w
}

// waiters are the moments that wait for each.
func (w waits) waiters() [][]int {
	lists := make([][]int, w.moments())
	for _, e := range w.all {
		lists[e.on] = append(lists[e.on], e.moment)
	}
	return lists
}

// waitersFor are the phases that can't be completed before the work on p is done, or on a
// part of it, p among them. P may be one that is still to be added.
func waitersFor(t task.Task, p task.Phase) map[task.UID]bool {
	var w waits
	i := t.PhaseIndex(p.UID)
	if i >= 0 {
		w = waitsOf(t.Phases)
	} else {
		i, w = len(t.Phases), waitsOf(t.Phases, p)
	}
	by := w.waiters()
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
		if q, ok := w.phaseAt(moment); ok && moment >= w.completed(0) {
			wait[q.UID] = true
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

// mayWaitFor reports whether p can depend on other phases: not on itself, on
// what it belongs to or what belongs to it, or on what waits for it already.
func mayWaitFor(t task.Task, p task.Phase, on ...task.UID) bool {
	if len(on) == 0 {
		return true
	}
	wait := waitersFor(t, p)
	return !slices.ContainsFunc(on, func(uid task.UID) bool {
		dep, ok := t.Phase(uid)
		return !ok || wait[uid] || task.Belongs(t, dep, p.UID)
	})
}

// family finds the phases of a task by their uid, for what asks each phase about
// others: made once, it keeps that from growing with their square.
type family map[task.UID]*task.Phase

func familyOf(phases []task.Phase, more ...task.Phase) family {
	f := make(family, len(phases)+len(more))
	for _, list := range [][]task.Phase{phases, more} {
		for i := range list {
			f[list[i].UID] = &list[i]
		}
	}
	delete(f, "") // one that is to be added may have no name yet
	return f
}

// inFinalReview reports whether p is a final review, or hangs below one: another
// one does not wait for it, nor is it of it.
func (f family) inFinalReview(p *task.Phase) bool {
	for range task.MaxDepth + 1 {
		above := f[p.Parent]
		if p.Kind == task.KindFinalReview || above == nil {
			break
		}
		p = above
	}
	return p.Kind == task.KindFinalReview
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
func stands(p *task.Phase) bool {
	return p.Kind == task.KindFinalReview && (p.Status == task.PhaseInReview || p.Status == task.PhaseCompleted)
}

// settleFinalReviews: a final review is of all that was done (BC-53). Where something
// else is to be done after it, because it was added, set back, or sent back, the review
// is open again, and begins anew when that is completed. One that is under way sees what
// comes.
func (e *editor) settleFinalReviews() {
	if !e.finalReviewStands() {
		return
	}
	f := familyOf(e.t.Phases)
	for i := range e.t.Phases {
		if f.awaits(&e.t.Phases[i]) {
			e.reopenFinalReviews()
			return
		}
	}
}

func (e *editor) finalReviewStands() bool {
	for i := range e.t.Phases {
		if stands(&e.t.Phases[i]) {
			return true
		}
	}
	return false
}

func (e *editor) reopenFinalReviews() {
	for i := range e.t.Phases {
		if stands(&e.t.Phases[i]) {
			e.firePhase(i, EventReopen, moment{})
		}
	}
}
