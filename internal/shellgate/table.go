package shellgate

import (
	_ "embed" // the rows
	"slices"
	"strings"
)

//go:embed rows.txt
var rowsText string

//go:embed refused.txt
var refusedText string

// maxName bounds of how many words the name of a row is made.
const maxName = 4

// find gives the fields below the longest name that words begin with, and of how many
// words it is made; 0: none. It searches the text: to read all of it first would take
// longer than all else that a hook does.
func find(text string, words []string) (fields map[string]string, n int) {
	if len(words) == 0 || words[0] == "" || strings.ContainsAny(words[0], ",#@\t\n") {
		return nil, 0
	}
	best := 0
	for _, before := range []string{"\n", ", "} {
		for at := 0; ; {
			i := strings.Index(text[at:], before+words[0])
			if i < 0 {
				break
			}
			at += i + len(before)
			name := text[at : at+strings.IndexAny(text[at:], ",\n")]
			line := text[strings.LastIndexByte(text[:at], '\n')+1:]
			if k := wordsOf(name, words); k > n && line[0] != '#' && line[0] != '\t' {
				n, best = k, at
			}
		}
	}
	if n == 0 {
		return nil, 0
	}
	block, _, _ := strings.Cut(text[best:], "\n\n")
	_, fields = readBlock(block)
	return fields, n
}

// wordsOf gives of how many words a name is made, 0 where words do not begin with it.
func wordsOf(name string, words []string) int {
	n := 0
	for w := range strings.FieldsSeq(name) {
		if n == len(words) || words[n] != w {
			return 0
		}
		n++
	}
	return n
}

// readBlock reads names, with commas between, and the fields below them.
func readBlock(block string) (names []string, fields map[string]string) {
	fields = map[string]string{}
	all := ""
	for line := range strings.SplitSeq(block, "\n") {
		key, value, isField := strings.Cut(strings.TrimPrefix(line, "\t"), ": ")
		switch {
		case strings.HasPrefix(line, "#"):
		case isField && strings.HasPrefix(line, "\t"):
			fields[key] = strings.TrimSpace(fields[key] + " " + value)
		default:
			all += " " + line
		}
	}
	for name := range strings.SplitSeq(all, ",") {
		if name = strings.TrimSpace(name); name != "" {
			names = append(names, name)
		}
	}
	return names, fields
}

// longest finds the row of the longest name that words begin with, and how many words.
func longest(names []string) (row, int) {
	fields, n := find(rowsText, names)
	r := row{fields["how"], fields["opts"], fields["ops"]}
	if set, rest, _ := strings.Cut(r.opts, " "); strings.HasPrefix(set, "@") {
		_, block, _ := strings.Cut(rowsText, "\n"+set+"\n")
		block, _, _ = strings.Cut(block, "\n\n")
		_, shared := readBlock(block)
		r.opts = shared["opts"] + " " + rest
	}
	return r, n
}

// refusalOf says why a command is refused by the longest name, of more than own words, that
// its leading words begin with; else by what is said of all below its name.
func refusalOf(names []string, own int) problem {
	p := problem{reason: UnknownSub, allow: allowable(names)}
	fields, n := find(refusedText, names)
	switch {
	case n > own:
		p.reason, p.detail, p.hint = reasonNamed(fields["why"]), strings.Join(names[:n], " "), fields["hint"]
	case own == 0:
		p.reason, p.detail, p.allow = Unknown, names[0], names[0]
	default:
		p.detail = strings.Join(names[:own+1], " ")
		if fields, n = find(refusedText, append(slices.Clip(names[:own]), "*")); n > own {
			p.reason = reasonNamed(fields["why"])
		}
	}
	if p.reason == RunsCode {
		p.detail = p.allow
	}
	return p
}

// allowable are the words of a command that a user could list: a name, and a short word.
func allowable(names []string) string {
	n := 1
	if len(names) > 1 && len(names[1]) < 20 && !strings.ContainsAny(names[1], " \t\n") {
		n = 2
	}
	if len(names) > 2 && names[0] == "npm" && names[1] == "run" {
		n = 3
	}
	return strings.Join(names[:n], " ")
}
