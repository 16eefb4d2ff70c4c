package rules

import (
	"slices"

	"github.com/git-brew/git-brew/internal/task"
)

// circle is some phases that wait for one another, each for the next and the last
// for the first; none where there are no such.
func circle(phases []task.Phase) []task.Phase {
	if !slices.ContainsFunc(phases, func(p task.Phase) bool { return len(p.DependsOn) > 0 }) {
		return nil // a phase hangs below one that was there before it
	}
	by := waiters(phases)
	on := make([][]int, len(by))
	for i, moments := range by {
		for _, moment := range moments {
			on[moment] = append(on[moment], i)
		}
	}
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
	var round []task.Phase
	for _, moment := range found {
		if moment == 2*len(phases) {
			continue
		}
		p := phases[moment%len(phases)]
		if !slices.ContainsFunc(round, func(q task.Phase) bool { return q.UID == p.UID }) {
			round = append(round, p)
		}
	}
	return round
}
