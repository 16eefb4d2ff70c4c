package gitcmd

import (
	"runtime"
	"slices"
	"strings"
)

// ofOnePlace reports a variable with which git tells a process where it is, or
// what it does: those that git itself takes out of the environment of a command
// in another repository (rev-parse --local-env-vars), but for settings that were
// given with -c, and those that it sets for a hook, an alias and a pager.
func ofOnePlace(name string) bool {
	return slices.Contains([]string{
		"GIT_DIR", "GIT_WORK_TREE", "GIT_COMMON_DIR", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY",
		"GIT_ALTERNATE_OBJECT_DIRECTORIES",
		"GIT_QUARANTINE_PATH", "GIT_PREFIX", "GIT_INTERNAL_SUPER_PREFIX", "GIT_NAMESPACE", "GIT_SHALLOW_FILE",
		"GIT_GRAFT_FILE",
		"GIT_IMPLICIT_WORK_TREE", "GIT_CONFIG", "GIT_NO_REPLACE_OBJECTS", "GIT_REPLACE_REF_BASE",
		"GIT_REFLOG_ACTION", "GIT_PAGER_IN_USE",
	}, name)
}

// WithoutPlace is an environment without what says where git is, each as
// "NAME=value": a program that gets it looks for its repository itself, from its
// own directory. also reports names that go as well; nil: none do.
func WithoutPlace(env []string, also func(name string) bool) []string {
	return slices.DeleteFunc(slices.Clone(env), func(pair string) bool {
		name, _, _ := strings.Cut(pair, "=")
		if runtime.GOOS == "windows" {
			name = strings.ToUpper(name)
		}
		return ofOnePlace(name) || also != nil && also(name)
	})
}

// Environ is an environment in the form of os.Environ.
type Environ []string

// Get is the value of a variable, "" when it is not set; the last one wins, as in
// package os/exec.
func (e Environ) Get(name string) string {
	for _, pair := range slices.Backward(e) {
		key, value, ok := strings.Cut(pair, "=")
		if ok && (key == name || runtime.GOOS == "windows" && strings.EqualFold(key, name)) {
			return value
		}
	}
	return ""
}

// With gives a copy with variables set, each as "NAME=value".
func (e Environ) With(pairs ...string) Environ {
	out := make(Environ, 0, len(e)+len(pairs))
	out = append(out, e...)
	return append(out, pairs...)
}

// Home is the person's home directory, "" when unknown.
func (e Environ) Home() string {
	if home := e.Get("HOME"); home != "" {
		return home
	}
	if runtime.GOOS == "windows" {
		return e.Get("USERPROFILE")
	}
	return ""
}
