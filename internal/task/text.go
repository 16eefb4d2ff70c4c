package task

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

func WithReason(s, reason string) string {
	if reason == "" {
		return s
	}
	return s + ": " + reason
}

func cell(s string) string { return strings.ReplaceAll(Inline(s), "|", `\|`) }

// Inline makes a text one line of Markdown that can't start anything else.
func Inline(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	return strings.NewReplacer("<", "&lt;", "\\", "\\\\").Replace(s)
}

// Clip cuts s to n bytes at a rune's edge.
func Clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && s[n]&0xc0 == 0x80 {
		n--
	}
	return s[:n] + "…"
}

// MaxSubject is how long a subject is meant to be at most, in runes.
const MaxSubject = 72

// inOneLine removes what a line can't hold.
func inOneLine(s string) string {
	return strings.Join(strings.Fields(strings.Map(func(r rune) rune {
		if r == '\n' || r == '\t' || r == '\r' {
			return ' '
		}
		if IsControl(r) {
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, "?"))), " ")
}

// SubjectPath is a path in one line, of which the end tells the most.
func SubjectPath(s string) string {
	s = inOneLine(s)
	if n := utf8.RuneCountInString(s); n > MaxSubject {
		s = "…" + string([]rune(s)[n-MaxSubject+1:])
	}
	return s
}

// SubjectLine removes what a line can't hold and cuts it.
func SubjectLine(s string) string {
	s = inOneLine(s)
	if utf8.RuneCountInString(s) <= MaxSubject {
		return s
	}
	cut := string([]rune(s)[:MaxSubject-1])
	if quotes := strings.Count(cut, `"`); quotes%2 == 1 {
		return strings.TrimSpace(string([]rune(s)[:MaxSubject-2])) + `…"`
	}
	return strings.TrimSpace(cut) + "…"
}

// Counted is "1 remark", "2 remarks".
func Counted(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return strconv.Itoa(n) + " " + noun
}
