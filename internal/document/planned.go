package document

import (
	"slices"
	"strings"
)

// PlannedPhase is a phase that a document plans, with what it says about it.
type PlannedPhase struct {
	Phase
	// Word is what it says about its kind, "" for nothing.
	Word string
	// Acceptance says when it is done. Verify are the commands that check it: what
	// stands in code.
	Acceptance, Verify []string
}

// The labels of a phase's section, beside those that rules know.
var (
	kindNames     = []string{"Kind", "Type"}
	criteriaNames = []string{"Success Criteria", "Criteria", "Exit Criteria", "Acceptance", "Acceptance Criteria", "Done when"}
	verifyNames   = []string{"Verify", "Verification", "Verified by", "Check"}
)

// PlannedPhases reads the phases that the roadmap or the plan plans: of that its table
// of phases, else its sections "Phase 1: Title", of a roadmap these first. Ids are in
// one spelling: 01 is 1. It never fails.
func PlannedPhases(name string, raw []byte) []PlannedPhase {
	t, read := Read(raw), roadmap
	if name == Plan {
		read = planOfTask
	}
	var all []PlannedPhase
	for _, p := range read(t) {
		out := PlannedPhase{Phase: p.Phase}
		out.ID, out.Of = shownID(p.ID), shownID(p.Of)
		for i, d := range out.DependsOn {
			out.DependsOn[i] = shownID(d)
		}
		if p.section.Level > 0 {
			out.read(t, p)
		}
		all = append(all, out)
	}
	return all
}

func (p *PlannedPhase) read(t Text, from planned) {
	if l, ok := labelled(from.labels, kindNames...); ok {
		p.Word = bare(l.value)
	}
	if l, ok := labelled(from.labels, agentColumns...); ok {
		p.Agents = agentNames(l.value)
	}
	p.Acceptance = t.says(from, criteriaNames)
	for _, said := range t.says(from, verifyNames) {
		for command, rest, ok := codeIn(said); ok; command, rest, ok = codeIn(rest) {
			if command != "" && !slices.Contains(p.Verify, command) {
				p.Verify = append(p.Verify, command)
			}
		}
	}
}

// says is what a phase's section says under one of these names: behind a label, or
// as the items, or the text, of a section.
func (t Text) says(p planned, names []string) []string {
	if l, ok := labelled(p.labels, names...); ok && !saysNothing(l.value) {
		return []string{l.value}
	}
	sub, ok := t.In(p.section, names...)
	if !ok {
		return nil
	}
	var all []string
	for _, item := range t.Outermost(sub) {
		all = append(all, item.Text)
	}
	if lead := t.Lead(sub); len(all) == 0 && lead != "" {
		all = []string{lead}
	}
	return all
}

// shownID is a phase's id as a task shows it.
func shownID(s string) string { return strings.ToUpper(phaseID(s)) }

// SamePhase reports whether two ids mean one phase.
func SamePhase(a, b string) bool { return phaseID(a) == phaseID(b) }

// Placeholders are the parts of a text that wait to be filled in.
func Placeholders(s string) []string { return placeholders(s) }
