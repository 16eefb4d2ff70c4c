package document

import (
	"slices"
	"strings"
)

// How many phases a plan has (BC-13); one with more is to be split (BC-4).
const (
	fewestPhases = 5
	mostPhases   = 12
)

func roadmapHasPhases(v view, say say) {
	if len(v.planned()) == 0 {
		say(1, `there is no section "Phase 1: Title", and no table of phases`)
	}
}

// eachPhase wants a label, or a section, of each phase of a roadmap.
func eachPhase(missing string, names ...string) func(view, say) {
	return func(v view, say say) {
		for _, p := range v.plannedIn[Roadmap] {
			if p.section.Level > 0 && !p.says(names...) { // else it stands in a table
				say(p.Line, "phase %s: %s", p.ID, missing)
			}
		}
	}
}

func planRegistry(v view, say say) {
	if len(v.Phases) == 0 && len(v.plannedIn[Plan]) == 0 && len(v.plannedIn[Roadmap]) == 0 {
		say(1, `there is no "Phase Registry" with a table of phases, no heading "Phase 1: Title", `+
			"and the task has no phases")
	}
}

func registryAgents(v view, say say) {
	for _, p := range v.planned() {
		if known, _ := findPhase(v.Phases, p.ID); len(p.Agents) == 0 && len(known.Agents) == 0 {
			say(p.Line, "phase %s has no agent", p.ID)
		}
	}
}

// matches compares the phases of a document with the task's. What came up while
// the task was worked on need not be planned, and a fix that is planned comes up by
// itself, with what belongs to it.
func matches(v view, say say) {
	planned := v.planned()
	if len(planned) == 0 || len(v.Phases) == 0 {
		return
	}
	for _, p := range planned {
		of, _ := kindOfID(p.Of)
		if _, ok := findPhase(v.Phases, p.ID); !ok && p.Kind != Fix && of != Fix {
			say(p.Line, "phase %s is not in the task; git brew phase add %q --id %s", p.ID, p.Title, p.ID)
		}
	}
	for _, p := range v.Phases {
		optional := v.name == Roadmap && p.Kind != Execution || p.Kind.comesUp()
		if _, ok := findPhase(planned, p.ID); !ok && !optional {
			say(planned[len(planned)-1].Line, "phase %s %s of the task is not in it", p.ID, p.Title)
		}
	}
}

func titles(v view, say say) {
	for _, p := range v.planned() {
		if known, ok := findPhase(v.Phases, p.ID); ok && p.Title != "" && !sameName(known.Title, p.Title) {
			say(p.Line, "phase %s is %q here, and %q in the task", p.ID, p.Title, known.Title)
		}
	}
}

// twice tells of phases whose ids others had before them.
func twice(v view, say say) {
	first := map[string]int{}
	for _, p := range v.planned() {
		if line, twice := first[phaseID(p.ID)]; twice {
			say(p.Line, "phase %s stands in line %d, too, and that one counts", p.ID, line)
			continue
		}
		first[phaseID(p.ID)] = p.Line
	}
}

func waitsForItself(v view, say say) {
	planned := v.planned()
	if ids := cycle(planned); ids != nil {
		first, _ := findPhase(planned, ids[0])
		say(first.Line, "these wait for each other: %s", strings.Join(ids, " -> "))
	}
}

func dependsOnNone(v view, say say) {
	planned := v.planned()
	for _, p := range planned {
		for _, d := range p.DependsOn {
			_, here := findPhase(planned, d)
			if _, known := findPhase(v.Phases, d); !here && !known && NamesPhase(d) {
				say(p.Line, "phase %s depends on %q, which is no phase", p.ID, d)
			}
		}
	}
}

func phaseCount(v view, say say) {
	n := 0
	for _, p := range v.phases {
		if p.Kind == Execution {
			n++
		}
	}
	if len(v.phases) > 0 && (n < fewestPhases || n > mostPhases) {
		say(registryLine(v), "phases in the plan: %d; %d to %d are usual", n, fewestPhases, mostPhases)
	}
}

// registryLine is the line of the plan's table of phases.
func registryLine(v view) int {
	s, _ := v.text.Find(registryNames...)
	return max(1, s.Line)
}

func verifications(v view, say say) {
	for _, p := range v.phases {
		verifies := func(other Phase) bool { return other.Kind == Verification && SamePhase(other.Of, p.ID) }
		if p.Kind == Execution && !slices.ContainsFunc(v.phases, verifies) {
			line := max(1, p.Line)
			if v.source != Plan {
				line = registryLine(v)
			}
			say(line, "phase %s has no verification %sV", p.ID, p.ID)
		}
	}
}

func finalReview(v view, say say) {
	isFinal := func(p Phase) bool { return p.Kind == FinalReview }
	if len(v.phases) > 0 && !slices.ContainsFunc(v.phases, isFinal) {
		say(registryLine(v), "there is no final review FR")
	}
}

// traceNamesReal wants that a traceability table means something: its rows name
// requirements of the spec, and phases.
func traceNamesReal(v view, say say) {
	known := map[string]bool{}
	for _, p := range v.phases {
		known[phaseID(p.ID)] = true
	}
	for _, row := range traceRows(v.text) {
		if v.asksForNone(claimOf(row.what, row.id)) && len(Placeholders(row.what+row.id)) == 0 {
			say(row.line, "the spec does not ask for %q", strings.TrimSpace(row.id+" "+row.what))
		}
		for _, id := range list(row.phases) {
			if len(known) > 0 && !known[phaseID(id)] && len(Placeholders(id)) == 0 {
				say(row.line, "%q is no phase", id)
			}
		}
	}
}

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
func wayBack(on [][]int) (way []int) {
	const underway, visited = 1, 2
	state := make([]int, len(on))
	var visit func(i int) bool
	visit = func(i int) bool {
		state[i], way = underway, append(way, i)
		for _, j := range on[i] {
			if state[j] == underway {
				way = append(way[slices.Index(way, j):], j)
				return true
			}
			if state[j] == 0 && visit(j) {
				return true
			}
		}
		state[i], way = visited, way[:len(way)-1]
		return false
	}
	for i := range on {
		if state[i] == 0 && visit(i) {
			return way
		}
	}
	return nil
}
