package task

import (
	"fmt"
	"slices"
	"strings"
)

// MaxIssues bounds the issues that one task links to, maxRepository the bytes of
// a repository's name.
const (
	MaxIssues     = 50
	maxRepository = 200
	maxNumber     = 9 // digits
)

// ParseIssue reads a link to an issue: #123, owner/repo#123, or the address of
// one. It is a name, and nothing is ever asked of the place that it names.
func ParseIssue(s string) (string, error) {
	text := strings.TrimSpace(s)
	if IsNumber(text) {
		text = "#" + text
	}
	if at, ok := issueOfAddress(text); ok {
		text = at
	}
	if err := checkIssue(text); err != nil {
		return "", err
	}
	return text, nil
}

func checkIssue(s string) error {
	if validIssue(s) {
		return nil
	}
	return Refuse(CodeInvalid, fmt.Sprintf("%q is no link to an issue", Clip(s, maxRepository)),
		"give #123 or owner/repo#123")
}

// issueOfAddress is owner/repo#123 of https://host/owner/repo/issues/123, which
// several forges have, some with a dash in front of the word.
func issueOfAddress(s string) (string, bool) {
	rest, ok := strings.CutPrefix(s, "https://")
	if !ok {
		rest, ok = strings.CutPrefix(s, "http://")
	}
	if !ok {
		return "", false
	}
	_, path, _ := strings.Cut(rest, "/")
	for _, word := range []string{"/-/issues/", "/issues/"} {
		if repository, number, ok := strings.Cut(path, word); ok {
			number, _, _ = strings.Cut(number, "#")
			return repository + "#" + strings.TrimRight(number, "/"), true
		}
	}
	return "", false
}

// validIssue accepts #123 and a/b#123, with more parts for forges with groups.
func validIssue(s string) bool {
	repository, number, ok := strings.Cut(s, "#")
	if !ok || len(number) > maxNumber || !IsNumber(number) || number[0] == '0' || len(repository) > maxRepository {
		return false
	}
	if repository == "" {
		return true
	}
	parts := strings.Split(repository, "/")
	return len(parts) > 1 && !slices.ContainsFunc(parts, func(p string) bool { return !ValidName(p) })
}

// IssuesIn are the links that a title has, in its order, each once. They stand
// alone, or between brackets and punctuation: v1#2 is none.
func IssuesIn(title string) []string {
	var found []string
	for word := range strings.FieldsSeq(title) {
		word = strings.TrimLeft(word, "([{<\"'")
		word = strings.TrimRight(word, ")]}>\"'.,;:!?")
		if validIssue(word) && !slices.Contains(found, word) && len(found) < MaxIssues {
			found = append(found, word)
		}
	}
	return found
}
