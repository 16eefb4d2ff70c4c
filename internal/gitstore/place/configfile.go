package place

import (
	"fmt"
	"strings"

	"github.com/git-brew/git-brew/internal/gitstore/plumbing"
)

// Setting is one line of a configuration: its key as git prints it (section
// and name in lower case, subsection as is).
type Setting struct {
	Key   string
	Value string
}

// parseConfigFile reads one configuration file in git's syntax, without
// following includes: what git itself does to learn a repository's format
// before anything else. A name without "=" has the value "true".
func parseConfigFile(data []byte) ([]Setting, error) {
	text := strings.ReplaceAll(strings.TrimPrefix(string(data), "\ufeff"), "\r\n", "\n")
	var found []Setting
	section := ""
	for rest := text; ; {
		rest = strings.TrimLeft(rest, " \t\n")
		if rest == "" {
			return found, nil
		}
		before, ok := len(text)-len(rest), true
		switch rest[0] {
		case '#', ';':
			_, rest, _ = strings.Cut(rest, "\n")
		case '[':
			section, rest, ok = parseHeader(rest[1:])
		default:
			var s Setting
			s, rest, ok = parseSetting(section, rest)
			found = append(found, s)
		}
		if !ok {
			return nil, fmt.Errorf("%w %d", plumbing.ErrBadConfig, 1+strings.Count(text[:before], "\n"))
		}
	}
}

// parseHeader reads a section's name behind "[": name, name.sub or name "sub".
func parseHeader(text string) (section, rest string, ok bool) {
	end := strings.IndexFunc(text, func(c rune) bool { return !isKey(c) && c != '.' })
	if end <= 0 {
		return "", "", false
	}
	section, rest = strings.ToLower(text[:end]), text[end:]
	if rest[0] == ']' {
		return section, rest[1:], true
	}
	quoted, ok := strings.CutPrefix(strings.TrimLeft(rest, " \t"), `"`)
	if !ok || rest[0] == '"' {
		return "", "", false
	}
	sub := []byte{'.'}
	for i := 0; i < len(quoted) && quoted[i] != '\n'; i++ {
		switch quoted[i] {
		case '"':
			rest, ok = strings.CutPrefix(quoted[i+1:], "]")
			return section + string(sub), rest, ok
		case '\\':
			if i++; i == len(quoted) || quoted[i] == '\n' {
				return "", "", false
			}
		}
		sub = append(sub, quoted[i])
	}
	return "", "", false
}

// parseSetting reads a name, and what stands behind it to the end of the line.
func parseSetting(section, text string) (s Setting, rest string, ok bool) {
	end := strings.IndexFunc(text, func(c rune) bool { return !isKey(c) })
	if end < 0 {
		end = len(text)
	}
	s = Setting{Key: strings.ToLower(text[:end]), Value: "true"}
	if end == 0 || !IsAlpha(text[0]) {
		return s, "", false
	}
	if section != "" { // git takes what stands before the first section
		s.Key = section + "." + s.Key
	}
	rest = strings.TrimLeft(text[end:], " \t")
	if rest == "" || rest[0] == '\n' {
		return s, rest, true
	}
	if rest[0] != '=' {
		return s, "", false
	}
	s.Value, rest, ok = parseValue(rest[1:])
	return s, rest, ok
}

// parseValue reads to the end of the line, with quotes, escapes, comments, and
// lines that go on after a backslash.
func parseValue(text string) (value, rest string, ok bool) {
	var out strings.Builder
	quoted := false
	blanks := 0 // held back: dropped at the end of the line
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case c == '\n':
			return out.String(), text[i:], !quoted
		case !quoted && (c == ' ' || c == '\t'):
			if out.Len() > 0 {
				blanks++
			}
			continue
		case !quoted && (c == '#' || c == ';'):
			_, rest, _ = strings.Cut(text[i:], "\n")
			return out.String(), rest, true
		}
		out.WriteString(strings.Repeat(" ", blanks))
		blanks = 0
		switch c {
		case '"':
			quoted = !quoted
		case '\\':
			i++
			at := -1
			if i < len(text) {
				at = strings.IndexByte("\ntnb\\\"", text[i])
			}
			if at < 0 {
				return "", "", false
			}
			out.WriteString([]string{"", "\t", "\n", "\b", `\`, `"`}[at])
		default:
			out.WriteByte(c)
		}
	}
	return out.String(), "", !quoted
}

func isKey(c rune) bool {
	return c < 0x80 && (IsAlpha(byte(c)) || '0' <= c && c <= '9') || c == '-'
}

// IsAlpha reports a letter of ASCII.
func IsAlpha(c byte) bool { return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' }

// ParseBool reads a boolean as git does; ok is false when it is none.
func ParseBool(s string) (value, ok bool) {
	switch strings.ToLower(s) {
	case "true", "yes", "on", "1":
		return true, true
	case "false", "no", "off", "0", "":
		return false, true
	}
	return false, false
}
