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

	look func(view) []hit
}

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
		{everyDocument, "placeholder", Error, "nothing in it waits to be filled in: no {NAME} outside code", placeholderLeft},
		{everyDocument, "size", Error, fmt.Sprintf("all of it is looked at: it has at most %d headings, %d phases, %d requirements", maxSections, maxPlanned, maxRequirements), tooLarge},
		{everyDocument, "front-matter", Error, "its front matter can be read, and names this task", frontMatter},

		section(Spec, "goal", Error, goalNames...),
		section(Spec, "scope", Error, append([]string{"Scope", "In Scope", "Requirements"}, inNames[1:]...)...),
		{Spec, "scope-in", Error, "the scope says what is in", scopeIn},
		{Spec, "scope-out", Warning, "the scope says what is out", scopeOut},
		section(Spec, "requirements", Error, requirementNames...),
		section(Spec, "questions", Error, questionNames...),
		section(Spec, "analysis", Warning, analysisNames...),
		section(Spec, "context-files", Warning, filesNames...),
		section(Spec, "risks", Warning, riskNames...),
		section(Spec, "decisions", Warning, decisionNames...),
		section(Spec, "research", Warning, researchNames...),

		{Context, "questions", Warning, "no question is open", questionsOpen},
		{Context, "boxes", Warning, `where a box is open, there is a section "Open Questions"`, boxesElsewhere},
		{Context, "questions-late", Error, "no question is open once the stage is past discussion, but where that was skipped", questionsLate},

		section(Research, "findings", Warning, findingNames...),
		section(Research, "sources", Warning, sourceNames...),

		{Roadmap, "phases", Error, `it has a section "Phase 1: Title" for each phase, or a table of them`, roadmapHasPhases},
		{Roadmap, "phase-goal", Error, "each phase has a goal", roadmapGoals},
		{Roadmap, "phase-criteria", Warning, "each phase says when it is done", roadmapCriteria},
		{Roadmap, "twice", Error, "each of its phases is there once", roadmapTwice},
		{Roadmap, "matches", Error, "its phases are the task's, and the task's are in it", roadmapMatches},
		{Roadmap, "titles", Warning, "its phases are called as in the task", roadmapTitles},
		{Roadmap, "cycle", Error, "no phase waits for itself", roadmapCycle},
		{Roadmap, "depends", Error, "phases depend on phases that there are", roadmapDepends},

		section(Plan, "completion", Error, completionNames...),
		section(Plan, "technology", Warning, choiceNames...).or(func(v view) bool { return v.Decided }),
		{Plan, "choices", Error, "each technology choice has its rationale, and the alternatives that were rejected", choices},
		section(Plan, "roles", Warning, roleNames...),
		{Plan, "registry", Error, "it has a table of phases, where the task has none yet", planRegistry},
		{Plan, "twice", Error, "each phase of its table is there once", registryTwice},
		{Plan, "matches", Error, "the phases of its table are the task's, and the task's are in it", registryMatches},
		{Plan, "titles", Warning, "the phases of its table are called as in the task", registryTitles},
		{Plan, "agents", Warning, "each phase of its table has an agent", registryAgents},
		{Plan, "depends", Error, "phases depend on phases that there are", registryDepends},
		{Plan, "cycle", Error, "no phase waits for itself", registryCycle},
		{Plan, "count", Warning, fmt.Sprintf("there are %d to %d phases, without verifications and the final review", fewestPhases, mostPhases), phaseCount},
		{Plan, "verification", Error, "each phase has a verification phase", verifications},
		{Plan, "final-review", Warning, "there is a final review", finalReview},
		{Plan, "trace", Error, "its traceability table names requirements and phases that there are", traceNamesReal},

		{PhasePlan, "phase", Error, "its front matter names the phase whose plan it is", phaseNamed},
		{PhasePlan, "depends", Error, "what it depends on is what the task says", phaseDepends},
		{PhasePlan, "paths", Error, "the files that it names are in the work tree", phasePaths},
		{PhasePlan, "files", Warning, "it says which files it creates and modifies", phaseFiles},
		{PhasePlan, "covers", Error, "what it covers is asked for by the spec", phaseCovers},
		section(PhasePlan, "objective", Error, objectiveNames...).of(Execution, Fix, Added, Verification, FinalReview),
		section(PhasePlan, "tasks", Error, append(taskNames, "Task 1")...).of(Execution, Fix, Added).or(hasTasks),
		section(PhasePlan, "exit", Error, exitNames...).of(Execution, Fix).or(tasksSayDone),
		{PhasePlan, "task", Warning, "each task has Files, Action, Verify and Done when", phaseTasks},
		section(PhasePlan, "context-files", Warning, filesNames...).of(Execution),
		Rule{PhasePlan, "worker", Warning, `who works on it finds "Role", "References", "Constraints" and "Artifacts"`, phaseWorker}.of(Execution),
		section(PhasePlan, "review", Warning, reviewNames...).of(Verification, FinalReview),
		section(PhasePlan, "checklist", Error, checkNames...).of(Verification, FinalReview),
		section(PhasePlan, "verdict", Warning, verdictNames...).of(Verification, FinalReview),
		section(PhasePlan, "evidence", Warning, evidenceNames...).of(Fix),

		{Changelog, "entries", Warning, "each entry says what, why and which files", changelogEntries},

		{Whole, "requirements", Error, "each requirement of the spec is covered by a phase, once it is said of any", uncovered},
		{Whole, "coverage", Warning, "it is said which phases cover what the spec asks for", untraced},
		{Whole, "documents", Warning, "the documents that its stage builds on are there", stageDocuments},
		{Whole, "phase-plan", Warning, "a phase has its plan when its turn comes", plansDue},
		{Whole, "cycle", Error, "no phase waits for itself", taskCycle},
	}
}

// section is the rule that a document has a section, by any of these names, with
// something in it.
func section(document, name string, severity Severity, names ...string) Rule {
	return Rule{document, name, severity, fmt.Sprintf("there is a section %q, with something in it", names[0]), func(v view) []hit {
		s, ok := v.text.Find(names...)
		switch {
		case !ok:
			return []hit{{1, fmt.Sprintf("there is no section %q", names[0])}}
		case !v.text.Filled(s):
			return []hit{{s.Line, fmt.Sprintf("the section %q is empty", s.Title)}}
		}
		return nil
	}}
}

// of restricts a rule to the plans of some kinds of phases.
func (r Rule) of(kinds ...PhaseKind) Rule {
	look := r.look
	r.look = func(v view) []hit {
		for _, k := range kinds {
			if v.phase.Kind == k {
				return look(v)
			}
		}
		return nil
	}
	if len(kinds) < 5 {
		var names []string
		for _, k := range kinds {
			if k != Added {
				names = append(names, strings.ReplaceAll(string(k), "_", " "))
			}
		}
		r.Wants += " (" + strings.Join(names, ", ") + ")"
	}
	return r
}

// or lets something else stand for what a rule wants.
func (r Rule) or(stands func(view) bool) Rule {
	look := r.look
	r.look = func(v view) []hit {
		if stands(v) {
			return nil
		}
		return look(v)
	}
	return r
}
