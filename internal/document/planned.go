package document

import (
	"slices"
	"strings"
	"unicode"
)

// PlannedPhase is a phase that a document plans, with what it says about it.
type PlannedPhase struct {
	Phase
	// Word is what it says about its kind, "" for nothing.
	Word string
	// Acceptance says when it is done. Verify are the commands that check it: what
	// stands in code.
	Acceptance, Verify []string

	part // its section, of level 0 where it stands in a table
}

// maxPlanned bounds how many phases are read from a document: a task has no more.
const maxPlanned = 1000

// The names of a plan's table of phases, of its columns, and of what a phase's section
// says.
var (
	registryNames = []string{"Phase Registry", "Registry", "Phases", "Phase overview"}
	stepsNames    = []string{
		"Implementation Steps", "Steps", "Implementation Plan", "Implementation", "Changes", "Plan", "Approach",
	}

	idColumns     = []string{"#", "ID", "No", "Nr", "Phase"}
	titleColumns  = []string{"Subject", "Title", "Name", "Goal", "Summary", "Phase"}
	agentNames    = []string{"Agent", "Agents", "Worker"}
	dependColumns = []string{"Blocked By", "Depends On", "Dependencies", "Needs", "After"}

	kindNames     = []string{"Kind", "Type"}
	dependNames   = []string{"Depends on", "Dependencies", "Blocked by", "Needs"}
	criteriaNames = []string{
		"Success Criteria", "Criteria", "Exit Criteria", "Acceptance", "Acceptance Criteria", "Done when",
	}
	verifyNames = []string{"Verify", "Verification", "Verified by", "Check"}
)

// readPlanned reads the phases that documents plan, and takes the task's phases, else
// those of its plan or its roadmap.
func (c *checker) readPlanned() {
	c.plannedIn, c.morePlanned = map[string][]PlannedPhase{}, map[string]int{}
	c.phases, c.source = c.Phases, Whole
	for _, name := range []string{Plan, Roadmap} {
		all := plannedIn(name, c.docs[name])
		n := min(len(all), maxPlanned)
		c.plannedIn[name], c.morePlanned[name] = all[:n], len(all)-n
		if len(c.phases) == 0 {
			c.phases, c.source = onceBy(phasesOf(all[:n]), func(p Phase) string { return phaseID(p.ID) }), name
		}
	}
	if len(c.phases) == 0 {
		c.source = ""
	}
}

func phasesOf(all []PlannedPhase) []Phase {
	phases := make([]Phase, len(all))
	for i, p := range all {
		phases[i] = p.Phase
	}
	return phases
}

// PlannedPhases reads the phases that the roadmap or the plan plans. Ids are in one
// spelling: 01 is 1. It never fails.
func PlannedPhases(name string, raw []byte) []PlannedPhase {
	all := plannedIn(name, Read(raw))
	for i := range all {
		p := &all[i]
		p.ID, p.Of = shownID(p.ID), shownID(p.Of)
		for i, d := range p.DependsOn {
			if !strings.Contains(d, " ") { // what is no id is told as it is written
				p.DependsOn[i] = shownID(d)
			}
		}
	}
	return all
}

// plannedIn reads the phases of a document: those of its table (BC-22), else of its
// sections "Phase 1: Title", else of other headings that number what is done, as a plan
// from a client's plan mode has them. In a roadmap the sections "Phase 1" go first.
func plannedIn(name string, t Text) []PlannedPhase {
	if name == Roadmap {
		if all := headed(t, t.Sections, "phase"); len(all) > 0 {
			return all
		}
	}
	if all := registry(t); len(all) > 0 {
		return all
	}
	for _, word := range []string{"phase", "step", "task"} {
		if all := headed(t, t.Sections, word); len(all) > 0 {
			return all
		}
	}
	if s, ok := t.Find(stepsNames...); ok {
		return headed(t, t.Below(s), "")
	}
	return nil
}

// registry reads the table of phases.
func registry(t Text) []PlannedPhase {
	s, ok := t.Find(registryNames...)
	if !ok {
		return nil
	}
	var all []PlannedPhase
	var ids []string
	table := 0 // the line of the first one that has phases
	for _, row := range t.rows(s, idColumns, titleColumns, agentNames, dependColumns) {
		id := bare(row.cell(0))
		if id == "" || table > 0 && row.table != table {
			continue
		}
		p := Phase{ID: id, Title: bare(row.cell(1)), Agents: agents(row.cell(2)), Line: row.line}
		p.Kind, p.Of = kindOfID(id)
		p.DependsOn = dependencies(row.cell(3), ids)
		all, ids, table = append(all, PlannedPhase{Phase: p}), append(ids, id), row.table
	}
	return all
}

// headed reads the sections whose headings have a word and a number in front.
func headed(t Text, sections []Section, word string) []PlannedPhase {
	var all []PlannedPhase
	var ids []string
	for _, s := range sections {
		id, title, ok := phaseTitle(s.Title, word)
		if !ok {
			continue
		}
		p := PlannedPhase{Phase: Phase{ID: id, Title: title, Line: s.Line}, part: t.part(s)}
		p.Kind, p.Of = kindOfID(id)
		p.read(ids)
		all, ids = append(all, p), append(ids, id)
	}
	return all
}

// read takes what a phase's section says about it; before are the ids above.
func (p *PlannedPhase) read(before []string) {
	for _, said := range p.under(dependNames...) {
		p.DependsOn = append(p.DependsOn, dependencies(said.text, before)...)
	}
	if l, ok := p.label(kindNames...); ok {
		p.Word = bare(l.value())
	}
	if l, ok := p.label(agentNames...); ok {
		p.Agents = agents(l.value())
	}
	for _, said := range p.under(criteriaNames...) {
		if !isNothing(said.text) {
			p.Acceptance = append(p.Acceptance, said.text)
		}
	}
	for _, said := range p.under(verifyNames...) {
		for command, rest, ok := codeIn(said.text); ok; command, rest, ok = codeIn(rest) {
			if command != "" && !slices.Contains(p.Verify, command) {
				p.Verify = append(p.Verify, command)
			}
		}
	}
}

// phaseTitle parts "Phase 1: Title", with the word in front that is asked for; without
// one, "1. Title".
func phaseTitle(heading, word string) (id, title string, ok bool) {
	n := len(word)
	if len(heading) < n+1 || !strings.EqualFold(heading[:n], word) || n > 0 && strings.IndexByte(" -_", heading[n]) < 0 {
		return "", "", false
	}
	rest := strings.TrimLeft(heading[n:], " -_#")
	isOfID := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '.' || r == '_' }
	id = strings.TrimRight(rest[:len(rest)-len(strings.TrimLeftFunc(rest, isOfID))], ".")
	numbered := isDigits(id) && strings.IndexAny(rest[len(id):], ".):") == 0
	if id == "" || !strings.ContainsAny(id, digits) && !strings.EqualFold(id, "FR") || word == "" && !numbered {
		return "", "", false
	}
	return id, bare(strings.TrimLeft(rest[len(id):], " .:–—-)")), true
}

func shownID(s string) string { return strings.ToUpper(phaseID(s)) }

// SamePhase reports whether two ids mean one phase.
func SamePhase(a, b string) bool { return phaseID(a) == phaseID(b) }
