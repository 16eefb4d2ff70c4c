package document

import "strings"

// atx reads a heading that begins with number signs; level 0: it is none.
func atx(s string) (level int, title string) {
	level = runLength(s, "#")
	if level < 1 || level > 6 || level < len(s) && s[level] != ' ' && s[level] != '\t' {
		return 0, ""
	}
	title = strings.Trim(s[level:], " \t")
	if end := strings.TrimRight(title, "#"); end == "" || strings.HasSuffix(end, " ") || strings.HasSuffix(end, "\t") {
		title = strings.TrimRight(end, " \t")
	}
	return level, title
}

// fenceOf is the fence that begins a block of code; "" for none.
func fenceOf(s string) string {
	if n := runLength(s, "~"); n >= 3 {
		return s[:n]
	}
	if n := runLength(s, "`"); n >= 3 && !strings.Contains(s[n:], "`") {
		return s[:n]
	}
	return ""
}

func closesFence(s, fence string) bool {
	s = strings.TrimRight(s, " \t")
	return len(s) >= len(fence) && strings.Trim(s, fence[:1]) == ""
}

// runLength is how many marks a text begins with.
func runLength(s, mark string) int { return len(s) - len(strings.TrimLeft(s, mark)) }

// isSetext reports a line that makes a heading of the paragraph above.
func isSetext(s string) bool {
	s = strings.TrimRight(s, " \t")
	return s != "" && (strings.Trim(s, "=") == "" || strings.Trim(s, "-") == "")
}

// isBreak reports a line across the page.
func isBreak(s string) bool {
	return strings.Contains("-*_", s[:1]) && strings.Trim(s, s[:1]+" \t") == "" && strings.Count(s, s[:1]) >= 3
}

// listMark is the length of the mark of a list's item, 0 for none; first: a list may
// begin with it behind a paragraph's line, since it is no number but one.
func listMark(s string) (n int, first bool) {
	if strings.Contains("-*+", s[:1]) {
		n, first = 1, true
	} else {
		number := runLength(s, digits)
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

// The characters that ids and keys are made of.
const (
	letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	digits  = "0123456789"
)
