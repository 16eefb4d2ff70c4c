package document

import (
	"slices"
	"strings"
)

// The stages that rules ask for.
const (
	stageClarify  = "clarify"
	stageResearch = "research"
	stagePlan     = "plan"
	stageExecute  = "execute"
)

// uncovered are requirements without a phase, where documents say of any which phase
// covers it: a spec and a roadmap that know of no such thing lack nothing.
func uncovered(v view, say say) {
	if !v.traced() {
		return
	}
	for _, r := range v.asked {
		if len(r.Phases) == 0 {
			say(0, "no phase covers %s, line %d of the spec: %s", r.ID, r.Line, r.Text)
		}
	}
}

// traced: a document says which phase covers what, or has the table for it. While
// nothing is planned, nothing can be covered.
func (c *checker) traced() bool {
	covered := func(r Requirement) bool { return len(r.Phases) > 0 }
	return len(c.phases) > 0 && (len(traceRows(c.docs[Plan])) > 0 || slices.ContainsFunc(c.asked, covered))
}

// untraced tells how to say which phase covers what.
func untraced(v view, say say) {
	if len(v.phases) > 0 && len(v.asked) > 0 && !v.traced() {
		say(0, "nothing says which phase covers what the spec asks for: "+
			`"Covers: R1" in a phase's section, or a table "Traceability" in the plan`)
	}
}

// stageDocuments are what a stage builds on (SP-16).
func stageDocuments(v view, say say) {
	has := func(name string) bool { _, ok := v.docs[name]; return ok }
	want := func(ok bool, what string) {
		if !ok {
			say(0, "the stage is %s, and there is no %s", v.Stage, what)
		}
	}
	switch v.Stage {
	case stageResearch, stagePlan:
		want(has(Spec) || has(Context), "spec and no context")
	case stageExecute:
		want(has(Plan) || has(Roadmap) || len(v.Phases) > 0, "plan, no roadmap and no phase")
	}
}

func plansDue(v view, say say) {
	var missing []string
	for _, p := range v.Phases {
		if _, ok := v.docs[PlanName(p.ID)]; p.Due && !ok && (p.Kind == Execution || p.Kind == Fix) {
			missing = append(missing, p.ID)
		}
	}
	if len(missing) > 0 {
		say(0, "no plan of its own: phase %s; git brew doc template %s",
			strings.Join(missing, ", "), PlanName(missing[0]))
	}
}
