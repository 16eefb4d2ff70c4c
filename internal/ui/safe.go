package ui

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/git-brew/git-brew/internal/invisible"
)

// Safe gives text in a form that can't steer a terminal: control characters,
// characters that reorder or hide text, and bytes that are no UTF-8 are shown
// as Go and C spell them (\n, \x1b, \u202e). It always gives one line.
func Safe(text string) string { return clean(text, "") }

// SafeLines is Safe for longer texts: line ends and tabs stay.
func SafeLines(text string) string { return clean(text, "\n\t") }

func clean(text, keep string) string {
	if isSafe(text, keep) {
		return text
	}
	var b strings.Builder
	for i, r := range text {
		size := utf8.RuneLen(r)
		switch {
		case r == utf8.RuneError && !strings.HasPrefix(text[i:], "\uFFFD"):
			fmt.Fprintf(&b, `\x%02x`, text[i])
		case strings.ContainsRune(keep, r) || !invisible.Hides(r):
			b.WriteString(text[i : i+size])
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\r':
			b.WriteString(`\r`)
		case r == '\t':
			b.WriteString(`\t`)
		case r < 0x80:
			fmt.Fprintf(&b, `\x%02x`, r)
		case r < 0x10000:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			fmt.Fprintf(&b, `\U%08x`, r)
		}
	}
	return b.String()
}

// isSafe is the quick answer for nearly every text.
func isSafe(text, keep string) bool {
	for i := range len(text) {
		if c := text[i]; c >= utf8.RuneSelf || c == 0x7f || c < ' ' && strings.IndexByte(keep, c) < 0 {
			return c >= utf8.RuneSelf && utf8.ValidString(text) && !strings.ContainsFunc(text, func(r rune) bool {
				return invisible.Hides(r) && !strings.ContainsRune(keep, r)
			})
		}
	}
	return true
}
