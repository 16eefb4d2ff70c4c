package document

import (
	"slices"
	"strings"
)

// entry is a text with its line.
type entry struct {
	text string
	line int
}

// part is a section with the labels in it.
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

// under is what a section says under one of these names: behind a label, else in the
// section below it that is called so.
func (p part) under(names ...string) []entry {
	if l, ok := p.label(names...); ok && l.value != "" {
		return []entry{{l.value, l.line}}
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
			what = row.last()
		}
		if what == "" {
			continue
		}
		if id != "" && id != bare(what) && !isDigits(id) {
			what = "**" + id + "**: " + what
		}
		all = append(all, entry{what, row.line})
	}
	if len(all) > 0 {
		return all
	}
	for _, b := range t.Blocks[s.First:s.End] {
		if text := inOneLine(b.Lines); b.Kind == Paragraph && text != "" && !isNothing(text) {
			all = append(all, entry{text, b.Line})
		}
	}
	return all
}

func inOneLine(lines []string) string { return oneLine(strings.Join(lines, " ")) }

// label is "Name: value" at the beginning of a line: how documents say something
// of a phase or a task without a heading for it.
type label struct {
	name  string // see nameOf
	value string
	line  int
}

// Bounds of a label; what is longer in front of a colon is a sentence.
const (
	maxLabelWords = 5
	maxLabelBytes = 60
)

// labels are those in a section and below it. A value goes on to the end of its
// paragraph, and over the list below it, whose items are parted by commas; where
// nothing stands behind the colon, it is the next paragraph.
func (t Text) labels(s Section) []label {
	var all []label
	var value []byte // of the label that goes on
	goesOn := false
	end := func() {
		if goesOn {
			all[len(all)-1].value = string(value)
		}
		goesOn = false
	}
	for _, b := range t.Blocks[s.First:s.End] {
		if b.Kind == Heading {
			end()
		}
		if b.Kind != Paragraph {
			continue
		}
		for i, line := range b.Lines {
			if name, begun, ok := labelOf(line); ok {
				end()
				all, value, goesOn = append(all, label{name: name, line: b.Line + i}), []byte(begun), true
				continue
			}
			if i == 0 && b.Depth == 0 && len(value) > 0 {
				end() // another paragraph is about something else
			}
			switch {
			case !goesOn:
				continue
			case len(value) == 0:
			case b.Depth > 0 && i == 0:
				value = append(value, ", "...)
			default:
				value = append(value, ' ')
			}
			value = append(value, strings.TrimSpace(line)...)
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
