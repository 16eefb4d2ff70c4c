package gitcmd

import (
	"runtime"
	"slices"
	"strings"
)

// OfOnePlace reports a variable with which git tells a process where it is, or
// what it does: those that git itself takes out of the environment of a command
// in another repository (rev-parse --local-env-vars), but for settings that were
// given with -c, and those that it sets for a hook, an alias and a pager.
func OfOnePlace(name string) bool {
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
		return OfOnePlace(name) || also != nil && also(name)
	})
}

// Environ is an environment in the form of os.Environ.
type Environ []string
