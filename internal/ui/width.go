package ui

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/width"
)

// DefaultWidth is how many columns a line may take where nobody knows.
const DefaultWidth = 80

// ellipsis stands for what was cut off.
const ellipsis = "…"

// Width is how many columns a terminal needs for text. Colours count nothing.
func Width(text string) int {
	plain := 0
	for plain < len(text) && text[plain] >= ' ' && text[plain] < 0x7f {
		plain++
	}
	width := plain
	text = text[plain:]
	for i := 0; i < len(text); {
		if skip := escapeLen(text[i:]); skip > 0 {
			i += skip
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		width += runeWidth(r)
		i += size
	}
	return width
}

// Truncate cuts text to at most width columns; what is cut off shows as an
// ellipsis. Colours stay around what is left.
func Truncate(text string, width int) string {
	if len(text) <= width || Width(text) <= width {
		return text
	}
	if width < 1 {
		return ""
	}
	used, coloured := 0, false
	for i := 0; i < len(text); {
		if skip := escapeLen(text[i:]); skip > 0 {
			coloured = true
			i += skip
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		w := runeWidth(r)
		if used+w > width-1 {
			text = text[:i] + ellipsis
			break
		}
		used += w
		i += size
	}
	if coloured {
		text += plainAgain
	}
	return text
}

// Pad fills text with blanks up to width columns.
func Pad(text string, width int) string {
	if missing := width - Width(text); missing > 0 {
		return text + strings.Repeat(" ", missing)
	}
	return text
}

// escapeLen is the length of a colour escape at the start of text, else 0.
func escapeLen(text string) int {
	if !strings.HasPrefix(text, "\x1b[") {
		return 0
	}
	for i := 2; i < len(text); i++ {
		if c := text[i]; c >= 0x40 && c <= 0x7e {
			return i + 1
		}
	}
	return 0
}

// runeWidth is how many columns a character takes.
func runeWidth(r rune) int {
	switch {
	case r < ' ', r >= 0x7f && r < 0xa0, r == 0xad:
		return 0
	case r < 0x300:
		return 1
	case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
		return 0
	}
	switch width.LookupRune(r).Kind() {
	case width.EastAsianWide, width.EastAsianFullwidth:
		return 2
	default:
		return 1
	}
}

// Short is a commit's id as people see it.
func Short(commit string) string { return commit[:min(7, len(commit))] }

// Words is a name of the records as people read it: in progress.
func Words(name string) string { return strings.ReplaceAll(name, "_", " ") }

// Plural is a number of things: 1 phase, 2 phases.
func Plural(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return strconv.Itoa(n) + " " + thing + "s"
}
