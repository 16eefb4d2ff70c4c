package document

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/markdown"
)

// Requirement is something that the specification asks for.
type Requirement struct {
	ID string `json:"id"` // as the specification has it: R1, FR-001; else its place: S2, R3
	// Source is the section: scope, or requirements.
	Source string `json:"source"`
	Line   int    `json:"line"`
	Text   string `json:"text"`
	// Phases cover it, in the order of the phases.
	Phases []string `json:"phases"`

	words string
}

// Where requirements come from.
const (
	FromScope        = "scope"
	FromRequirements = "requirements"
)

// maxRequirements bounds what is read, of requirements and of a table's rows; a
// rule says so where there are more.
const maxRequirements = 20_000

// trace is the matrix: what the specification asks for, and what covers it
// (BC-18). No state is kept for it: a plan's table, a roadmap's and the phase
// plans' "covers" say it.
func (c *checker) trace() {
	c.asked = c.requirements()
	c.index = index(c.asked)
	claims := c.claims()
	for _, p := range c.phases {
		for _, what := range claims[phaseID(p.ID)] {
			for _, i := range c.index.means(what) {
				if r := &c.asked[i]; !slices.Contains(r.Phases, p.ID) {
					r.Phases = append(r.Phases, p.ID)
				}
			}
		}
	}
}

type requirementIndex struct{ ids, words map[string][]int }

func index(all []Requirement) requirementIndex {
	x := requirementIndex{map[string][]int{}, map[string][]int{}}
	for i, r := range all {
		id := strings.ToLower(r.ID)
		x.ids[id] = append(x.ids[id], i)
		x.words[r.words] = append(x.words[r.words], i)
	}
	return x
}

func (x requirementIndex) means(c claim) []int {
	found := x.ids[strings.ToLower(c.id)]
	if c.words == "" {
		return found
	}
	return append(slices.Clip(found), x.words[c.words]...)
}

// requirements reads those of the specification: what is in scope, and what was
// asked for at first.
func (c *checker) requirements() []Requirement {
	t := c.docs[Spec]
	all := numbered(scope(t, inNames), FromScope, 'S')
	if s, ok := t.Find(sectionNames(Spec, "requirements")...); ok {
		all = append(all, numbered(t.listed(s), FromRequirements, 'R')...)
	}
	// What waits to be filled in is found by another rule.
	all = slices.DeleteFunc(all, func(r Requirement) bool { return len(Placeholders(r.Text)) > 0 })
	c.moreAsked = max(0, len(all)-maxRequirements)
	return all[:min(len(all), maxRequirements)]
}

// numbered are requirements of one source; what has no id of its own is called by its
// place.
func numbered(said []entry, source string, letter byte) []Requirement {
	all := make([]Requirement, len(said))
	for i, s := range said {
		id, text := requirementID(s.text)
		if id == "" {
			id = fmt.Sprintf("%c%d", letter, i+1)
		}
		all[i] = Requirement{
			ID: id, Source: source, Text: text, Line: s.line, Phases: []string{}, words: strings.Join(words(text), " "),
		}
	}
	return all
}

// requirementID parts "R1: text", "**FR-001** text"; id "" where there is none.
func requirementID(s string) (id, text string) {
	text = bare(s)
	word := markdown.RunLength(text, letters)
	number := strings.TrimPrefix(text[word:], "-")
	behind := strings.TrimLeft(number, digits)
	rest, n := strings.TrimLeft(behind, ":.) \t–—-"), len(number)-len(behind)
	if word < 1 || word > 8 || n < 1 || n > 6 || rest == "" || strings.IndexByte(":.) \t", behind[0]) < 0 {
		return "", text
	}
	// A word with a number is an id only where it is set apart from the text.
	marked := strings.HasPrefix(strings.TrimSpace(s), "**") || strings.ToUpper(text[:word]) == text[:word]
	if behind[0] == ' ' && !marked {
		return "", text
	}
	return text[:len(text)-len(behind)], rest
}

// scope are the items in scope, or out of it, by the names for that: of a section, a
// column, or a list behind a label.
func scope(t Text, names []string) []entry {
	s, scoped := t.Find("Scope")
	if sub, ok := t.In(s, names...); scoped && ok {
		return t.listed(sub)
	}
	if sub, ok := t.Find(names[1:]...); ok {
		return t.listed(sub)
	}
	if !scoped {
		return nil
	}
	var all []entry
	for _, row := range t.rows(s, names) {
		if text := row.cell(0); !isNothing(text) {
			for part := range strings.SplitSeq(text, "<br>") {
				all = append(all, entry{strings.TrimSpace(part), row.line})
			}
		}
	}
	if len(all) > 0 {
		return all
	}
	return scopeLists(t, s, names)
}

// scopeLists reads what stands behind "In:", parted by commas, and the lists below it.
func scopeLists(t Text, s Section, names []string) []entry {
	var all []entry
	for _, l := range t.labels(Section{First: s.First, End: s.Last}) {
		if !isOne(l.name, names) {
			continue
		}
		for _, said := range l.said {
			if said.line > l.line {
				all = append(all, said)
				continue
			}
			for _, part := range list(said.text) {
				all = append(all, entry{part, said.line})
			}
		}
	}
	return all
}

// claim names a requirement that is covered, by an id or its text.
type claim struct {
	id    string
	words string
}

// claimOf reads what names a requirement: its id, else the one that is given, else its
// text.
func claimOf(what, id string) claim {
	own, text := requirementID(what)
	return claim{cmp.Or(own, id, text), strings.Join(words(text), " ")}
}

// claims are all that documents say about which phase covers what, by the ids of phases.
func (c *checker) claims() map[string][]claim {
	claims := map[string][]claim{}
	add := func(phase string, names ...string) {
		phase = phaseID(phase)
		for _, what := range names {
			if what != "" {
				claims[phase] = append(claims[phase], claimOf(what, ""))
			}
		}
	}
	for _, name := range []string{Plan, Roadmap, Spec} {
		for _, row := range traceRows(c.docs[name]) {
			for _, phase := range list(row.phases) {
				add(phase, row.what, row.id)
			}
		}
	}
	for _, p := range c.plannedIn[Roadmap] {
		l, _ := p.label(coverNames...)
		add(p.ID, list(l.value())...)
	}
	for name, t := range c.docs {
		if id, ok := planOf(name); ok {
			add(id, t.Front.Values("covers")...)
		}
	}
	return claims
}

// The names of what is in scope, and out of it, of the table from requirements to phases,
// for what a phase covers, and of the columns of a table that says so.
var (
	inNames  = []string{"In", "In Scope", "Included", "Includes", "This Feature Includes", "What Is In"}
	outNames = []string{
		"Out", "Out of Scope", "Excluded", "Excludes", "This Feature Does NOT Include", "Non-Goals",
		"Not in Scope",
	}
	traceNames = []string{
		"Traceability", "Traceability Matrix", "Requirements Traceability", "Requirement Coverage",
		"Requirements Coverage", "Coverage", "Coverage Matrix",
	}
	coverNames         = []string{"Covers", "Requirements", "Covered requirements"}
	coveringColumns    = []string{"Phases", "Phase", "Covered by", "Covered in", "Addressed by", "Phase(s)"}
	coveredColumns     = []string{"Requirement", "Requirements", "Scope item", "Item", "What", "Spec item"}
	requirementColumns = []string{"ID", "#", "Req", "Requirement ID"}
)

// traceRow is a row of a table from requirements to phases.
type traceRow struct {
	id, what, phases string
	line             int
}

// traceRows reads the table under a heading such as Traceability.
func traceRows(t Text) []traceRow {
	s, ok := t.Find(traceNames...)
	if !ok {
		return nil
	}
	var all []traceRow
	for _, row := range t.rows(s, coveringColumns, coveredColumns, requirementColumns) {
		if row.has(0) && (row.has(1) || row.has(2)) && len(all) < maxRequirements {
			all = append(all, traceRow{bare(row.cell(2)), row.cell(1), row.cell(0), row.line})
		}
	}
	return all
}
