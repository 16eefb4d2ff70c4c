package document

import (
	"maps"
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
	if ids := stuck(planned); len(ids) > 0 {
		first, _ := findPhase(planned, ids[0])
		say(first.Line, "these wait for each other: %s", strings.Join(ids, ", "))
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

// stuck are the phases that wait for each other, and so never come to an end. The work on a
// phase waits until what it depends on is completed, that of a verification or a fix for
// the work on its phase, which is completed after them (BC-51).
func stuck(all []Phase) []string {
	index, on := map[string]Phase{}, map[string][]string{} // on: what waits for what
	for _, p := range all {
		index[phaseID(p.ID)] = p
	}
	for id, p := range index {
		above := map[string]bool{} // a verification may name what it verifies: it waits for that work
		for q := p; q.Kind == Verification || q.Kind == Fix; {
			of := phaseID(q.Of)
			if q = index[of]; q.ID == "" || above[of] { // one that is nowhere waits for nothing
				break
			}
			above[of] = true
		}
		on["end of "+id] = append(on["end of "+id], id)
		for of := range above {
			on[id], on["end of "+of] = append(on[id], of), append(on["end of "+of], "end of "+id)
		}
		for _, d := range p.DependsOn {
			if !above[phaseID(d)] {
				on[id] = append(on[id], "end of "+phaseID(d))
			}
		}
	}
	for before := -1; before != len(on); {
		before = len(on)
		awaited := map[string]bool{}
		for _, others := range on {
			for _, other := range others {
				awaited[other] = true
			}
		}
		maps.DeleteFunc(on, func(moment string, others []string) bool {
			return !awaited[moment] || !slices.ContainsFunc(others, func(other string) bool { return on[other] != nil })
		})
	}
	var ids []string
	for _, p := range all {
		if id := phaseID(p.ID); on[id] != nil || on["end of "+id] != nil {
			ids = append(ids, p.ID)
		}
	}
	return ids
}
