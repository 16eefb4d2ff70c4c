package question

import (
	"bytes"
	"strings"

	"github.com/git-brew/git-brew/internal/markdown"
)

// scanned is what stands under the headings of questions. The offsets are behind a line of
// the first section: its heading, and its last box; 0 for none.
type scanned struct {
	boxes         []Question
	heading, last int
}

// scan reads the sections under the heading. What it counts is part of a task's state, so
// it reads as little of Markdown as that takes.
func scan(text []byte) (found scanned) {
	sections := 0
	level := 0               // of the section we are in
	above, fresh := "", true // the line above, where it may be an underlined title; whether a paragraph may begin
	var hidden hiddenText
	at, n := 0, 0
	for raw := range bytes.Lines(text) {
		n++
		start := at
		at += len(raw)
		line := strings.TrimRight(string(raw), "\r\n")
		if n == 1 {
			line = strings.TrimPrefix(line, byteOrderMark)
		}
		if hidden.hides(line) {
			above, fresh = "", true
			continue
		}
		depth, title, under := heading(line)
		if under > 0 && above != "" {
			depth, title = under, above
		}
		above, fresh = titleAt(line, fresh), depth > 0 || strings.TrimSpace(line) == ""
		if depth > 0 {
			if isQuestionHeading(title) {
				level = depth
				if sections++; sections == 1 {
					found.heading = at
				}
			} else if depth <= level {
				level = 0
			}
			continue
		}
		box := parseBox(line)
		if box == nil || level == 0 {
			continue
		}
		box.N, box.Line = len(found.boxes)+1, n
		box.mark, box.end = box.mark+start, start+len(strings.TrimRight(line, " \t"))
		found.boxes = append(found.boxes, *box)
		if sections == 1 {
			found.last = at
		}
	}
	return found
}

// byteOrderMark is what some editors put in front of a text.
const byteOrderMark = "\ufeff"

// hiddenText follows what is shown as it is, between fences, or not at all, in
// comments that begin a line.
type hiddenText struct {
	fence   string
	comment bool
}

// hides reports whether a line is hidden, as the first and the last one are.
func (h *hiddenText) hides(line string) bool {
	switch {
	case h.fence != "":
		if markdown.ClosesFence(strings.TrimLeft(line, " \t"), h.fence) {
			h.fence = ""
		}
		return true
	case h.comment:
		h.comment = !strings.Contains(line, "-->")
		return true
	}
	if h.fence = markdown.Fence(strings.TrimLeft(line, " \t")); h.fence != "" {
		return true
	}
	if begun, ok := strings.CutPrefix(strings.TrimLeft(line, " \t"), "<!--"); ok {
		h.comment = !strings.Contains(begun, "-->")
		return true
	}
	return false
}

// isQuestionHeading compares a title by its words: a number in front, marks around it
// and a remark in brackets behind it change nothing. Only ASCII is looked at, which
// is the same in every version of Go.
func isQuestionHeading(title string) bool {
	if at := strings.LastIndexByte(title, '('); at > 0 && strings.HasSuffix(title, ")") {
		title = title[:at]
	}
	words := strings.FieldsFunc(title, func(r rune) bool {
		return (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
	})
	for len(words) > 0 && strings.Trim(words[0], "0123456789") == "" {
		words = words[1:]
	}
	of := strings.Join(words, " ")
	return strings.EqualFold(of, questionHeading) || strings.EqualFold(of, specdacularHeading)
}

// heading returns the level and title of the heading that a line is, or, of level 0,
// the level of the one that it makes of the line above.
func heading(line string) (level int, title string, above int) {
	s := strings.TrimLeft(line, " ")
	if s == "" || len(line)-len(s) > 3 {
		return 0, "", 0
	}
	level, title = markdown.Heading(s)
	return level, title, markdown.Underline(s)
}

// titleAt returns the line where a line below may make a heading of it: as a
// paragraph by itself, in no list, since what a list holds no line below can.
func titleAt(line string, fresh bool) string {
	if !fresh || line == "" || strings.ContainsRune(" \t-*+>|", rune(line[0])) || line[0] >= '0' && line[0] <= '9' {
		return ""
	}
	return strings.TrimSpace(line)
}

// parseBox returns the box that line is, its mark relative to the line.
func parseBox(line string) *Question {
	s := strings.TrimLeft(line, " \t")
	mark, _ := markdown.Item(s)
	text := strings.TrimLeft(s[mark:], " \t")
	said, open, ok := markdown.Box(text)
	if mark == 0 || !ok {
		return nil
	}
	return &Question{Text: said, Open: open, mark: len(line) - len(text) + 1}
}
