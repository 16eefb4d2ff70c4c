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
			if name, begun, ok := labelOf(line); ok {
				end()
				all, value, goesOn = append(all, label{name: name, line: b.Line + i}), []byte(begun), true
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
