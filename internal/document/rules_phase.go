package document

import "slices"

func phaseNamed(v view, say say) {
	f, _ := v.text.Front.Field("phase")
	id, _ := planOf(v.name)
	name := v.text.Front.Value("phase")
	if name != "" && len(Placeholders(name)) == 0 && !SamePhase(name, id) {
		say(f.Line, "it names phase %s, and is the plan of %s", name, id)
	}
}

func phaseDepends(v view, say say) {
	f, ok := v.text.Front.Field("depends_on")
	if !ok || v.phase.ID == "" {
		return
	}
	among := func(ids []string, id string) bool {
		return slices.ContainsFunc(ids, func(other string) bool { return SamePhase(other, id) })
	}
	for _, id := range f.Values {
		p, known := findPhase(v.Phases, id)
		switch {
		case len(Placeholders(id)) > 0:
		case !known:
			say(f.Line, "it depends on %q, which is no phase", id)
		case !among(v.phase.DependsOn, p.ID) && p.ID != v.phase.Of:
			say(f.Line, "it depends on %s, the task's phase %s does not", p.ID, v.phase.ID)
		}
	}
	for _, id := range v.phase.DependsOn {
		if !among(f.Values, id) {
			say(f.Line, "the task's phase %s depends on %s, this does not", v.phase.ID, id)
		}
	}
}

// phasePaths: what leads elsewhere is nothing that a phase changes.
func phasePaths(v view, say say) { refusedPaths(v, true, say) }

// refusedPaths tells of those outside of the work tree, or of the others, and how many.
func refusedPaths(v view, outside bool, say say) (n int) {
	for _, r := range v.plan().Refused {
		if r.Outside == outside {
			say(r.Line, "%q is no path that counts: %s", r.Text, r.Why)
			n++
		}
	}
	return n
}

// phaseFiles: without paths nothing can be compared in the phase's review (SP-13).
func phaseFiles(v view, say say) {
	f := v.plan()
	if refusedPaths(v, false, say) == 0 && len(f.Creates)+len(f.Modifies)+len(f.Touches) == 0 {
		say(1, `it names no files: "creates" and "modifies" in the front matter, or Files of its tasks`)
	}
}

func phaseCovers(v view, say say) {
	f, _ := v.text.Front.Field("covers")
	for _, what := range f.Values {
		if v.asksForNone(claimOf(what, "")) && len(Placeholders(what)) == 0 {
			say(f.Line, "the spec does not ask for %q", what)
		}
	}
}

// asksForNone: the spec asks for something, and for nothing that a claim names.
func (v view) asksForNone(what claim) bool { return len(v.asked) > 0 && len(v.index.means(what)) == 0 }

func hasTasks(v view) bool { return len(v.plan().Tasks) > 0 }

var doneNames = []string{"Done when", "Done", "Acceptance", "Exit criteria"}

// tasksSayDone: each task says itself when it is done.
func tasksSayDone(v view) bool {
	return hasTasks(v) && !slices.ContainsFunc(v.plan().Tasks, func(p PlannedTask) bool {
		_, ok := p.label(doneNames...)
		return !ok
	})
}

// phaseTasks wants of tasks that have labels at all that they have all of them
// (SP-15).
func phaseTasks(v view, say say) {
	for _, p := range v.plan().Tasks {
		if len(p.labels) == 0 {
			continue
		}
		missing := p.lacks(taskFileNames, []string{"Action", "Actions", "What"}, []string{"Verify", "Verification"},
			doneNames)
		if missing != "" {
			say(p.Line, "%q has no %s", p.Title, missing)
		}
	}
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
func phaseWorker(v view, say say) {
	whole := v.text.part(Section{End: len(v.text.Blocks)})
	if missing := whole.lacks(workerNames...); missing != "" {
		say(1, "it says nothing under %s", missing)
	}
}
