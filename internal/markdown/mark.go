// Package markdown reads the marks of one line of Markdown, as CommonMark has them,
// and a box and a table's row as GitHub has them. Lines come without the blanks in front of them, and are
// not empty.
//
// What a task's state depends on, the boxes of its questions, is counted by these
// marks: what they mean changes with the law of operations alone.
package markdown

import "strings"

const digits = "0123456789"

// Heading reads a heading that begins with number signs; level 0: it is none.
func Heading(s string) (level int, title string) {
	level = RunLength(s, "#")
	if level < 1 || level > 6 || level < len(s) && s[level] != ' ' && s[level] != '\t' {
		return 0, ""
	}
	title = strings.Trim(s[level:], " \t")
	if end := strings.TrimRight(title, "#"); end == "" || strings.HasSuffix(end, " ") || strings.HasSuffix(end, "\t") {
		title = strings.TrimRight(end, " \t")
	}
	return level, title
}

// Underline is the level of the heading that a line makes of the paragraph above, 0
// for none.
func Underline(s string) int {
	s = strings.TrimRight(s, " \t")
	switch {
	case s == "":
	case strings.Trim(s, "=") == "":
		return 1
	case strings.Trim(s, "-") == "":
		return 2
	}
	return 0
}

// Fence is the fence that begins a block of code; "" for none.
func Fence(s string) string {
	if n := RunLength(s, "~"); n >= 3 {
		return s[:n]
	}
	if n := RunLength(s, "`"); n >= 3 && !strings.Contains(s[n:], "`") {
		return s[:n]
	}
	return ""
}

// ClosesFence reports whether a line ends the code that a fence begins.
func ClosesFence(s, fence string) bool {
	s = strings.TrimRight(s, " \t")
	return len(s) >= len(fence) && strings.Trim(s, fence[:1]) == ""
}

// RunLength is how many bytes a text begins with that are marks, of some.
func RunLength(s, marks string) int { return len(s) - len(strings.TrimLeft(s, marks)) }

// Break reports a line across the page.
func Break(s string) bool {
	return strings.Contains("-*_", s[:1]) && strings.Trim(s, s[:1]+" \t") == "" && strings.Count(s, s[:1]) >= 3
}

// Item is the length of the mark of a list's item, 0 for none; first: a list may
// begin with it behind a paragraph's line, since it is no number but one.
func Item(s string) (n int, first bool) {
	if s == "" {
		return 0, false
	}
	if strings.Contains("-*+", s[:1]) {
		n, first = 1, true
	} else {
		number := RunLength(s, digits)
		if number == 0 || number > 9 || number == len(s) || s[number] != '.' && s[number] != ')' {
			return 0, false
		}
		n, first = number+1, strings.TrimLeft(s[:number], "0") == "1"
	}
	if n < len(s) && s[n] != ' ' && s[n] != '\t' {
		return 0, false
	}
	return n, first
}

// Box reads the box that an item's text begins with, and what stands behind it.
func Box(s string) (text string, open, ok bool) {
	if len(s) < 3 || s[0] != '[' || s[2] != ']' || len(s) > 3 && s[3] != ' ' && s[3] != '\t' {
		return "", false, false
	}
	return strings.TrimSpace(s[3:]), s[1] == ' ', strings.Contains(" xX", s[1:2])
}

// Cells are the cells of a table's row. \| is no border.
func Cells(line string) []string {
	const border = "\x00" // no text has it
	line = strings.TrimPrefix(strings.Trim(line, " \t"), "|")
	row := strings.Split(strings.ReplaceAll(line, `\|`, border), "|")
	if last := len(row) - 1; last > 0 && row[last] == "" {
		row = row[:last]
	}
	for i, cell := range row {
		row[i] = strings.ReplaceAll(strings.Trim(cell, " \t"), border, "|")
	}
	return row
}

// Row is a row of a table, as Cells reads it. A cell has no line end.
func Row(cells ...string) string {
	row := "|"
	for _, cell := range cells {
		row += " " + strings.ReplaceAll(cell, "|", `\|`) + " |"
	}
	return row
}
