package document

import (
	"fmt"
	"slices"
	"strings"
)

// How many phases a plan has (BC-13); one with more is to be split (BC-4).
const (
	fewestPhases = 5
	mostPhases   = 12
)

func roadmapHasPhases(v view) []hit {
	if len(v.road) > 0 {
		return nil
	}
	return []hit{{1, `there is no section "Phase 1: Title", and no table of phases`}}
}

func roadmapGoals(v view) []hit {
	return eachPhase(v, []string{"Goal", "Objective", "Purpose"}, "no goal")
}

func roadmapCriteria(v view) []hit {
	return eachPhase(v, []string{"Success Criteria", "Criteria", "Exit Criteria", "Acceptance", "Acceptance Criteria", "Done when"}, "nothing says when it is done")
}

// eachPhase wants a label, or a section, of each phase of a roadmap.
func eachPhase(v view, names []string, missing string) []hit {
	var hits []hit
	for _, p := range v.road {
		if p.section.Level == 0 {
			continue // it stands in a table
		}
		l, ok := labelled(p.labels, names...)
		sub, has := v.text.In(p.section, names...)
		if ok && l.value != "" || has && v.text.Filled(sub) {
			continue
		}
		hits = append(hits, hit{p.Line, fmt.Sprintf("phase %s: %s", p.ID, missing)})
	}
	return hits
}

func roadmapTwice(v view) []hit { return twiceHits(v.road.phases()) }

func roadmapMatches(v view) []hit { return matches(v, v.road.phases()) }

func roadmapTitles(v view) []hit { return titles(v, v.road.phases()) }

func roadmapCycle(v view) []hit { return cycleHits(v.road.phases()) }

func roadmapDepends(v view) []hit { return dependsHits(v, v.road.phases()) }

func planRegistry(v view) []hit {
	if len(v.Phases) > 0 || len(v.registry) > 0 || len(v.road) > 0 {
		return nil
	}
	return []hit{{1, `there is no "Phase Registry" with a table of phases, no heading "Phase 1: Title", ` +
		"and the task has no phases"}}
}

func registryTwice(v view) []hit { return twiceHits(v.registry) }

func registryMatches(v view) []hit { return matches(v, v.registry) }

func registryTitles(v view) []hit { return titles(v, v.registry) }

func registryCycle(v view) []hit { return cycleHits(v.registry) }

func registryDepends(v view) []hit { return dependsHits(v, v.registry) }

func registryAgents(v view) []hit {
	var hits []hit
	for _, p := range v.registry {
		if known, ok := v.taskPhase(p.ID); len(p.Agents) == 0 && (!ok || len(known.Agents) == 0) {
			hits = append(hits, hit{p.Line, fmt.Sprintf("phase %s has no agent", p.ID)})
		}
	}
	return hits
}

// matches compares the phases of a document with the task's. What came up while
// the task was worked on need not be planned, and a fix that is planned comes up by
// itself, with what belongs to it.
func matches(v view, planned []Phase) []hit {
	if len(planned) == 0 || len(v.Phases) == 0 {
		return nil
	}
	var hits []hit
	for _, p := range planned {
		of, _ := kindOfID(p.Of)
		if _, ok := v.taskPhase(p.ID); !ok && p.Kind != Fix && of != Fix {
			hits = append(hits, hit{p.Line, fmt.Sprintf("phase %s is not in the task; git brew phase add %q --id %s", p.ID, p.Title, p.ID)})
		}
	}
	for _, p := range v.Phases {
		optional := v.name == Roadmap && p.Kind != Execution || p.Kind == Fix || p.Kind == Added
		if _, ok := findPhase(planned, p.ID); !ok && !optional {
			hits = append(hits, hit{planned[len(planned)-1].Line, fmt.Sprintf("phase %s %s of the task is not in it", p.ID, p.Title)})
		}
	}
	return hits
}

// taskPhase is the task's phase of that id.
func (v view) taskPhase(id string) (Phase, bool) { return v.checker.phase(id) }

func titles(v view, planned []Phase) []hit {
	var hits []hit
	for _, p := range planned {
		if known, ok := v.taskPhase(p.ID); ok && p.Title != "" && !sameName(known.Title, p.Title) {
			hits = append(hits, hit{p.Line, fmt.Sprintf("phase %s is %q here, and %q in the task", p.ID, p.Title, known.Title)})
		}
	}
	return hits
}

// twiceHits are the phases whose ids others had before them.
func twiceHits(planned []Phase) []hit {
	var hits []hit
	first := map[string]int{}
	for _, p := range planned {
		if line, twice := first[phaseID(p.ID)]; twice {
			hits = append(hits, hit{p.Line, fmt.Sprintf("phase %s stands in line %d, too, and that one counts", p.ID, line)})
			continue
		}
		first[phaseID(p.ID)] = p.Line
	}
	return hits
}

func cycleHits(planned []Phase) []hit {
	ids := cycle(planned)
	if ids == nil {
		return nil
	}
	first, _ := findPhase(planned, ids[0])
	return []hit{{first.Line, "these wait for each other: " + strings.Join(ids, " -> ")}}
}

func dependsHits(v view, planned []Phase) []hit {
	var hits []hit
	for _, p := range planned {
		for _, d := range p.DependsOn {
			_, here := findPhase(planned, d)
			if _, known := v.taskPhase(d); !here && !known && NamesPhase(d) {
				hits = append(hits, hit{p.Line, fmt.Sprintf("phase %s depends on %q, which is no phase", p.ID, d)})
			}
		}
	}
	return hits
}

func phaseCount(v view) []hit {
	n := 0
	for _, p := range v.phases {
		if p.Kind == Execution {
			n++
		}
	}
	if len(v.phases) == 0 || n >= fewestPhases && n <= mostPhases {
		return nil
	}
	noun := "phases"
	if n == 1 {
		noun = "phase"
	}
	return []hit{{registryLine(v), fmt.Sprintf("the plan has %d %s; %d to %d are usual", n, noun, fewestPhases, mostPhases)}}
}

// registryLine is the line of the plan's table of phases.
func registryLine(v view) int {
	if s, ok := v.text.Find(registryNames...); ok {
		return s.Line
	}
	return 1
}

func verifications(v view) []hit {
	verified := map[string]bool{}
	for _, p := range v.phases {
		if p.Kind == Verification {
			verified[phaseID(p.Of)] = true
		}
	}
	var hits []hit
	for _, p := range v.phases {
		if p.Kind == Execution && !verified[phaseID(p.ID)] {
			line := max(1, p.Line)
			if v.planned != Plan {
				line = registryLine(v)
			}
			hits = append(hits, hit{line, fmt.Sprintf("phase %s has no verification %sV", p.ID, p.ID)})
		}
	}
	return hits
}

func finalReview(v view) []hit {
	if len(v.phases) == 0 || slices.ContainsFunc(v.phases, func(p Phase) bool { return p.Kind == FinalReview }) {
		return nil
	}
	return []hit{{registryLine(v), "there is no final review FR"}}
}

// traceNamesReal wants that a traceability table means something: its rows name
// requirements of the spec, and phases.
func traceNamesReal(v view) []hit {
	var hits []hit
	phases := map[string]bool{}
	for _, p := range v.phases {
		phases[phaseID(p.ID)] = true
	}
	for _, row := range traceRows(v.text) {
		said := claim{id: row.id, what: strings.Join(words(row.what), " ")}
		if id, text := requirementID(row.what); id != "" {
			said = claim{id: id, what: strings.Join(words(text), " ")}
		} else if row.id == "" {
			said.id = text
		}
		if len(v.asked) > 0 && len(v.index.means(said)) == 0 && len(placeholders(row.what+row.id)) == 0 {
			hits = append(hits, hit{row.line, fmt.Sprintf("the spec does not ask for %q", strings.TrimSpace(row.id+" "+row.what))})
		}
		for _, id := range list(row.phases) {
			if len(phases) > 0 && !phases[phaseID(id)] && len(placeholders(id)) == 0 {
				hits = append(hits, hit{row.line, fmt.Sprintf("%q is no phase", id)})
			}
		}
	}
	return hits
}
