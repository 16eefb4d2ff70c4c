package document

import (
	"strings"

	"github.com/git-brew/git-brew/internal/markdown"
)

// plain is a text in which code and comments are blanks, as many bytes as there
// were, line ends kept: nothing in them counts.
func plain(s string) string {
	if !strings.ContainsAny(s, "`<") {
		return s
	}
	out := []byte(s)
	unended := map[int]bool{} // runs of so many backquotes end nothing from here on
	comments := true          // an end of one may still be ahead
	for i := 0; i < len(s); {
		switch {
		case s[i] == '\\' && i+1 < len(s):
			i += 2
		case s[i] == '`':
			n, end := markdown.RunLength(s[i:], "`"), -1
			if !unended[n] {
				end = endOfCode(s[i+n:], n)
			}
			if end < 0 {
				unended[n] = true
				i += n
				continue
			}
			blank(out[i : i+n+end])
			i += n + end
		case comments && strings.HasPrefix(s[i:], "<!--"):
			end := strings.Index(s[i+2:], "-->")
			if comments = end >= 0; comments {
				blank(out[i : i+2+end+len("-->")])
				i += 2 + end + len("-->")
				continue
			}
			i++
		default:
			i++
		}
	}
	return string(out)
}

func blank(b []byte) {
	for i := range b {
		if b[i] != '\n' {
			b[i] = ' '
		}
	}
}

// endOfCode is where the code ends that began with n backquotes before s, -1 for
// nowhere.
func endOfCode(s string, n int) int {
	for at := 0; ; {
		next := strings.IndexByte(s[at:], '`')
		if next < 0 {
			return -1
		}
		length := markdown.RunLength(s[at+next:], "`")
		if at += next + length; length == n {
			return at
		}
	}
}

// bare is a text of one line without the marks around its words: emphasis,
// code, a link's target.
func bare(s string) string {
	s = strings.Trim(strings.NewReplacer("**", "", "__", "", "`", "").Replace(linked(s)), " \t")
	for _, mark := range []string{"*", "_"} {
		if len(s) > 2 && strings.HasPrefix(s, mark) && strings.HasSuffix(s, mark) {
			s = s[1 : len(s)-1]
		}
	}
	return strings.TrimSpace(s)
}

// unwrapped is a path without the marks that stand around all of it: code, emphasis,
// a link's target. Stars beside a slash are a pattern's.
func unwrapped(s string) string {
	s = linked(strings.Trim(s, " \t"))
	for _, mark := range []string{"**", "__", "`", "*", "_"} {
		if n := len(mark); len(s) > 2*n && strings.HasPrefix(s, mark) && strings.HasSuffix(s, mark) &&
			s[n] != '/' && s[n] != mark[0] && s[len(s)-n-1] != '/' {
			s = s[n : len(s)-n]
		}
	}
	return strings.Trim(s, " \t")
}

func linked(s string) string {
	if text, _, ok := strings.Cut(s, "]("); ok && strings.HasPrefix(text, "[") && strings.HasSuffix(s, ")") {
		return text[1:]
	}
	return s
}

// Placeholders are the parts of a text that wait to be filled in: {NAME}, in
// capitals, outside code and comments. What a shell would fill in is none.
func Placeholders(s string) []string {
	var found []string
	s = plain(s)
	for from := 0; ; {
		at := strings.IndexByte(s[from:], '{')
		if at < 0 {
			return found
		}
		at += from
		from = at + 1
		end := from
		for end < len(s) && (s[end] >= 'A' && s[end] <= 'Z' || end > from && strings.IndexByte(digits+"_- ", s[end]) >= 0) {
			end++
		}
		if end-from < 2 || end == len(s) || s[end] != '}' || at > 0 && (s[at-1] == '$' || s[at-1] == '\\') {
			continue
		}
		found = append(found, s[at:end+1])
	}
}

// The characters that ids and keys are made of.
const (
	letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	digits  = "0123456789"
)
