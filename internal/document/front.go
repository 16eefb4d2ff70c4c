package document

import (
	"errors"
	"strings"
	"unicode/utf8"

	"github.com/git-brew/git-brew/internal/invisible"
)

// Bounds of front matter, in bytes and lines, and of a value. What is larger is no front
// matter.
const (
	maxFront      = 64 << 10
	maxFrontLines = 1000
	maxFrontValue = 512
)

// Front is what stands between two lines of dashes at a document's beginning: of
// YAML as much as such documents use, which is fields with a text or a list of
// texts.
type Front struct {
	Fields []Field
	// Lines is how many lines it has, with the dashes; 0: there is none.
	Lines int
	// Odd are the lines between the dashes that are neither fields nor part of one.
	Odd []int
	// Open: the document begins as if it had front matter, which does not end.
	Open bool
}

// Field is a field of front matter.
type Field struct {
	Key    string // in lower case, with underscores
	Line   int    // from 1, in the document
	Values []string
	// Unread says why the values could not be read; nil: they were. Raw is what
	// stands there then.
	Unread error
	Raw    string
}

// Field returns the field of that key.
func (f Front) Field(key string) (Field, bool) {
	for _, field := range f.Fields {
		if field.Key == key {
			return field, true
		}
	}
	return Field{}, false
}

// Values are those of the field of that key, none where it can't be read.
func (f Front) Values(key string) []string {
	field, _ := f.Field(key)
	if field.Unread != nil {
		return nil
	}
	return field.Values
}

// Value is the one value of the field of that key, else "".
func (f Front) Value(key string) string {
	if values := f.Values(key); len(values) == 1 {
		return values[0]
	}
	return ""
}

// ReadFront reads the front matter of a document, if it has any. Keys count in
// lower case, a dash in them as an underscore.
func ReadFront(text []byte) Front {
	lines, ends := frontLines(text)
	if !ends {
		open := false
		if len(lines) > 1 {
			_, _, open = frontKey(lines[1])
		}
		return Front{Open: open}
	}
	f := Front{Lines: len(lines) + 1}
	for i := 1; i < len(lines); {
		key, rest, ok := frontKey(lines[i])
		field := Field{Key: key, Line: i + 1}
		i++
		if !ok {
			if said := strings.TrimSpace(lines[i-1]); said != "" && said[0] != '#' {
				f.Odd = append(f.Odd, field.Line)
			}
			continue
		}
		below := i
		for i < len(lines) && (lines[i] == "" || strings.IndexByte(" \t-", lines[i][0]) >= 0) {
			i++
		}
		field.Values, field.Unread = frontValues(rest, lines[below:i])
		for k := range f.Fields {
			if f.Fields[k].Key == key {
				f.Fields[k].Unread, field.Unread = errTwice, errTwice
			}
		}
		if field.Unread != nil {
			field.Raw = strings.Join(append([]string{rest}, lines[below:i]...), " ")
		}
		f.Fields = append(f.Fields, field)
	}
	return f
}

var (
	errTwice = errors.New("it is there twice")
	errForm  = errors.New("only a text, or a list of texts, is read; put a text with other marks into quotes, " +
		"without a backslash, and one with a comma on a line of its own")
)

// frontLines are the lines of front matter, from its first dashes on, and whether it
// ends.
func frontLines(text []byte) (lines []string, ends bool) {
	head := strings.TrimPrefix(string(text[:min(len(text), maxFront)]), "\ufeff")
	for line := range strings.Lines(head) {
		line = strings.TrimRight(line, " \t\r\n")
		switch {
		case len(lines) == 0 && line != "---" || len(lines) > maxFrontLines:
			return lines, false
		case len(lines) > 0 && (line == "---" || line == "..."):
			return lines, true
		}
		lines = append(lines, line)
	}
	return lines, false
}

// frontKey parts "key: value"; not ok for what is neither a field nor of one.
func frontKey(line string) (key, rest string, ok bool) {
	key, rest, ok = strings.Cut(line, ":")
	if !ok || key == "" || strings.Trim(key, letters+digits+"_-") != "" ||
		rest != "" && rest[0] != ' ' && rest[0] != '\t' {
		return "", "", false
	}
	return strings.ToLower(strings.ReplaceAll(key, "-", "_")), strings.TrimSpace(rest), true
}

// frontValues are a field's values: what stands behind its colon, or the list below.
func frontValues(rest string, below []string) (values []string, err error) {
	rest = withoutComment(rest)
	items := []string{rest}
	if list, ok := strings.CutPrefix(rest, "["); ok {
		if list, ok = strings.CutSuffix(list, "]"); !ok {
			return nil, errForm
		}
		items = strings.Split(list, ",")
	}
	for _, line := range below {
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		item, ok := strings.CutPrefix(line+" ", "- ")
		if !ok || rest != "" {
			return nil, errForm
		}
		items = append(items, withoutComment(strings.TrimSpace(item)))
	}
	for _, item := range items {
		value, err := frontScalar(strings.TrimSpace(item))
		if err != nil {
			return nil, err
		}
		if value != "" {
			values = append(values, value)
		}
	}
	return values, nil
}

// withoutComment cuts off the comment that may stand behind a text without quotes, or alone.
func withoutComment(s string) string {
	if s == "" || strings.IndexByte(`"'[`, s[0]) >= 0 {
		return s
	}
	before, _, _ := strings.Cut(" "+s, " #")
	return strings.TrimSpace(before)
}

// frontScalar is one text; "" for the ways to say nothing.
func frontScalar(s string) (string, error) {
	fits := len(s) <= maxFrontValue && utf8.ValidString(s) && !strings.ContainsFunc(s, invisible.Hides)
	switch {
	case s == "" || s == "~" || strings.EqualFold(s, "null") || strings.EqualFold(s, "none"):
		return "", nil
	case s[0] == '"' || s[0] == '\'':
		inner, ended := strings.CutSuffix(s[1:], s[:1])
		fits = fits && ended && !strings.ContainsAny(inner, s[:1]+`\`)
		s = inner
	default:
		fits = fits && strings.IndexByte("&*!|>{}[]%@`?#", s[0]) < 0 && !strings.Contains(s, " #")
	}
	if !fits {
		return "", errForm
	}
	return s, nil
}
