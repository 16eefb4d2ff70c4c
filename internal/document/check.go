package document

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
)

// Severity is how much a finding matters.
type Severity string

// The severities: an error is something that a later step needs and lacks.
const (
	Error   Severity = "error"
	Warning Severity = "warning"
)

// The documents that rules are about; a phase's own plan is named phases/<id>/plan.
const (
	Spec      = "spec"
	Context   = "context"
	Research  = "research"
	Roadmap   = "roadmap"
	Plan      = "plan"
	PhasePlan = "phases/<id>/plan"
	Changelog = "changelog"
	// Whole stands for what is about no document alone.
	Whole = "task"
)

// Subject is what is checked: a task's documents and its phases.
type Subject struct {
	Task  string // its id, or slug: what front matter may name it by
	Names []string
	Stage string
	// Phases are the task's; Texts its documents by the names that people type.
	Phases []Phase
	Texts  map[string][]byte
	// Questions are the open ones, as the task counts them.
	Questions []Question
	// Undiscussed: it is on record that the discussion was passed over with them.
	Undiscussed bool
	// Decided: the task has decisions with reasons and what was rejected.
	Decided bool
}

// Question is an open question of the context.
type Question struct {
	Line int
	Text string
}

// Phase is a phase, of the task or of a document that plans some.
type Phase struct {
	ID, Title string
	Kind      PhaseKind
	Of        string // the phase that it belongs to
	DependsOn []string
	Agents    []string
	// Due: its turn has come, or came: it is ready, or was started.
	Due  bool
	Line int // in the document that plans it
}

// PhaseKind is why a phase exists, in the words of tasks.
type PhaseKind string

// The kinds of phases that rules ask for.
const (
	Execution     PhaseKind = "execution"
	Verification  PhaseKind = "verification"
	FinalReview   PhaseKind = "final_review"
	Fix           PhaseKind = "fix"
	ResearchPhase PhaseKind = "research"
)

// comesUp reports a phase that is not planned: it comes up while a task is worked on.
func (k PhaseKind) comesUp() bool { return k != Execution && k != Verification && k != FinalReview }

// Finding is something that a document lacks, or a place in it that is to be looked at.
type Finding struct {
	Document string   `json:"document"`
	Line     int      `json:"line"` // from 1; 0 where there is no line to point to
	Severity Severity `json:"severity"`
	Rule     string   `json:"rule"`
	Text     string   `json:"text"`
}

// Result is what Check found.
type Result struct {
	Findings []Finding
	// Requirements are what the specification asks for, and which phases cover it.
	Requirements []Requirement
	// Planned is where the phases were taken from: the task, or a document that
	// plans them where the task has none; "" where there are none.
	Planned string
}

// Errors counts the findings that are errors.
func (r Result) Errors() int {
	n := 0
	for _, f := range r.Findings {
		if f.Severity == Error {
			n++
		}
	}
	return n
}

// checker is a check under way.
type checker struct {
	Subject
	docs map[string]Text
	// phases are the task's, else those that its plan or roadmap names.
	phases []Phase
	source string // see Result.Planned
	// plannedIn is what the roadmap plans, and the plan; morePlanned is how many more
	// phases they name.
	plannedIn   map[string][]PlannedPhase
	morePlanned map[string]int
	asked       []Requirement
	// index finds those of asked, moreAsked is how many more there are.
	index     requirementIndex
	moreAsked int
}

// view is one document under a rule's eyes.
type view struct {
	*checker
	name string
	kind string // the name that rules have for it
	text Text
	// phase is the one whose plan it is, plan what it says as that.
	phase Phase
	plan  func() PhaseFile
}

// Check holds the documents against the rules: all of them, or the one that is named;
// all rules, or those with some ids. Findings stand in the order of the documents and
// their lines.
func Check(s Subject, only string, ids ...string) Result {
	c := &checker{Subject: s, docs: map[string]Text{}}
	for name, raw := range s.Texts {
		c.docs[name] = Read(raw)
	}
	c.readPlanned()
	c.trace()
	r := Result{Requirements: c.asked, Planned: c.source}
	rules := slices.DeleteFunc(Rules(), func(r Rule) bool { return len(ids) > 0 && !slices.Contains(ids, r.ID()) })
	for _, v := range c.views() {
		if only != "" && only != v.name {
			continue
		}
		found := v.find(rules)
		slices.SortStableFunc(found, func(a, b Finding) int { return cmp.Compare(a.Line, b.Line) })
		r.Findings = append(r.Findings, found...)
	}
	return r
}

// views are the documents under the rules' eyes, in the order in which they come up in a
// task, the whole task last.
func (c *checker) views() []view {
	names := []string{Spec, Context, Research, Roadmap, Plan}
	for _, p := range c.Phases {
		names = append(names, PlanName(p.ID))
	}
	names = append(append(names, slices.Sorted(maps.Keys(c.docs))...), Whole)
	var all []view
	for _, name := range once(names) {
		text, ok := c.docs[name]
		if !ok && name != Whole {
			continue
		}
		v := view{checker: c, name: name, text: text, kind: name}
		if id, ok := planOf(name); ok {
			v.kind = PhasePlan
			v.phase, _ = findPhase(v.Phases, id)
			v.plan = sync.OnceValue(func() PhaseFile { return phaseFile(v.text) })
		}
		all = append(all, v)
	}
	return all
}

// find returns what some rules find; a rule about something else finds nothing.
func (v view) find(rules []Rule) []Finding {
	var found []Finding
	for _, rule := range rules {
		every := rule.Document == everyDocument && v.kind != Whole && v.kind != Final
		ofKind := rule.kinds == nil || slices.Contains(rule.kinds, v.phase.Kind)
		if rule.Document != v.kind && !every || !ofKind || v.excused(rule) {
			continue
		}
		rule.look(v, func(line int, format string, args ...any) {
			found = append(found, Finding{v.name, line, rule.Severity, rule.ID(), fmt.Sprintf(format, args...)})
		})
	}
	return found
}

// planned are the phases that the document plans; of the whole task, its phases.
func (v view) planned() []Phase {
	if v.kind == Whole {
		return v.Phases
	}
	return phasesOf(v.plannedIn[v.kind])
}

// Final is written by git brew itself, and is not checked.
const Final = "final"

// planOf is the phase whose plan a document is.
func planOf(name string) (id string, ok bool) {
	id, ok = strings.CutPrefix(name, "phases/")
	if !ok {
		return "", false
	}
	return strings.CutSuffix(id, "/plan")
}

// PlanName names the plan of a phase.
func PlanName(id string) string { return "phases/" + id + "/plan" }

// findPhase finds a phase by an id that a document spells.
func findPhase(all []Phase, id string) (Phase, bool) {
	for _, p := range all {
		if strings.EqualFold(p.ID, strings.TrimSpace(id)) {
			return p, true
		}
	}
	id = phaseID(id)
	for _, p := range all {
		if phaseID(p.ID) == id {
			return p, true
		}
	}
	return Phase{}, false
}

// phaseID is a phase's id in one spelling: "Phase 01", "phase-1" and "1" are one,
// and so are 1F2 and 1.2, 1F2V and 1.2V.
func phaseID(s string) string {
	s = strings.ToLower(strings.Trim(s, " \t*_`#"))
	if rest, ok := strings.CutPrefix(s, "phase"); ok {
		s = strings.TrimLeft(rest, " \t-_#")
	}
	for len(s) > 1 && s[0] == '0' && s[1] >= '0' && s[1] <= '9' {
		s = s[1:]
	}
	if at := strings.LastIndexByte(s, 'f'); at > 0 && isDigits(s[:at]) && isDigits(strings.TrimSuffix(s[at+1:], "v")) {
		s = s[:at] + "." + s[at+1:]
	}
	return s
}

func isDigits(s string) bool { return s != "" && strings.Trim(s, digits) == "" }

// kindOfID is what an id tells about a phase that a document plans.
func kindOfID(id string) (kind PhaseKind, of string) {
	id = strings.ToUpper(phaseID(id))
	switch {
	case id == "FR":
		return FinalReview, ""
	case strings.HasSuffix(id, "V") && len(id) > 1:
		return Verification, id[:len(id)-1]
	case strings.HasSuffix(id, "R") && len(id) > 1 && isDigits(id[:len(id)-1]):
		return ResearchPhase, id[:len(id)-1]
	}
	if whole, part, ok := strings.Cut(id, "."); ok && isDigits(whole) && part != "" {
		return Fix, whole
	}
	return Execution, ""
}
