package document

import "strings"

// label is "Name: value" at the beginning of a line: how documents say something
// of a phase or a task without a heading for it.
type label struct {
	name  string // see nameOf
	value string
	line  int
}

// Bounds of a label and its value; what is longer in front of a colon is a
// sentence.
const (
	maxLabelWords = 5
	maxLabelBytes = 60
	maxLabelValue = 4 << 10
)

// labels are those in a section and below it. Where nothing stands behind the
// colon, what follows as far as the next one is the value, parted by commas.
func (t Text) labels(s Section) []label {
	var all []label
	for _, b := range t.Blocks[s.First:s.End] {
		if b.Kind != Paragraph {
			continue
		}
		for i, line := range b.Lines {
			if name, value, ok := labelOf(line); ok {
				all = append(all, label{name, value, b.Line + i})
				continue
			}
			if n := len(all); n > 0 {
				last := &all[n-1]
				sep := " "
				if last.value == "" {
					sep = ""
				} else if b.Item >= 0 && i == 0 {
					sep = ", "
				}
				if len(last.value) < maxLabelValue {
					last.value += sep + strings.TrimSpace(line)
				}
			}
		}
	}
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

// pathList is list for paths, in which stars and dots mean something.
func pathList(value string) []string {
	return items(value, func(part string) string { return strings.TrimRight(unwrapped(part), ".") })
}

func items(value string, clean func(part string) string) []string {
	var all []string
	for part := range strings.FieldsFuncSeq(value, func(r rune) bool { return r == ',' || r == ';' }) {
		part = strings.TrimSpace(part)
		if at := strings.Index(part, " ("); at > 0 {
			part = part[:at]
		}
		if before, _, cut := strings.Cut(part, " — "); cut {
			part = before
		}
		part = clean(part)
		switch strings.ToLower(part) {
		case "", "-", "–", "—", "none", "n/a", "nothing":
		default:
			all = append(all, part)
		}
	}
	return all
}
