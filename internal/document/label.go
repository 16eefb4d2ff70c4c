package document

import "strings"

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
			if name, said, ok := labelOf(line); ok {
				end()
				all, value, goesOn = append(all, label{name: name, line: b.Line + i}), []byte(said), true
				continue
			}
			if i == 0 && b.Item < 0 && len(value) > 0 {
				end() // another paragraph is about something else
			}
			switch {
			case !goesOn:
				continue
			case len(value) == 0:
			case b.Item >= 0 && i == 0:
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

// labelled is the first label with one of these names.
func labelled(all []label, names ...string) (label, bool) {
	for _, name := range names {
		name = nameOf(name)
		for _, l := range all {
			if l.name == name {
				return l, true
			}
		}
	}
	return label{}, false
}

// list parts a value at its commas; what stands in brackets behind an item is a
// remark. Nothing, and the words for it, are no items.
func list(value string) []string {
	return items(value, func(part string) string { return strings.Trim(bare(part), ".") })
}

// pathList is list for paths, in which stars and dots mean something: an item is
// what stands in its code, where it has some, commas and all.
func pathList(value string) []pathText {
	var all []pathText
	rest := plain(value) // without code and comments, byte for byte
	for begin := 0; begin <= len(rest); {
		end := len(rest)
		if at := strings.IndexAny(rest[begin:], ",;"); at >= 0 {
			end = begin + at
		}
		part := value[begin:end]
		if inside, _, ok := codeIn(part); ok {
			all = append(all, pathText{inside, true})
		} else if part = unremarked(part); part != "" {
			if part = strings.TrimRight(unwrapped(part), "."); !saysNothing(part) {
				all = append(all, pathText{part, false})
			}
		}
		begin = end + 1
	}
	return all
}

func items(value string, clean func(part string) string) []string {
	var all []string
	for part := range strings.FieldsFuncSeq(value, func(r rune) bool { return r == ',' || r == ';' }) {
		if part = clean(unremarked(part)); !saysNothing(part) {
			all = append(all, part)
		}
	}
	return all
}

// unremarked is an item without what is remarked behind it.
func unremarked(part string) string {
	part = strings.TrimSpace(part)
	if at := strings.Index(part, " ("); at > 0 {
		part = part[:at]
	}
	before, _, _ := strings.Cut(part, " — ")
	return before
}

func saysNothing(part string) bool {
	switch strings.ToLower(part) {
	case "", "-", "–", "—", "none", "n/a", "nothing":
		return true
	}
	return false
}
