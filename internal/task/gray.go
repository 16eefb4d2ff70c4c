package task

import (
	"bytes"
	"fmt"
	"strings"
)

const grayHeading = "Gray Areas Remaining"

// GrayArea is a box under the heading "Gray Areas Remaining" of context.md.
type GrayArea struct {
	N    int // from 1, in the order of the text
	Text string
	Open bool
	Line int // from 1

	mark int // offset of the character between the brackets
	end  int // offset behind the text
}

// GrayAreas lists the boxes under that heading, of any level and in any case,
// and under its subheadings (SP-2). Code between fences is no box.
func GrayAreas(text []byte) []GrayArea {
	var all []GrayArea
	scanGray(text, func(line grayLine) {
		if line.box != nil {
			line.box.N = len(all) + 1
			all = append(all, *line.box)
		}
	})
	return all
}

// CountGray counts them.
func CountGray(text []byte) Gray {
	var g Gray
	for _, a := range GrayAreas(text) {
		g.Total++
		if a.Open {
			g.Open++
		}
	}
	return g
}

// AddGray returns the text with one more open box, at the end of the first
// list under the heading; both are made where they are missing. The question
// must be one line.
func AddGray(text []byte, question string) ([]byte, error) {
	question = strings.TrimSpace(question)
	if err := checkGray("question", question); err != nil {
		return nil, err
	}
	eol := "\n"
	if bytes.Contains(text, []byte("\r\n")) {
		eol = "\r\n"
	}
	heading, last := -1, -1
	section := 0
	scanGray(text, func(line grayLine) {
		if line.heading {
			section++
		}
		if section != 1 {
			return
		}
		if line.heading {
			heading = line.end
		}
		if line.box != nil {
			last = line.end
		}
	})
	box := "- [ ] " + question + eol
	switch {
	case last >= 0:
		return insert(text, last, box, eol), nil
	case heading >= 0:
		return insert(text, heading, eol+box, eol), nil
	case len(text) == 0:
		return []byte("## " + grayHeading + eol + eol + box), nil
	}
	return insert(text, len(text), eol+"## "+grayHeading+eol+eol+box, eol), nil
}

// checkGray says why a text can't be a question, or an answer.
func checkGray(what, text string) error {
	switch {
	case text == "":
		return refuse(CodeInvalid, "the "+what+" is empty", "say what is to be settled")
	case len(text) > maxItem:
		return refuse(CodeInvalid, fmt.Sprintf("the %s has %d bytes, at most %d fit", what, len(text), maxItem), "shorten it")
	case !oneLine(text, maxItem):
		return refuse(CodeInvalid, "the "+what+" has line breaks or control characters, or is not UTF-8", "write it in one plain line; 'git brew doc edit context' takes more")
	}
	return nil
}

// insert puts s at an offset where a line starts; the line before gets its
// break if it is the last one and has none.
func insert(text []byte, at int, s, eol string) []byte {
	if at > 0 && text[at-1] != '\n' {
		s = eol + s
	}
	out := make([]byte, 0, len(text)+len(s))
	return append(append(append(out, text[:at]...), s...), text[at:]...)
}

// ResolveGray returns the text with box n ticked and the answer, which may be
// empty, behind the question; every other byte is kept.
func ResolveGray(text []byte, n int, answer string) ([]byte, error) {
	if answer = strings.TrimSpace(answer); answer != "" {
		if err := checkGray("answer", answer); err != nil {
			return nil, err
		}
	}
	for _, a := range GrayAreas(text) {
		if a.N != n {
			continue
		}
		if !a.Open {
			return nil, refuse(CodeTaskState, fmt.Sprintf("gray area %d is resolved already", n), "see 'git brew gray list'")
		}
		out := append(append([]byte{}, text[:a.mark]...), 'x')
		if answer == "" {
			return append(out, text[a.mark+1:]...), nil
		}
		out = append(out, text[a.mark+1:a.end]...)
		return append(append(out, " — "+answer...), text[a.end:]...), nil
	}
	return nil, fmt.Errorf("%w %d; see 'git brew gray list'", ErrNoGray, n)
}

// grayLine is a line of the section, given to a visitor.
type grayLine struct {
	heading bool // it is the section's heading
	end     int  // offset behind the line
	box     *GrayArea
}

// scanGray visits the lines of the sections under the heading.
func scanGray(text []byte, visit func(grayLine)) {
	level := 0 // of the section we are in
	fence := ""
	at, n := 0, 0
	for raw := range bytes.Lines(text) {
		n++
		start := at
		at += len(raw)
		line := strings.TrimRight(string(raw), "\r\n")
		if fence != "" {
			if closesFence(line, fence) {
				fence = ""
			}
			continue
		}
		if fence = opensFence(line); fence != "" {
			continue
		}
		if n, title := parseHeading(line); n > 0 {
			if isGray := strings.EqualFold(title, grayHeading); isGray {
				level = n
				visit(grayLine{heading: true, end: at})
			} else if n <= level {
				level = 0
			}
			continue
		}
		if level == 0 {
			continue
		}
		if box := parseBox(line); box != nil {
			box.Line, box.mark, box.end = n, box.mark+start, start+len(strings.TrimRight(line, " \t"))
			visit(grayLine{end: at, box: box})
		}
	}
}

// parseHeading returns the level and title of an ATX heading, 0 for none.
func parseHeading(line string) (int, string) {
	s := strings.TrimLeft(line, " ")
	if len(line)-len(s) > 3 {
		return 0, ""
	}
	n := len(s) - len(strings.TrimLeft(s, "#"))
	if n < 1 || n > 6 || len(s) > n && s[n] != ' ' && s[n] != '\t' {
		return 0, ""
	}
	title := strings.TrimRight(strings.TrimSpace(s[n:]), "#")
	return n, strings.TrimSuffix(strings.TrimSpace(title), ":")
}

// opensFence returns the fence that line opens, or "".
func opensFence(line string) string {
	s := strings.TrimLeft(line, " \t")
	for _, c := range []string{"`", "~"} {
		n := len(s) - len(strings.TrimLeft(s, c))
		if n >= 3 && (c == "~" || !strings.Contains(s[n:], "`")) {
			return s[:n]
		}
	}
	return ""
}

func closesFence(line, fence string) bool {
	s := strings.TrimSpace(line)
	return len(s) >= len(fence) && strings.Trim(s, fence[:1]) == ""
}

// parseBox returns the box that line is, its mark relative to the line.
func parseBox(line string) *GrayArea {
	s := strings.TrimLeft(line, " \t")
	at := len(line) - len(s)
	digits := len(s) - len(strings.TrimLeft(s, "0123456789"))
	switch {
	case digits > 0 && digits < 10 && len(s) > digits && (s[digits] == '.' || s[digits] == ')'):
		at += digits + 1
	case s != "" && strings.ContainsRune("-*+", rune(s[0])):
		at++
	default:
		return nil
	}
	rest := strings.TrimLeft(line[at:], " \t")
	if len(rest) == len(line[at:]) {
		return nil
	}
	at = len(line) - len(rest)
	if len(rest) < 3 || rest[0] != '[' || rest[2] != ']' || len(rest) > 3 && rest[3] != ' ' && rest[3] != '\t' {
		return nil
	}
	switch rest[1] {
	case ' ', 'x', 'X':
		return &GrayArea{Text: strings.TrimSpace(rest[3:]), Open: rest[1] == ' ', mark: at + 1}
	}
	return nil
}
