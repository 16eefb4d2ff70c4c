package invisible

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Ellipsis stands where a text was cut.
const Ellipsis = "…"

// Line returns s as one line to be shown or kept: terminal sequences, bytes that are
// no UTF-8 and what a person doesn't see go, and every run of blanks becomes one space.
func Line(s string) string { return strip(s, false) }

// Lines returns s without what Line takes out, but for line feeds, tabs and blanks, and
// a sign where bytes are no UTF-8.
func Lines(s string) string { return strip(s, true) }

func strip(s string, keepBlanks bool) string {
	if isLine(s) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	blank := false
	for i := 0; i < len(s); {
		if n := sequence(s[i:]); n > 0 {
			i += n
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		i += size
		switch {
		case r == utf8.RuneError && size == 1 && !keepBlanks:
		case keepBlanks && (r == '\n' || r == '\t'):
			b.WriteRune(r)
		case !keepBlanks && unicode.IsSpace(r):
			blank = true
		case Hides(r):
		default:
			if blank && b.Len() > 0 {
				b.WriteByte(' ')
			}
			blank = false
			b.WriteRune(r)
		}
	}
	return b.String()
}

// isLine reports that s is printable ASCII with single blanks inside: the quick answer
// for nearly every text.
func isLine(s string) bool {
	for i := range len(s) {
		c := s[i]
		if c < ' ' || c >= 0x7f || c == ' ' && (i == 0 || i == len(s)-1 || s[i-1] == ' ') {
			return false
		}
	}
	return true
}

// sequence is the length of the terminal sequence that s begins with, 0 for none.
func sequence(s string) int {
	if !strings.HasPrefix(s, "\x1b[") {
		return 0
	}
	for i := 2; i < len(s); i++ {
		if s[i] >= 0x40 && s[i] <= 0x7e {
			return i + 1
		}
	}
	return len(s)
}

// Cut shortens s to at most n characters, an ellipsis among them, at a word's end
// where one is near.
func Cut(s string, n int) string {
	if len(s) <= n || utf8.RuneCountInString(s) <= n {
		return s
	}
	if n < 1 {
		return ""
	}
	return cutAt(s, len(First(s, n-1)))
}

// CutBytes is Cut with bytes for characters: of what is bounded in size.
func CutBytes(s string, n int) string {
	if len(s) <= n {
		return s
	}
	if n -= len(Ellipsis); n <= 0 {
		return ""
	}
	return cutAt(s, len(FirstBytes(s, n)))
}

// cutAt cuts s behind so many bytes, or at the end of a word shortly before.
func cutAt(s string, end int) string {
	if at := strings.LastIndexByte(s[:end+1], ' '); at > end/2 {
		end = at
	}
	return strings.TrimRight(s[:end], " ,;:-") + Ellipsis
}

// First returns the first n characters of s.
func First(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for i := range s {
		if n == 0 {
			return s[:i]
		}
		n--
	}
	return s
}

// FirstBytes returns the first characters of s, at most n bytes.
func FirstBytes(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

// FirstLines returns the first n lines of s, and a line that counts the rest.
func FirstLines(s string, n int) string {
	lines := strings.Split(s, "\n")
	if len(lines) <= n {
		return s
	}
	return strings.Join(lines[:n], "\n") + fmt.Sprintf("\n(%d lines more)", len(lines)-n)
}

// LastLine returns the last line of s that says something, as Line has it; "" where none does.
func LastLine(s string) string {
	s = strings.TrimSpace(s)
	return Line(s[strings.LastIndexByte(s, '\n')+1:])
}
