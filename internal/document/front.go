package document

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/git-brew/git-brew/internal/invisible"
)

// Bounds of front matter, in bytes, lines, and items of a list. What is larger
// is no front matter.
const (
	maxFront      = 64 << 10
	maxFrontLines = 1000
	maxFrontItems = 1000
	maxFrontValue = 512
	maxFrontKey   = 64
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
	if i := f.place(key); i >= 0 {
		return f.Fields[i], true
	}
	return Field{}, false
}

func (f Front) place(key string) int {
	return slices.IndexFunc(f.Fields, func(x Field) bool { return x.Key == key })
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
	lines = lines[1:]
	f := Front{Lines: len(lines) + 2}
	for i := 0; i < len(lines); {
		key, rest, ok := frontKey(lines[i])
		field := Field{Key: key, Line: i + 2}
		i++
		if !ok {
			if said := strings.TrimSpace(lines[i-1]); said != "" && said[0] != '#' {
				f.Odd = append(f.Odd, field.Line)
			}
			continue
		}
		var block []string
		for ; i < len(lines) && belongsBelow(lines[i]); i++ {
			block = append(block, lines[i])
		}
		if field.Values, field.Unread = frontValue(rest, block); field.Unread != nil {
			field.Raw = strings.Join(append([]string{rest}, block...), " ")
		}
		if at := f.place(key); at >= 0 {
			f.Fields[at].Unread = errTwice
			continue
		}
		f.Fields = append(f.Fields, field)
	}
	return f
}

var (
	errTwice = errors.New("it is there twice")
	errForm  = errors.New("only a text, or a list of texts, is read; put a text with other marks into quotes, " +
		"without a backslash")
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
	if !ok || key == "" || len(key) > maxFrontKey || strings.Trim(key, letters+digits+"_-") != "" ||
		rest != "" && rest[0] != ' ' && rest[0] != '\t' {
		return "", "", false
	}
	return strings.ToLower(strings.ReplaceAll(key, "-", "_")), strings.TrimSpace(rest), true
}

// belongsBelow tells of a line that goes on with the field above it.
func belongsBelow(line string) bool {
	return line == "" || line[0] == ' ' || line[0] == '\t' || line == "-" || strings.HasPrefix(line, "- ")
}

// frontValue is a field's value: what stands behind its colon, or the list below.
func frontValue(rest string, block []string) (values []string, err error) {
	inLine := strings.HasPrefix(rest, "[")
	if !inLine {
		rest = withoutComment(rest)
	}
	var items []string
	for _, line := range block {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		item, ok := strings.CutPrefix(line, "-")
		if !ok || rest != "" || item != "" && item[0] != ' ' && item[0] != '\t' {
			return nil, errForm
		}
		items = append(items, withoutComment(strings.TrimSpace(item)))
	}
	switch {
	case inLine:
		items, err = flowItems(rest[1:])
	case rest != "":
		items = []string{rest}
	}
	if err == nil && len(items) > maxFrontItems {
		err = fmt.Errorf("it has more than %d values", maxFrontItems)
	}
	for _, item := range items {
		if err != nil {
			return nil, err
		}
		var value string
		if value, err = frontScalar(strings.TrimSpace(item)); value != "" {
			values = append(values, value)
		}
	}
	return values, err
}

// flowItems parts a list that stands in one line, behind its bracket. Commas in quotes
// are text, and so are brackets inside a word: src/[id].tsx.
func flowItems(s string) (items []string, err error) {
	end := strings.LastIndexByte(s, ']')
	if end < 0 || withoutComment(strings.TrimSpace(s[end+1:])) != "" {
		return nil, errForm
	}
	for more, rest := true, s[:end]; more; {
		s := strings.TrimSpace(rest)
		at := 0
		if s != "" && (s[0] == '"' || s[0] == '\'') {
			at = 2 + strings.IndexByte(s[1:], s[0])
		} else if plain, _, _ := strings.Cut(s, ","); strings.Contains(plain, " #") {
			return nil, errForm
		}
		var behind string
		behind, rest, more = strings.Cut(s[at:], ",")
		items = append(items, s[:at]+behind)
	}
	return items, nil
}

// withoutComment cuts a comment off; a # inside a word or quotes is none.
func withoutComment(s string) string {
	if s == "" || s[0] == '"' || s[0] == '\'' {
		return s
	}
	if s[0] == '#' {
		return ""
	}
	if at := strings.Index(s, " #"); at >= 0 {
		return strings.TrimSpace(s[:at])
	}
	return s
}

// frontScalar is one text; "" for the ways to say nothing.
func frontScalar(s string) (string, error) {
	switch {
	case s == "" || s == "~" || strings.EqualFold(s, "null") || strings.EqualFold(s, "none"):
		return "", nil
	case s[0] == '"' || s[0] == '\'':
		end := strings.LastIndexByte(s, s[0])
		if after := s[end+1:]; end == 0 || after != "" && withoutComment(strings.TrimSpace(after)) != "" {
			return "", errForm
		}
		inner := s[1:end]
		if s[0] == '\'' {
			inner = strings.ReplaceAll(inner, "''", "'")
		} else if strings.Contains(inner, `\`) {
			return "", errForm
		}
		s = inner
	case strings.IndexByte("&*!|>{}[]%@`?", s[0]) >= 0:
		return "", errForm
	}
	if s != "" && (len(s) > maxFrontValue || !utf8.ValidString(s) || strings.ContainsFunc(s, invisible.Hides)) {
		return "", fmt.Errorf("it is no plain text of at most %d bytes", maxFrontValue)
	}
	return s, nil
}
