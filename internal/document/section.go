package document

import (
	"slices"
	"strings"
)

type entry struct {
	text string
	line int
}

type part struct {
	text    Text
	section Section
	labels  []label
}

func (t Text) part(s Section) part { return part{t, s, t.labels(s)} }

// label is the first label with one of these names.
func (p part) label(names ...string) (label, bool) {
	for _, name := range names {
		name = nameOf(name)
		for _, l := range p.labels {
			if l.name == name {
				return l, true
			}
		}
	}
	return label{}, false
}

// says reports that there is something under one of these names.
func (p part) says(names ...string) bool {
	l, _ := p.label(names...)
	sub, ok := p.text.In(p.section, names...)
	return len(l.said) > 0 || ok && p.text.Filled(sub)
}

// lacks names what a part says nothing of, by the first of its names.
func (p part) lacks(wanted ...[]string) string {
	var missing []string
	for _, names := range wanted {
		if !p.says(names...) {
			missing = append(missing, names[0])
		}
	}
	return strings.Join(missing, ", ")
}

// under is what a section says under one of these names: behind a label, else in the
// section below it that is called so.
func (p part) under(names ...string) []entry {
	if l, _ := p.label(names...); len(l.said) > 0 {
		return l.said
	}
	if sub, ok := p.text.In(p.section, names...); ok {
		return p.text.listed(sub)
	}
	return nil
}

// isOne reports whether a heading's name, see nameOf, is one of these.
func isOne(name string, names []string) bool {
	return slices.ContainsFunc(names, func(n string) bool { return nameOf(n) == name })
}

// listed is what a section lists: its outermost items, else the rows of its tables,
// else its paragraphs.
func (t Text) listed(s Section) []entry {
	var all []entry
	for _, item := range t.items(s) {
		all = append(all, entry{item.said(), item.Line})
	}
	if len(all) > 0 {
		return all
	}
	texts := []string{"Requirement", "Description", "Text", "Item", "What", "User story"}
	for _, row := range t.rows(s, texts, []string{"ID", "#", "No", "Nr"}) {
		what, id := row.cell(0), bare(row.cell(1))
		if !row.has(0) {
			what = row.in(row.width - 1)
		}
		if id != "" && what != "" && id != bare(what) && !isDigits(id) {
			what = "**" + id + "**: " + what
		}
		if what != "" {
			all = append(all, entry{what, row.line})
		}
	}
	if len(all) > 0 {
		return all
	}
	for _, b := range t.Blocks[s.First:s.End] {
		if text := b.said(); b.Kind == Paragraph && !isNothing(text) {
			all = append(all, entry{text, b.Line})
		}
	}
	return all
}

func inOneLine(lines []string) string { return oneLine(strings.Join(lines, " ")) }

// label is "Name: value" at the beginning of a line: how documents say something
// of a phase or a task without a heading for it.
type label struct {
	name string // see nameOf
	line int
	// said is what stands behind the colon, and each item of the list below it.
	said []entry
}

// value is all that is said, parted by commas.
func (l label) value() string {
	texts := make([]string, len(l.said))
	for i, e := range l.said {
		texts[i] = e.text
	}
	return strings.Join(texts, ", ")
}

// Bounds of a label; what is longer in front of a colon is a sentence.
const (
	maxLabelWords = 5
	maxLabelBytes = 60
)

// labels are those in a section and below it. What stands behind a colon goes on to the
// end of its paragraph; where nothing stands there, it is the next paragraph.
func (t Text) labels(s Section) []label {
	var all []label
	var lines []string // of what is being said
	at, goesOn := 0, false
	end := func() {
		if len(lines) > 0 {
			last := &all[len(all)-1]
			last.said = append(last.said, entry{strings.Join(lines, " "), at})
		}
		lines = nil
	}
	for _, b := range t.Blocks[s.First:s.End] {
		if b.Kind == Paragraph || b.Kind == Heading {
			end()
		}
		if b.Kind == Heading || b.Depth == 0 && goesOn && len(all[len(all)-1].said) > 0 {
			goesOn = false // another paragraph is about something else
		}
		if b.Kind != Paragraph {
			continue
		}
		for i, line := range b.Lines {
			if name, begun, ok := labelOf(line); ok {
				end()
				all, goesOn = append(all, label{name: name, line: b.Line + i}), true
				line = begun
			}
			if goesOn && line != "" {
				if lines == nil {
					at = b.Line + i
				}
				lines = append(lines, strings.TrimSpace(line))
			}
		}
	}
	end()
	return all
}

func labelOf(line string) (name, value string, ok bool) {
	s := strings.TrimLeft(line, "*_ \t")
	at := strings.IndexByte(s, ':')
	if at <= 0 || at > maxLabelBytes || strings.ContainsAny(s[:at], "`|<({/") {
		return "", "", false
	}
	if marked := len(s) < len(line); !marked && (s[0] < 'A' || s[0] > 'Z') {
		return "", "", false
	}
	if at+1 < len(s) && !strings.ContainsRune("*_ \t", rune(s[at+1])) {
		return "", "", false
	}
	name = nameOf(strings.Trim(s[:at], "*_ "))
	if name == "" || strings.Count(name, " ") >= maxLabelWords {
		return "", "", false
	}
	return name, strings.TrimSpace(strings.TrimLeft(s[at+1:], "*_ \t")), true
}
