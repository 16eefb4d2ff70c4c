package document

import (
	"fmt"
	"strings"
)

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
	// unless says that something else stands for what it wants.
	unless func(view) bool
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

// Rules is the table. It is made when it is asked for, so that a process which
// checks nothing pays for nothing.
func Rules() []Rule {
	return []Rule{
		rule(everyDocument, "placeholder", Error, "nothing in it waits to be filled in: no {NAME} outside code",
			placeholderLeft),
		rule(everyDocument, "size", Error, fmt.Sprintf("all of it is looked at: it has at most %d headings, %d phases, "+
			"%d requirements", maxSections, maxPlanned, maxRequirements), tooLarge),
		rule(everyDocument, "front-matter", Error, "its front matter can be read, and names this task", frontMatter),

		section(Spec, "goal", Error, goalNames...),
		section(Spec, "scope", Error, append([]string{"Scope", "In Scope", "Requirements"}, inNames[1:]...)...),
		rule(Spec, "scope-in", Error, "the scope says what is in", scopeIn),
		rule(Spec, "scope-out", Warning, "the scope says what is out", scopeOut),
		section(Spec, "requirements", Error, requirementNames...),
		section(Spec, "questions", Error, questionNames...),
		section(Spec, "analysis", Warning, analysisNames...),
		section(Spec, "context-files", Warning, filesNames...),
		section(Spec, "risks", Warning, riskNames...),
		section(Spec, "decisions", Warning, decisionNames...),
		section(Spec, "research", Warning, researchNames...),

		rule(Context, "questions", Warning, "no question is open", openQuestions).or(notDiscussed),
		rule(Context, "boxes", Warning, `where a box is open, there is a section "Open Questions"`, boxesElsewhere),
		rule(Context, "questions-late", Error, "no question is open once the stage is past discussion, "+
			"but where that was skipped", openQuestions).or(mayDiscuss),

		section(Research, "findings", Warning, findingNames...),
		section(Research, "sources", Warning, sourceNames...),

		rule(Roadmap, "phases", Error, `it has a section "Phase 1: Title" for each phase, or a table of them`,
			roadmapHasPhases),
		rule(Roadmap, "phase-goal", Error, "each phase has a goal", roadmapGoals),
		rule(Roadmap, "phase-criteria", Warning, "each phase says when it is done", roadmapCriteria),
		rule(Roadmap, "twice", Error, "each of its phases is there once", twice),
		rule(Roadmap, "matches", Error, "its phases are the task's, and the task's are in it", matches),
		rule(Roadmap, "titles", Warning, "its phases are called as in the task", titles),
		rule(Roadmap, "cycle", Error, "no phase waits for itself", waitsForItself),
		rule(Roadmap, "depends", Error, "phases depend on phases that there are", dependsOnNone),

		section(Plan, "completion", Error, completionNames...),
		section(Plan, "technology", Warning, choiceNames...).or(func(v view) bool { return v.Decided }),
		rule(Plan, "choices", Error, "each technology choice has its rationale, and the alternatives that were rejected",
			choices),
		section(Plan, "roles", Warning, roleNames...),
		rule(Plan, "registry", Error, "it has a table of phases, where the task has none yet", planRegistry),
		rule(Plan, "twice", Error, "each phase of its table is there once", twice),
		rule(Plan, "matches", Error, "the phases of its table are the task's, and the task's are in it", matches),
		rule(Plan, "titles", Warning, "the phases of its table are called as in the task", titles),
		rule(Plan, "agents", Warning, "each phase of its table has an agent", registryAgents),
		rule(Plan, "depends", Error, "phases depend on phases that there are", dependsOnNone),
		rule(Plan, "cycle", Error, "no phase waits for itself", waitsForItself),
		rule(Plan, "count", Warning, fmt.Sprintf("there are %d to %d phases, without verifications and the final review",
			fewestPhases, mostPhases), phaseCount),
		rule(Plan, "verification", Error, "each phase has a verification phase", verifications),
		rule(Plan, "final-review", Warning, "there is a final review", finalReview),
		rule(Plan, "trace", Error, "its traceability table names requirements and phases that there are", traceNamesReal),

		rule(PhasePlan, "phase", Error, "its front matter names the phase whose plan it is", phaseNamed),
		rule(PhasePlan, "depends", Error, "what it depends on is what the task says", phaseDepends),
		rule(PhasePlan, "paths", Error, "the files that it names are in the work tree", phasePaths),
		rule(PhasePlan, "files", Warning, "it says which files it creates and modifies", phaseFiles).of(Execution, Fix),
		rule(PhasePlan, "covers", Error, "what it covers is asked for by the spec", phaseCovers),
		section(PhasePlan, "objective", Error, objectiveNames...).or(ofNoPhase),
		section(PhasePlan, "tasks", Error, append(taskNames, "Task 1")...).of(Execution, Fix, Added).or(hasTasks),
		section(PhasePlan, "exit", Error, exitNames...).of(Execution, Fix).or(tasksSayDone),
		rule(PhasePlan, "task", Warning, "each task has Files, Action, Verify and Done when", phaseTasks),
		section(PhasePlan, "context-files", Warning, filesNames...).of(Execution),
		rule(PhasePlan, "worker", Warning, `who works on it finds "Role", "References", "Constraints" and "Artifacts"`,
			phaseWorker).of(Execution),
		section(PhasePlan, "review", Warning, reviewNames...).of(Verification, FinalReview),
		section(PhasePlan, "checklist", Error, checkNames...).of(Verification, FinalReview),
		section(PhasePlan, "verdict", Warning, verdictNames...).of(Verification, FinalReview),
		section(PhasePlan, "evidence", Warning, evidenceNames...).of(Fix),

		rule(Changelog, "entries", Warning, "each entry says what, why and which files", changelogEntries),

		rule(Whole, "requirements", Error, "each requirement of the spec is covered by a phase, once it is said of any",
			uncovered),
		rule(Whole, "coverage", Warning, "it is said which phases cover what the spec asks for", untraced),
		rule(Whole, "documents", Warning, "the documents that its stage builds on are there", stageDocuments),
		rule(Whole, "phase-plan", Warning, "a phase has its plan when its turn comes", plansDue),
		rule(Whole, "cycle", Error, "no phase waits for itself", waitsForItself),
	}
}

func rule(document, name string, severity Severity, wants string, look func(view, say)) Rule {
	return Rule{Document: document, Name: name, Severity: severity, Wants: wants, look: look}
}

// section is the rule that a document has a section, by any of these names, with
// something in it.
func section(document, name string, severity Severity, names ...string) Rule {
	wants := fmt.Sprintf("there is a section %q, with something in it", names[0])
	return Rule{Document: document, Name: name, Severity: severity, Wants: wants, look: func(v view, say say) {
		s, ok := v.text.Find(names...)
		switch {
		case !ok:
			say(1, "there is no section %q", names[0])
		case !v.text.Filled(s):
			say(s.Line, "the section %q is empty", s.Title)
		}
	}}
}

// of restricts a rule to the plans of some kinds of phases, and says so of those that
// one names.
func (r Rule) of(kinds ...PhaseKind) Rule {
	r.kinds = kinds
	var names []string
	for _, k := range kinds {
		if k != Added {
			names = append(names, strings.ReplaceAll(string(k), "_", " "))
		}
	}
	r.Wants += " (" + strings.Join(names, ", ") + ")"
	return r
}

// or lets something else stand for what a rule wants.
func (r Rule) or(stands func(view) bool) Rule {
	r.unless = stands
	return r
}
