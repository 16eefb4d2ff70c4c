// Package document reads the texts of a task: front matter, sections, lists,
// tables and code, each with its line, and says what is missing in them.
//
//   - Text: a document as it was written; nothing here changes a byte of one.
//   - Block: a heading, paragraph, table, piece of code, and so on. Section: a
//     heading and what stands under it, as far as the next one.
//   - Subject: the documents of a task, and its phases. Finding: what Check has
//     to say about them. Rule: a row of the table that findings come from.
//   - Requirement: something that the specification asks for, and the phases
//     that cover it.
//
// The reader is CommonMark's block structure with GitHub's tables and boxes, but for
// what stands in quotes and for HTML, which are text. The tests compare it with
// goldmark's, which would cost every hook 0.7 ms (docs/inside/decisions.md). Each byte is
// looked at a bounded number of times, whatever the text is.
//
// What a task's state depends on is not read here: the boxes of questions are
// counted by package task, under the law that an operation was made under.
package document

import (
	_ "embed"
	"strings"
)

// ruleTable is the table of rules, one a line; the names of a section are parted by
// bars, ours first. The others are what Brewcode, brainworm, Brigade and Specdacular, and
// people, call the same thing.
//
//go:embed rules.tsv
var ruleTable string

// Rule is a row of the table of what documents have to be.
type Rule struct {
	// Document it is about: one of the names, everyDocument, or Whole.
	Document string
	Name     string
	Severity Severity
	// Wants says what has to be.
	Wants string

	look func(view, say)
	// kinds are of the phases whose plans it is about; none: of all.
	kinds []PhaseKind
	// names are of the section that it wants something in.
	names []string
}

// say tells where a rule is not kept, and how.
type say func(line int, format string, args ...any)

// everyDocument: the rule is about each of them.
const everyDocument = "*"

// ID names a rule: plan.placeholder.
func (r Rule) ID() string {
	document := r.Document
	switch document {
	case PhasePlan:
		document = "phase"
	case everyDocument:
		document = "document"
	}
	return document + "." + r.Name
}

// Rules is the table. It is read when it is asked for, so that a process which
// checks nothing pays for nothing.
func Rules() []Rule {
	var all []Rule
	looks := looks()
	for line := range strings.Lines(ruleTable) {
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if strings.HasPrefix(f[0], "#") {
			continue
		}
		r := Rule{Document: f[0], Name: f[1], Severity: Severity(f[2]), Wants: f[4]}
		if names, ok := strings.CutPrefix(f[4], "section "); ok {
			r.names = strings.Split(names, "|")
			r.Wants, r.look = `there is a section "`+r.names[0]+`", with something in it`, r.section
		} else if r.look = looks[r.ID()]; r.look == nil {
			r.look = looks[r.Name]
		}
		if f[3] != "" {
			for kind := range strings.SplitSeq(f[3], ",") {
				r.kinds = append(r.kinds, PhaseKind(kind))
			}
			r.Wants += " (" + strings.NewReplacer(",", ", ", "_", " ").Replace(f[3]) + ")"
		}
		all = append(all, r)
	}
	return all
}

// sectionNames are the names of the section that a rule wants something in.
func sectionNames(document, rule string) []string {
	_, row, _ := strings.Cut(ruleTable, "\n"+document+"\t"+rule+"\t")
	row, _, _ = strings.Cut(row, "\n")
	_, names, _ := strings.Cut(row, "\tsection ")
	return strings.Split(names, "|")
}

// looks are the functions of rules that want more than a section, by their names, or by
// their ids where documents differ.
func looks() map[string]func(view, say) {
	return map[string]func(view, say){
		"placeholder": placeholderLeft, "size": tooLarge, "front-matter": frontMatter,
		"scope-in": scopeIn, "scope-out": scopeOut,
		"context.questions": openQuestions, "questions-late": openQuestions, "boxes": boxesElsewhere,
		"phases": roadmapHasPhases, "phase-goal": eachPhase("no goal", "Goal", "Objective", "Purpose"),
		"phase-criteria": eachPhase("nothing says when it is done", criteriaNames...),
		"twice":          twice, "matches": matches, "titles": titles, "cycle": waitsForItself, "depends": dependsOnNone,
		"choices": choices, "registry": planRegistry, "agents": registryAgents, "count": phaseCount,
		"verification": verifications, "final-review": finalReview, "trace": traceNamesReal,
		"phase": phaseNamed, "phase.depends": phaseDepends, "paths": phasePaths, "files": phaseFiles,
		"covers": phaseCovers, "task": phaseTasks, "worker": phaseWorker, "entries": changelogEntries,
		"task.requirements": uncovered, "coverage": untraced, "documents": stageDocuments, "phase-plan": plansDue,
	}
}

// excused reports what stands for what a rule wants.
func (v view) excused(r Rule) bool {
	switch r.ID() {
	case "context.questions":
		return !v.mayDiscuss()
	case "context.questions-late":
		return v.mayDiscuss()
	case "plan.technology":
		return v.Decided
	case "phase.objective":
		return v.phase.Kind == "" // the task does not have the phase
	case "phase.tasks":
		return hasTasks(v)
	case "phase.exit":
		return tasksSayDone(v)
	}
	return false
}

// section looks for a section by any of its names, with something in it.
func (r Rule) section(v view, say say) {
	s, ok := v.text.Find(r.names...)
	switch {
	case !ok:
		say(1, "there is no section %q", r.names[0])
	case !v.text.Filled(s):
		say(s.Line, "the section %q is empty", s.Title)
	}
}
