package document

import (
	"fmt"
	"maps"
	"slices"
	"strings"
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
func (c *checker) trace() []Requirement {
	all := c.requirements()
	if len(all) == 0 || len(c.phases) == 0 {
		return all
	}
	place := map[string]int{}
	for i, p := range slices.Backward(c.phases) {
		place[p.ID] = i
	}
	known := index(all)
	covers := map[[2]int]bool{} // requirement and phase
	for _, claim := range c.claims() {
		for _, i := range known.means(claim) {
			covers[[2]int{i, place[claim.phase]}] = true
		}
	}
	for _, pair := range slices.SortedFunc(maps.Keys(covers), func(a, b [2]int) int { return slices.Compare(a[:], b[:]) }) {
		r := &all[pair[0]]
		r.Phases = append(r.Phases, c.phases[pair[1]].ID)
	}
	return all
}

// requirementIndex finds requirements by what names them.
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

// means are the requirements that a claim is about.
func (x requirementIndex) means(c claim) []int {
	found := x.ids[strings.ToLower(c.id)]
	if c.what == "" {
		return found
	}
	return append(slices.Clip(found), x.words[c.what]...)
}

// requirements reads those of the specification: what is in scope, and what was
// asked for at first.
func (c *checker) requirements() []Requirement {
	t := c.docs[Spec]
	var all []Requirement
	for _, r := range scope(t, true) {
		all = append(all, requirement(r, FromScope, 'S', len(all)))
	}
	n := len(all)
	if s, ok := t.Find(requirementNames...); ok {
		for _, r := range asked(t, s) {
			all = append(all, requirement(r, FromRequirements, 'R', len(all)-n))
		}
	}
	// What waits to be filled in is found by another rule.
	all = slices.DeleteFunc(all, func(r Requirement) bool { return len(placeholders(r.Text)) > 0 })
	c.moreAsked = max(0, len(all)-maxRequirements)
	return all[:min(len(all), maxRequirements)]
}

// said is a text with its line.
type said struct {
	text string
	line int
}

func requirement(s said, source string, letter byte, n int) Requirement {
	id, text := requirementID(s.text)
	if id == "" {
		id = fmt.Sprintf("%c%d", letter, n+1)
	}
	return Requirement{ID: id, Source: source, Text: text, Line: s.line, words: strings.Join(words(text), " ")}
}

// requirementID parts "R1: text", "**FR-001** text"; id "" where there is none.
func requirementID(s string) (id, text string) {
	text = bare(s)
	n := 0
	for n < len(text) && isLetter(text[n]) {
		n++
	}
	if n == 0 || n > 8 {
		return "", text
	}
	digits := n
	if digits < len(text) && text[digits] == '-' {
		digits++
	}
	end := digits
	for end < len(text) && text[end] >= '0' && text[end] <= '9' {
		end++
	}
	if end == digits || end == len(text) || end-digits > 6 || !strings.ContainsRune(":.) \t", rune(text[end])) {
		return "", text
	}
	// A word with a number is an id only where it is set apart from the text.
	rest := strings.TrimLeft(text[end:], ":.) \t–—-")
	if text[end] == ' ' && !strings.HasPrefix(strings.TrimSpace(s), "**") && strings.ToUpper(text[:n]) != text[:n] || rest == "" {
		return "", text
	}
	return text[:end], rest
}

// asked are the requirements that a section lists: its outermost items, else the
// rows of its tables, else its paragraphs.
func asked(t Text, s Section) []said {
	var all []said
	for _, item := range t.Outermost(s) {
		all = append(all, said{item.Text, item.Line})
	}
	if len(all) > 0 {
		return all
	}
	for _, table := range t.Tables(s) {
		text := table.column("Requirement", "Description", "Text", "Item", "What", "User story")
		id := table.column("ID", "#", "No", "Nr")
		if text < 0 {
			text = len(table.Cells[0]) - 1
		}
		for i, row := range table.Cells[1:] {
			if what := cell(row, text); what != "" {
				if name := bare(cell(row, id)); id >= 0 && id != text && name != "" && !isDigits(name) {
					what = "**" + name + "**: " + what
				}
				all = append(all, said{what, table.rowLine(i + 1)})
			}
		}
	}
	if len(all) > 0 {
		return all
	}
	for _, b := range t.Blocks[s.First:s.End] {
		if text := joinLines(b.Lines); b.Kind == Paragraph && text != "" && !isNothing(text) {
			all = append(all, said{text, b.Line})
		}
	}
	return all
}

func joinLines(lines []string) string {
	return strings.Join(strings.Fields(strings.Join(lines, " ")), " ")
}

// isNothing is how people say that a section has nothing to say.
func isNothing(s string) bool {
	switch strings.ToLower(strings.Trim(bare(s), ".-–— ")) {
	case "", "none", "n/a", "nothing", "not applicable":
		return true
	}
	return false
}

// scope are the items in scope, or out of it: of a section, a column, or a list
// behind a label.
func scope(t Text, in bool) []said {
	names := inNames
	if !in {
		names = outNames
	}
	s, ok := t.Find(scopeNames...)
	if !ok {
		if s, ok = t.Find(names[1:]...); ok {
			return asked(t, s)
		}
		return nil
	}
	if sub, ok := t.In(s, names...); ok {
		return asked(t, sub)
	}
	if sub, ok := t.Find(names[1:]...); ok {
		return asked(t, sub)
	}
	var all []said
	for _, table := range t.Tables(s) {
		column := table.column(names...)
		for i, row := range table.Cells[1:] {
			if text := cell(row, column); text != "" && !isNothing(text) {
				for part := range strings.SplitSeq(text, "<br>") {
					all = append(all, said{strings.TrimSpace(part), table.rowLine(i + 1)})
				}
			}
		}
	}
	if len(all) > 0 {
		return all
	}
	return scopeLists(t, s, names)
}

// scopeLists reads lists that stand behind "In:", or in items that begin with it.
func scopeLists(t Text, s Section, names []string) []said {
	among := func(names []string, name string) bool {
		return slices.ContainsFunc(names, func(n string) bool { return nameOf(n) == name })
	}
	var all []said
	here := false
	for _, b := range t.Blocks[s.First:s.Last] {
		if b.Kind != Paragraph {
			continue
		}
		for i, line := range b.Lines {
			name, value, is := labelOf(line)
			switch {
			case is && (among(inNames, name) || among(outNames, name)):
				here = among(names, name)
				for _, part := range list(value) {
					if here {
						all = append(all, said{part, b.Line + i})
					}
				}
			case here && b.Item >= 0 && i == 0:
				all = append(all, said{joinLines(b.Lines), b.Line})
			}
		}
	}
	return all
}

// claim says that a phase covers what is named by an id or its text.
type claim struct {
	phase string
	what  string // in words
	id    string
}

// claims are all that documents say about what covers what.
func (c *checker) claims() []claim {
	var all []claim
	ids := map[string]string{}
	for _, p := range slices.Backward(c.phases) {
		ids[phaseID(p.ID)] = p.ID
	}
	add := func(phase, what string) {
		known, ok := ids[phaseID(phase)]
		if !ok || what == "" {
			return
		}
		id, text := requirementID(what)
		if id == "" {
			id = text
		}
		all = append(all, claim{known, strings.Join(words(text), " "), id})
	}
	for _, name := range []string{Plan, Roadmap, Spec} {
		for _, row := range traceRows(c.docs[name]) {
			for _, phase := range list(row.phases) {
				add(phase, row.what)
				add(phase, row.id)
			}
		}
	}
	for _, p := range c.road {
		if l, ok := labelled(p.labels, coverNames...); ok {
			for _, what := range list(l.value) {
				add(p.ID, what)
			}
		}
	}
	for name, t := range c.docs {
		if id, ok := planOf(name); ok {
			for _, what := range t.Front.Values("covers") {
				add(id, what)
			}
		}
	}
	return all
}

var coverNames = []string{"Covers", "Requirements", "Covered requirements"}

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
	for _, table := range t.Tables(s) {
		phases := table.column("Phases", "Phase", "Covered by", "Covered in", "Addressed by", "Phase(s)")
		what := table.column("Requirement", "Requirements", "Scope item", "Item", "What", "Spec item")
		id := table.column("ID", "#", "Req", "Requirement ID")
		if phases < 0 || what < 0 && id < 0 {
			continue
		}
		for i, row := range table.Cells[1:] {
			all = append(all, traceRow{bare(cell(row, id)), cell(row, what), cell(row, phases), table.rowLine(i + 1)})
		}
	}
	return all[:min(len(all), maxRequirements)]
}
