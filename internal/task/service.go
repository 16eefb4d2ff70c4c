package task

import (
	"fmt"
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

// CheckServicePath says why s can't be the path of a service. What comes from a
// record, a file or a person never leads out of the work tree, into a git
// directory, or into an option.
func CheckServicePath(s string) error {
	why := servicePathFault(s)
	if why == "" {
		return nil
	}
	return Refuse(CodeInvalid, fmt.Sprintf("%q can't be a service: %s", Clip(s, maxPath), why),
		"name a submodule by its path in the work tree")
}

func servicePathFault(s string) string {
	switch {
	case s == "":
		return "the path is empty"
	case len(s) > maxPath:
		return fmt.Sprintf("the path has more than %d bytes", maxPath)
	case !utf8.ValidString(s) || strings.ContainsFunc(s, IsControl):
		return "the path has control characters or is not UTF-8"
	case strings.Contains(s, `\`):
		return "the path has a backslash"
	case s[0] == '/' || len(s) > 1 && s[1] == ':':
		return "the path is absolute"
	case s[0] == '-':
		return "the path looks like an option"
	}
	for part := range strings.SplitSeq(s, "/") {
		switch {
		case part == "..":
			return "the path leads out with .."
		case part == "" || part == ".":
			return "the path has an empty part"
		case strings.EqualFold(part, ".git"):
			return "the path leads into a git directory"
		}
	}
	return ""
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
		if servicePathFault(path) != "" || !ValidOID(commit) {
			return Refuse(CodeInvalid, "the commits in services are no paths with object ids", "")
		}
	}
	return nil
}
