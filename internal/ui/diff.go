package ui

import "strings"

// Diff returns a unified diff, coloured and safe for a terminal.
func Diff(s Style, unified string) string {
	var b strings.Builder
	head := 2 // lines that name the two texts
	for line := range strings.Lines(unified) {
		text := SafeLines(strings.TrimSuffix(line, "\n"))
		switch {
		case head > 0 && (strings.HasPrefix(text, "--- ") || strings.HasPrefix(text, "+++ ")):
			text = s.Bright(text)
			head--
		case strings.HasPrefix(text, "@@"):
			text = s.Busy(text)
		case strings.HasPrefix(text, "-"):
			text = s.Bad(text)
		case strings.HasPrefix(text, "+"):
			text = s.Good(text)
		}
		b.WriteString(text + "\n")
	}
	return b.String()
}
