package document

import (
	"fmt"
	"slices"
	"strings"
)

func phaseNamed(v view) []hit {
	f, ok := v.text.Front.Field("phase")
	id, _ := planOf(v.name)
	name := v.text.Front.Value("phase")
	if !ok || name == "" || len(placeholders(name)) > 0 || phaseID(name) == phaseID(id) {
		return nil
	}
	return []hit{{f.Line, fmt.Sprintf("it names phase %s, and is the plan of %s", name, id)}}
}

func phaseDepends(v view) []hit {
	f, ok := v.text.Front.Field("depends_on")
	if !ok || v.phase.ID == "" {
		return nil
	}
	var hits []hit
	has := func(list []string, id string) bool {
		return slices.ContainsFunc(list, func(s string) bool { return phaseID(s) == phaseID(id) })
	}
	for _, id := range f.Values {
		p, known := v.taskPhase(id)
		switch {
		case len(placeholders(id)) > 0:
		case !known:
			hits = append(hits, hit{f.Line, fmt.Sprintf("it depends on %q, which is no phase", id)})
		case !has(v.phase.DependsOn, p.ID) && p.ID != v.phase.Of:
			hits = append(hits, hit{f.Line, fmt.Sprintf("it depends on %s, the task's phase %s does not", p.ID, v.phase.ID)})
		}
	}
	for _, id := range v.phase.DependsOn {
		if !has(f.Values, id) {
			hits = append(hits, hit{f.Line, fmt.Sprintf("the task's phase %s depends on %s, this does not", v.phase.ID, id)})
		}
	}
	return hits
}

// phasePaths: what leads elsewhere is nothing that a phase changes.
func phasePaths(v view) []hit { return refusedPaths(v, true) }

func refusedPaths(v view, outside bool) []hit {
	var hits []hit
	for _, r := range v.plan().Refused {
		if r.Outside == outside {
			hits = append(hits, hit{r.Line, fmt.Sprintf("%q is no path that counts: %s", r.Text, r.Why)})
		}
	}
	return hits
}

// phaseFiles: without paths nothing can be compared in the phase's review (SP-13).
func phaseFiles(v view) []hit {
	if v.phase.Kind != Execution && v.phase.Kind != Fix {
		return nil
	}
	hits := refusedPaths(v, false)
	if f := v.plan(); len(f.Creates)+len(f.Modifies)+len(f.Touches) > 0 || len(hits) > 0 {
		return hits
	}
	return []hit{{1, `it names no files: "creates" and "modifies" in the front matter, or Files of its tasks`}}
}

func phaseCovers(v view) []hit {
	f, ok := v.text.Front.Field("covers")
	if !ok || len(v.asked) == 0 {
		return nil
	}
	var hits []hit
	for _, what := range f.Values {
		id, text := requirementID(what)
		if id == "" {
			id = text
		}
		said := claim{id: id, what: strings.Join(words(text), " ")}
		if len(v.index.means(said)) == 0 && len(placeholders(what)) == 0 {
			hits = append(hits, hit{f.Line, fmt.Sprintf("the spec does not ask for %q", what)})
		}
	}
	return hits
}

func hasTasks(v view) bool { return len(v.plan().Tasks) > 0 }

var doneNames = []string{"Done when", "Done", "Acceptance", "Exit criteria"}

// tasksSayDone: each task says itself when it is done.
func tasksSayDone(v view) bool {
	all := v.plan().Tasks
	return len(all) > 0 && !slices.ContainsFunc(all, func(p PlannedTask) bool {
		_, ok := labelled(p.labels, doneNames...)
		return !ok
	})
}

// phaseTasks wants of tasks that have labels at all that they have all of them
// (SP-15).
func phaseTasks(v view) []hit {
	var hits []hit
	for _, p := range v.plan().Tasks {
		if p.items || len(p.labels) == 0 {
			continue
		}
		var missing []string
		for _, want := range [][]string{append([]string{"Files"}, taskFileNames...), {"Action", "Actions", "What"}, {"Verify", "Verification"}, doneNames} {
			if l, ok := labelled(p.labels, want...); !ok || l.value == "" {
				missing = append(missing, want[0])
			}
		}
		if len(missing) > 0 {
			hits = append(hits, hit{p.Line, fmt.Sprintf("%q has no %s", p.Title, strings.Join(missing, ", no "))})
		}
	}
	return hits
}

// workerNames are the sections that a worker looks for in the plan of its phase, each
// with what others call it (BC-23).
var workerNames = [][]string{
	{"Role", "Agent", "Worker"},
	{"References", "Reference Files", "Context"},
	{"Constraints", "Restrictions"},
	{"Artifacts", "Deliverables", "Outputs"},
}

// phaseWorker: a sub-agent is shown where the plan of its phase is.
func phaseWorker(v view) []hit {
	var missing []string
	for _, names := range workerNames {
		if s, ok := v.text.Find(names...); !ok || !v.text.Filled(s) {
			missing = append(missing, names[0])
		}
	}
	if len(missing) == 0 {
		return nil
	}
	return []hit{{1, "it says nothing under " + strings.Join(missing, ", ")}}
}
