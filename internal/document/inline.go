package document

import "strings"

// plain is a text in which code and comments are blanks, as many bytes as there
// were, line ends kept: nothing in them counts.
func plain(s string) string {
	if !strings.ContainsAny(s, "`<") {
		return s
	}
	out := []byte(s)
	runs := newRuns(s)
	comments := true // an end of one may still be ahead
	for i := 0; i < len(s); {
		switch {
		case s[i] == '\\' && i+1 < len(s):
			i += 2
		case s[i] == '`':
			n := runLength(s[i:], "`")
			end := runs.next(n, i+n)
			if end < 0 {
				i += n
				continue
			}
			blank(out[i : end+n])
			i = end + n
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

// runs are where runs of backquotes begin, by their length: each is looked for
// from one side only, so that all searches together take as long as the text.
type runs map[int][]int

func newRuns(s string) runs {
	all := runs{}
	for i := 0; i < len(s); {
		at := strings.IndexByte(s[i:], '`')
		if at < 0 {
			break
		}
		i += at
		n := runLength(s[i:], "`")
		all[n] = append(all[n], i)
		i += n
	}
	return all
}

// next is the first run of length n at from or behind it, -1 for none. from must
// not go back.
func (r runs) next(n, from int) int {
	for len(r[n]) > 0 {
		if at := r[n][0]; at >= from {
			return at
		}
		r[n] = r[n][1:]
	}
	return -1
}

// bare is a text of one line without the marks around its words: emphasis,
// code, a link's target.
func bare(s string) string {
	if at := strings.Index(s, "]("); at > 0 && strings.HasPrefix(s, "[") && strings.HasSuffix(s, ")") {
		s = s[1:at]
	}
	s = strings.NewReplacer("**", "", "__", "", "`", "").Replace(s)
	s = strings.Trim(s, " \t")
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
	s = strings.Trim(s, " \t")
	if at := strings.Index(s, "]("); at > 0 && strings.HasPrefix(s, "[") && strings.HasSuffix(s, ")") {
		s = s[1:at]
	}
	for _, mark := range []string{"**", "__", "`", "*", "_"} {
		if n := len(mark); len(s) > 2*n && strings.HasPrefix(s, mark) && strings.HasSuffix(s, mark) &&
			s[n] != '/' && s[n] != mark[0] && s[len(s)-n-1] != '/' {
			s = s[n : len(s)-n]
		}
	}
	return strings.Trim(s, " \t")
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
