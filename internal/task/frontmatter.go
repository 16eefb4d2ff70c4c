package task

import (
	"fmt"
	"slices"
	"strings"
)

// Bounds of front matter, in bytes, lines, and items of a list. What is larger is
// none of ours.
const (
	maxFrontMatter = 16 << 10
	maxFrontLines  = 300
	maxFrontItems  = 100
	maxFrontValue  = 512
)

// FrontMatter is what a Markdown file says of the task that it is about, between
// two lines of dashes at its beginning (BW-21). Empty is what it does not say.
type FrontMatter struct {
	Task, Branch, Status string
	// Services are named as submodules; Modules may be anything.
	Services, Modules []string
	// Issue is a link, as in Task.Issues.
	Issue string
}

// frontField is a field that counts here, and where its values go.
type frontField struct {
	key string
	set func(f *FrontMatter, values []string) error
}

// frontFields are the fields that a task's file may have. Others mean nothing
// here: when and by which session it was made stays in the document.
func frontFields() []frontField {
	return []frontField{
		{"task", one(func(f *FrontMatter) *string { return &f.Task })},
		{"branch", one(func(f *FrontMatter) *string { return &f.Branch })},
		{"status", one(func(f *FrontMatter) *string { return &f.Status })},
		{"github_issue", one(func(f *FrontMatter) *string { return &f.Issue })},
		{"github_repo", func(*FrontMatter, []string) error { return nil }}, // see ReadFrontMatter
		{"submodule", many(func(f *FrontMatter) *[]string { return &f.Services })},
		{"services", many(func(f *FrontMatter) *[]string { return &f.Services })},
		{"modules", many(func(f *FrontMatter) *[]string { return &f.Modules })},
	}
}

func one(field func(*FrontMatter) *string) func(*FrontMatter, []string) error {
	return func(f *FrontMatter, values []string) error {
		switch len(values) {
		case 0:
		case 1:
			*field(f) = values[0]
		default:
			return fmt.Errorf("it has %d values, one is wanted", len(values))
		}
		return nil
	}
}

func many(field func(*FrontMatter) *[]string) func(*FrontMatter, []string) error {
	return func(f *FrontMatter, values []string) error {
		to := field(f)
		for _, v := range values {
			if !slices.Contains(*to, v) {
				*to = append(*to, v)
			}
		}
		return nil
	}
}

// ReadFrontMatter reads the front matter of a task's file: of YAML, as much as
// such files use, which is fields with a text or a list of texts. It is false
// where there is none, or none with a field "task". What can't be read in a field
// that counts is an error; the others are passed over.
func ReadFrontMatter(text []byte) (f FrontMatter, ok bool, err error) {
	lines, ok := frontLines(text)
	if !ok {
		return f, false, nil
	}
	fields, unread := frontValues(lines)
	if _, says := fields["task"]; !says {
		return f, false, nil
	}
	for _, field := range frontFields() {
		err := unread[field.key]
		if err == nil {
			err = field.set(&f, fields[field.key])
		}
		if err != nil {
			return f, true, refuse(CodeInvalid, fmt.Sprintf("%q in the front matter: %v", field.key, err), "write it as "+field.key+": VALUE")
		}
	}
	if f.Task == "" {
		return FrontMatter{}, false, nil
	}
	if f.Issue != "" {
		link := f.Issue
		if repository := fields["github_repo"]; len(repository) == 1 && !strings.Contains(link, "/") {
			link = repository[0] + "#" + strings.TrimPrefix(link, "#")
		}
		f.Issue, err = ParseIssue(link)
	}
	return f, true, err
}

// frontLines are the lines between the dashes.
func frontLines(text []byte) ([]string, bool) {
	head := strings.TrimPrefix(string(text[:min(len(text), maxFrontMatter)]), "\ufeff")
	var lines []string
	for line := range strings.Lines(head) {
		line = strings.TrimRight(line, " \t\r\n")
		switch {
		case len(lines) == 0 && line != "---":
			return nil, false
		case len(lines) > 0 && (line == "---" || line == "..."):
			return lines[1:], true
		case len(lines) > maxFrontLines:
			return nil, false
		}
		lines = append(lines, line)
	}
	return nil, false
}

// frontValues reads the fields at the left edge, and says why it could not.
func frontValues(lines []string) (fields map[string][]string, unread map[string]error) {
	fields, unread = map[string][]string{}, map[string]error{}
	for i := 0; i < len(lines); {
		key, rest, ok := frontKey(lines[i])
		i++
		if !ok {
			continue
		}
		if _, twice := fields[key]; twice {
			unread[key] = fmt.Errorf("it is there twice")
		}
		var block []string
		for ; i < len(lines) && belongsBelow(lines[i]); i++ {
			block = append(block, lines[i])
		}
		values, err := frontValue(rest, block)
		if err != nil {
			unread[key] = err
		}
		fields[key] = values
	}
	return fields, unread
}

// frontKey parts "key: value"; not ok for what is neither a field nor of one.
func frontKey(line string) (key, rest string, ok bool) {
	key, rest, ok = strings.Cut(line, ":")
	if !ok || key == "" || len(key) > maxName || strings.Trim(key, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") != "" ||
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
func frontValue(rest string, block []string) ([]string, error) {
	rest = withoutComment(rest)
	var items []string
	for _, line := range block {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		item, ok := strings.CutPrefix(line, "-")
		if !ok || rest != "" || item != "" && item[0] != ' ' && item[0] != '\t' {
			return nil, fmt.Errorf("only a text or a list of texts is read")
		}
		items = append(items, withoutComment(strings.TrimSpace(item)))
	}
	if inner, ok := strings.CutPrefix(rest, "["); ok {
		inner, ok = strings.CutSuffix(inner, "]")
		if !ok || strings.ContainsAny(inner, "[]{}") {
			return nil, fmt.Errorf("the list does not end in its line")
		}
		items = strings.Split(inner, ",")
	} else if rest != "" {
		items = []string{rest}
	}
	if len(items) > maxFrontItems {
		return nil, fmt.Errorf("it has more than %d values", maxFrontItems)
	}
	var values []string
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
			return "", fmt.Errorf("the quotes do not end")
		}
		inner := s[1:end]
		if s[0] == '\'' {
			inner = strings.ReplaceAll(inner, "''", "'")
		} else if strings.Contains(inner, `\`) {
			return "", fmt.Errorf(`a backslash in quotes is not read`)
		}
		s = inner
	case strings.IndexByte("&*!|>{}[]%@`?", s[0]) >= 0:
		return "", fmt.Errorf("only a text or a list of texts is read")
	}
	if s != "" && !oneLine(s, maxFrontValue) {
		return "", fmt.Errorf("it is no plain text of at most %d bytes", maxFrontValue)
	}
	return s, nil
}
