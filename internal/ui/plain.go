package ui

import "strings"

// Plain is text without its colours.
func Plain(text string) string {
	var b strings.Builder
	for {
		start := strings.IndexByte(text, '\x1b')
		if start < 0 {
			b.WriteString(text)
			return b.String()
		}
		b.WriteString(text[:start])
		text = text[start+max(1, escapeLen(text[start:])):]
	}
}
