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
	state := make([]int, 2*n) // 1 on the way, 2 seen
	var way []int
	var visit func(i int) []string
	visit = func(i int) []string {
		state[i] = 1
		way = append(way, i)
		for _, j := range on[i] {
			switch state[j] {
			case 0:
				if found := visit(j); found != nil {
					return found
				}
			case 1:
				var ids []string
				for _, k := range append(way[slices.Index(way, j):], j) {
					ids = append(ids, all[k%n].ID)
				}
				ids = slices.Compact(ids)
				if len(ids) == 1 { // it depends on itself
					ids = append(ids, ids[0])
				}
				return ids
			}
		}
		way = way[:len(way)-1]
		state[i] = 2
		return nil
	}
	for i := range all {
		if state[i] == 0 {
			if found := visit(i); found != nil {
				return found
			}
		}
	}
	return nil
}
