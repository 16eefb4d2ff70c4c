package task

import "slices"

// A phase is not completed before what it depends on, what hangs below it, and
// the fixes that were made for it; a final review not before all the others. No
// phase waits for itself, be it over others: nothing would ever go on. Whatever
// adds, edits or takes back phases keeps to that in the fold, so that it holds
// wherever histories meet.

// waiters are the phases that can't be completed before p is, p among them. P may
// be one that is still to be added.
func (t Task) waiters(p Phase) map[UID]bool {
	by := make(map[UID][]UID, len(t.Phases)) // who waits for a phase
	var all []UID                            // who waits for everything
	for _, q := range t.Phases {
		for _, on := range q.DependsOn {
			by[on] = append(by[on], q.UID)
		}
		by[q.UID] = append(by[q.UID], q.Parent, q.Fixes)
		if q.Kind == KindFinalReview {
			all = append(all, q.UID)
		}
	}
	wait := map[UID]bool{"": true}
	for left := append(all, p.UID, p.Parent, p.Fixes); len(left) > 0; {
		uid := left[len(left)-1]
		if left = left[:len(left)-1]; !wait[uid] {
			wait[uid] = true
			left = append(left, by[uid]...)
		}
	}
	delete(wait, "")
	return wait
}

// mayWaitFor reports whether p can depend on other phases: not on itself, on
// what it belongs to or what belongs to it, or on what waits for it already.
func (t Task) mayWaitFor(p Phase, on ...UID) bool {
	if len(on) == 0 {
		return true
	}
	wait := t.waiters(p)
	return !slices.ContainsFunc(on, func(uid UID) bool {
		dep, ok := t.Phase(uid)
		return !ok || wait[uid] || t.belongs(dep, p.UID)
	})
}

// circle is some phases that wait for one another, each for the next and the last
// for the first; none where there are no such.
func circle(phases []Phase) []Phase {
	if !slices.ContainsFunc(phases, func(p Phase) bool { return len(p.DependsOn) > 0 }) {
		return nil // a phase hangs below one that was there before it
	}
	on := waitsOn(phases)
	const (
		onPath = 1 + iota
		done
	)
	state := make([]byte, len(on))
	var path, found []int
	var visit func(int)
	visit = func(i int) {
		state[i], path = onPath, append(path, i)
		for _, j := range on[i] {
			switch {
			case found != nil || state[j] == done:
			case state[j] == onPath:
				found = slices.Clone(path[slices.Index(path, j):])
			default:
				visit(j)
			}
		}
		state[i], path = done, path[:len(path)-1]
	}
	for i := range phases {
		if found == nil && state[i] == 0 {
			visit(i)
		}
	}
	var round []Phase
	for _, i := range found {
		if i < len(phases) {
			round = append(round, phases[i])
		}
	}
	return round
}

// waitsOn are what each of some phases waits for, by their places. The place
// behind the last stands for all that a final review waits for.
func waitsOn(phases []Phase) [][]int {
	all := len(phases)
	at := make(map[UID]int, all)
	for i, p := range phases {
		at[p.UID] = i
	}
	on := make([][]int, all+1)
	for i, p := range phases {
		for _, uid := range p.DependsOn {
			if dep, known := at[uid]; known {
				on[i] = append(on[i], dep)
			}
		}
		for _, uid := range []UID{p.Parent, p.Fixes} {
			if above, known := at[uid]; known {
				on[above] = append(on[above], i)
			}
		}
		if p.Kind == KindFinalReview {
			on[i] = append(on[i], all)
		} else {
			on[all] = append(on[all], i)
		}
	}
	return on
}
