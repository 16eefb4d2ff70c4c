package document

import (
	"slices"
	"sort"
	"strings"
	"unicode"
)

// Text is a document as it was written, and what stands where in it.
type Text struct {
	Front  Front
	Blocks []Block
	// Sections are in the order of their headings. The first is what stands above
	// the first heading, and has no title.
	Sections []Section
}

// Section is a heading and what stands under it.
type Section struct {
	Title string // without marks
	Line  int
	Level int // 0 for what stands above the first heading
	// First and Last bound its own blocks, End those of its subsections too: all
	// as indices of Text.Blocks, each behind the one before.
	First, Last, End int

	name string // its title's words
}

// Read reads a document. It never fails: whatever can't be understood is text.
func Read(raw []byte) Text {
	text := strings.TrimPrefix(string(raw), "\ufeff")
	t := Text{Front: ReadFront(raw)}
	for range t.Front.Lines {
		_, text, _ = strings.Cut(text, "\n")
	}
	t.Blocks = parseBlocks(text, t.Front.Lines+1)
	t.Sections = sections(t.Blocks)
	return t
}

func sections(blocks []Block) []Section {
	all := []Section{{Line: 1}}
	for i, b := range blocks {
		if b.Kind != Heading || b.Depth > 0 {
			continue
		}
		title := bare(strings.Join(b.Lines, " "))
		all[len(all)-1].Last = i
		all = append(all, Section{Title: title, Line: b.Line, Level: b.Level, First: i + 1, name: nameOf(title)})
	}
	all[len(all)-1].Last = len(blocks)
	// A section ends where the next one of its level, or above, begins.
	for i := range all {
		s := &all[i]
		s.End = len(blocks)
		above := func(next Section) bool { return s.Level == 0 || next.Level <= s.Level }
		if at := slices.IndexFunc(all[i+1:], above); at >= 0 {
			s.End = all[i+1+at].First - 1
		}
	}
	return all
}

// Find returns the first section with one of these names; see nameOf.
func (t Text) Find(names ...string) (Section, bool) { return firstNamed(t.Sections, names) }

// In returns the first section with one of these names among those below s.
func (t Text) In(s Section, names ...string) (Section, bool) { return firstNamed(t.within(s), names) }

func firstNamed(all []Section, names []string) (Section, bool) {
	for _, name := range names {
		name = nameOf(name)
		if i := slices.IndexFunc(all, func(s Section) bool { return s.name == name }); i >= 0 {
			return all[i], true
		}
	}
	return Section{}, false
}

func (t Text) within(s Section) []Section {
	behind := func(at int) int {
		return sort.Search(len(t.Sections), func(i int) bool { return t.Sections[i].First > at })
	}
	return t.Sections[behind(s.First):behind(s.End)]
}

// Below are the sections right below s.
func (t Text) Below(s Section) []Section {
	var all []Section
	for _, sub := range t.within(s) {
		if len(all) > 0 && sub.Level < all[0].Level {
			all = nil
		}
		if len(all) == 0 || sub.Level == all[0].Level {
			all = append(all, sub)
		}
	}
	return all
}

// Filled reports whether something stands under a section's heading, or under
// one below it: comments and lines across the page are nothing.
func (t Text) Filled(s Section) bool {
	for _, b := range t.Blocks[s.First:s.End] {
		text := strings.Join(b.Lines, "\n")
		switch b.Kind {
		case Paragraph:
			if !strings.Contains(text, "`") { // code says something
				text = plain(text)
			}
		case Table:
			text = strings.Join(b.Lines[2:], "\n")
		case Heading, Comment, Break:
			text = ""
		case Code:
		}
		if strings.Trim(text, "| \t\n") != "" {
			return true
		}
	}
	return false
}

// Lead is the first paragraph of a section, in one line.
func (t Text) Lead(s Section) string {
	for _, b := range t.Blocks[s.First:s.End] {
		if b.Kind == Paragraph {
			return inOneLine(b.Lines)
		}
	}
	return ""
}

// Lead is the first paragraph of a document, in one line: what it is about; "" where it
// begins with anything else than headings and plain text.
func Lead(raw []byte) string {
	for _, b := range Read(raw).Blocks {
		switch {
		case b.Kind == Paragraph && b.Depth == 0:
			return inOneLine(b.Lines)
		case b.Kind != Heading:
			return ""
		}
	}
	return ""
}

// items are the outermost items of a section's lists, and of those below it: their
// first paragraphs.
func (t Text) items(s Section) []Block {
	var all []Block
	for _, b := range t.Blocks[s.First:s.End] {
		if b.Item && b.Depth == 1 {
			all = append(all, b)
		}
	}
	return all
}

// nameOf is what counts of a heading: its letters and digits, in any case. A
// number in front of it, and what stands in brackets behind it, do not.
func nameOf(title string) string {
	if at := strings.LastIndexByte(title, '('); at > 0 && strings.HasSuffix(strings.TrimSpace(title), ")") {
		title = title[:at]
	}
	have := words(title)
	for len(have) > 1 && strings.Trim(have[0], digits) == "" {
		have = have[1:]
	}
	return strings.Join(have, " ")
}

func sameName(title, name string) bool { return nameOf(title) == nameOf(name) }

func words(s string) []string {
	s = strings.ReplaceAll(strings.ToLower(s), "&", " and ")
	return strings.FieldsFunc(s, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '#' })
}
