package document

import "slices"

// cycle is a way from a phase back to itself along dependencies, nil where there
// is none. The work on a phase waits until what it depends on is completed, that of
// a verification or a fix for the work on its phase, which is completed after them
// (BC-51).
func cycle(all []Phase) []string {
	index := map[string]int{}
	for i, p := range all {
		index[phaseID(p.ID)] = i
	}
	n := len(all) // the work on all[i] is done at i, it is completed at n+i
	on := make([][]int, 2*n)
	for i, p := range all {
		on[n+i] = append(on[n+i], i)
		of, below := index[phaseID(p.Of)]
		below = below && (p.Kind == Verification || p.Kind == Fix)
		if below {
			on[i], on[n+of] = append(on[i], of), append(on[n+of], n+i)
		}
		above := map[int]bool{} // a verification may name what it verifies: it waits for that work
		for k, ok := of, below; ok && !above[k]; k, ok = index[phaseID(all[k].Of)] {
			above[k] = true
		}
		for _, d := range p.DependsOn {
			if j, ok := index[phaseID(d)]; ok && !above[j] {
				on[i] = append(on[i], n+j)
			}
		}
	}
	var ids []string
	for _, i := range wayBack(on) {
		ids = append(ids, all[i%n].ID)
	}
	if ids = slices.Compact(ids); len(ids) == 1 { // it depends on itself
		ids = append(ids, ids[0])
	}
	return ids
}

// wayBack is a way along edges that ends where it began, nil where there is none.
func wayBack(on [][]int) []int {
	const visited = 2
	state := make([]int, len(on)) // 1 on the way
	var way []int
	var visit func(i int) []int
	visit = func(i int) []int {
		state[i], way = 1, append(way, i)
		for _, j := range on[i] {
			if state[j] == 1 {
				return append(way[slices.Index(way, j):], j)
			}
			if state[j] == 0 {
				if found := visit(j); found != nil {
					return found
				}
			}
		}
		state[i], way = visited, way[:len(way)-1]
		return nil
	}
	for i := range on {
		if state[i] == 0 {
			if found := visit(i); found != nil {
				return found
			}
		}
	}
	return nil
}
