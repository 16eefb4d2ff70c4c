package task

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// Bounds of what a task has beside its phases.
const (
	MaxServices = 100
	maxPath     = 512 // bytes of a service's path
)

// Service is a submodule of the user's repository that a task works in: the
// task's branch is made there, and not in the repository around it.
type Service struct {
	// Path is where it lies in the work tree, with slashes: services/api.
	Path string `json:"path" is:"path"`
	// Base is the branch that the task's branch came from there, BaseCommit that
	// one's commit then; both may be empty.
	Base       string `json:"base,omitempty" is:"base"`
	BaseCommit string `json:"base_commit,omitempty" is:"oid"`
}

// CheckServicePath refuses what can't be the path of a service. What comes from a
// record, a file or a person never leads out of the work tree, into a git
// directory, or into an option.
func CheckServicePath(s string) error {
	if insidePath(s) {
		return nil
	}
	return Refuse(CodeInvalid, fmt.Sprintf("%q can't be a service", Clip(s, maxPath)),
		"name a submodule by its path in the work tree")
}

func insidePath(s string) bool {
	if s == "" || len(s) > maxPath || !utf8.ValidString(s) || strings.ContainsFunc(s, IsControl) ||
		strings.Contains(s, `\`) || len(s) > 1 && s[1] == ':' || s[0] == '-' {
		return false
	}
	return !slices.ContainsFunc(strings.Split(s, "/"), func(part string) bool {
		return part == "" || part == "." || part == ".." || strings.EqualFold(part, ".git")
	})
}

// Service finds a service of the task by its path.
func (t Task) Service(path string) (Service, bool) {
	i := slices.IndexFunc(t.Services, func(s Service) bool { return s.Path == path })
	if i < 0 {
		return Service{}, false
	}
	return t.Services[i], true
}

// ServicePaths are the paths of the task's services.
func (t Task) ServicePaths() []string {
	paths := make([]string, 0, len(t.Services))
	for _, s := range t.Services {
		paths = append(paths, s.Path)
	}
	return paths
}

// Commits are commits in services, by the services' paths.
type Commits map[string]string

func checkCommits(c Commits) error {
	if len(c) > MaxServices {
		return Refuse(CodeInvalid, fmt.Sprintf("a task has at most %d services", MaxServices), "begin another task")
	}
	for path, commit := range c {
		if !insidePath(path) || !ValidOID(commit) {
			return Refuse(CodeInvalid, "the commits in services are no paths with object ids", "")
		}
	}
	return nil
}

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
	if m := regexp.MustCompile(issueAddress).FindStringSubmatch(text); m != nil {
		text = m[1] + "#" + m[2]
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

// issueAddress is the address of an issue, https://host/owner/repo/issues/123, as several
// forges have it, some with a dash in front of the word.
const issueAddress = `^https?://[^/]+/(.+?)(?:/-)?/issues/([^#/]+)/?(?:#.*)?$`

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
