package document

import (
	"cmp"
	"slices"
	"strings"
)

func placeholderLeft(v view, say say) {
	for _, f := range v.text.Front.Fields {
		for _, name := range Placeholders(cmp.Or(f.Raw, strings.Join(f.Values, " "))) {
			say(f.Line, "%s is not filled in", name)
		}
	}
	for _, b := range v.text.Blocks {
		if b.Kind == Code || b.Kind == Comment {
			continue
		}
		// Code may go over the end of a line, but not of a block.
		for i, line := range strings.Split(plain(strings.Join(b.Lines, "\n")), "\n") {
			for _, name := range Placeholders(line) {
				say(b.Line+i, "%s is not filled in", name)
			}
		}
	}
}

func tooLarge(v view, say say) {
	more, most, what := v.morePlanned[v.kind], maxPlanned, "phases"
	if v.kind == Spec {
		more, most, what = v.moreAsked, maxRequirements, "requirements"
	}
	if more > 0 {
		say(1, "of its %d %s, the first %d are looked at; split it", most+more, what, most)
	}
}

// knownFields are the fields of front matter that are read.
var knownFields = []string{"task", "phase", "depends_on", "creates", "modifies", "covers"}

func frontMatter(v view, say say) {
	if v.text.Front.Open {
		say(1, "its front matter does not end, so it is none; put --- behind it")
	}
	for _, line := range v.text.Front.Odd {
		say(line, `no field of front matter stands here; one is "name: value", with nothing in front of it`)
	}
	for _, f := range v.text.Front.Fields {
		// What waits to be filled in is found by another rule.
		if f.Unread != nil && slices.Contains(knownFields, f.Key) && len(Placeholders(f.Raw)) == 0 {
			say(f.Line, "%q can't be read: %v", f.Key, f.Unread)
		}
	}
	if _, ok := planOf(v.name); !ok {
		return // a specification may be called after anything
	}
	f, ok := v.text.Front.Field("task")
	if name := v.text.Front.Value("task"); ok && name != "" && len(Placeholders(name)) == 0 && !v.isTask(name) {
		say(f.Line, "it names the task %q, this is %s", name, strings.Join(v.Names[:min(1, len(v.Names))], ""))
	}
}

func (c *checker) isTask(name string) bool {
	same := func(s string) bool { return sameName(s, name) }
	return same(c.Task) || slices.ContainsFunc(c.Names, same)
}

func scopeIn(v view, say say) {
	if s, ok := v.text.Find("Scope"); ok && v.text.Filled(s) && len(scope(v.text, inNames)) == 0 {
		say(s.Line, `the scope does not list what is in: a section "In", a column "In", or a list behind "In:"`)
	}
}

func scopeOut(v view, say say) {
	s, ok := v.text.Find("Scope")
	if !ok || !v.text.Filled(s) || len(scope(v.text, outNames)) > 0 {
		return
	}
	if sub, has := v.text.In(s, outNames...); !has || !v.text.Filled(sub) {
		say(s.Line, "the scope does not say what is out")
	}
}

// mayDiscuss: questions are open while the task is discussed, or passed over on record.
func (v view) mayDiscuss() bool { return v.Stage == stageClarify || v.Undiscussed }

func openQuestions(v view, say say) {
	for _, q := range v.Questions {
		say(q.Line, "open: %s", q.Text)
	}
}

// boxesElsewhere tells of open boxes that are no questions, where there is no
// section for those: what looks like a question, and is none.
func boxesElsewhere(v view, say say) {
	if _, ok := v.text.Find("Open Questions", "Gray Areas Remaining"); ok {
		return
	}
	for _, b := range v.text.Blocks {
		if b.Box == ' ' {
			say(b.Line, "a box is open here, and counted as nothing: "+
				`questions stand under the heading "Open Questions"`)
			return
		}
	}
}

var (
	choiceColumns = []string{"Choice", "Technology", "Area", "Decision"}
	reasonNames   = []string{"Rationale", "Why", "Reason", "Reasoning"}
	rejectedNames = []string{
		"Alternatives", "Alternatives Rejected", "Rejected Alternatives", "Rejected", "Alternatives Considered",
	}
)

// choices looks at the technology choices: a table, or a section for each (BC-16).
func choices(v view, say say) {
	s, ok := v.text.Find(sectionNames(Plan, "technology")...)
	if !ok || !v.text.Filled(s) {
		return
	}
	rows := v.text.rows(s, choiceColumns, reasonNames, rejectedNames)
	for _, row := range rows {
		eachChoice(bare(cmp.Or(row.cell(0), row.cells[0])), row.cell(1), row.cell(2), row.line, say)
	}
	if len(rows) > 0 {
		return
	}
	each := v.text.Below(s)
	if len(each) == 0 && !isNothing(v.text.Lead(s)) {
		each = []Section{s}
	}
	for _, choice := range each {
		part := v.text.part(choice)
		why, _ := part.label(reasonNames...)
		rejected, _ := part.label(rejectedNames...)
		eachChoice(choice.Title, why.value(), rejected.value(), choice.Line, say)
	}
}

func eachChoice(choice, why, rejected string, line int, say say) {
	if choice == "" && why == "" && rejected == "" {
		return
	}
	if strings.Trim(why, " -–—") == "" {
		say(line, "%s: there is no rationale", choice)
	}
	if strings.Trim(rejected, " -–—") == "" {
		say(line, "%s: no rejected alternatives", choice)
	}
}

// changelogEntries wants What, Why and Files of each entry (SP-15).
func changelogEntries(v view, say say) {
	for _, s := range v.text.Sections {
		if s.Level < 2 || len(v.text.Below(s)) > 0 {
			continue
		}
		part := v.text.part(s)
		if len(part.labels) == 0 {
			continue // it is no entry of that form
		}
		var missing []string
		for _, name := range []string{"What", "Why", "Files"} {
			if _, ok := part.label(name); !ok {
				missing = append(missing, name)
			}
		}
		if len(missing) > 0 {
			say(s.Line, "%q does not say %s", s.Title, strings.Join(missing, ", "))
		}
	}
}

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
