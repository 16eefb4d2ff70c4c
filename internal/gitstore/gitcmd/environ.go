package gitcmd

import (
	"runtime"
	"slices"
	"strings"
)

// Environ is an environment in the form of os.Environ.
type Environ []string

// Get is the value of a variable, "" when it is not set.
func (e Environ) Get(name string) string {
	value, _ := e.Lookup(name)
	return value
}

// Lookup finds a variable; the last one wins, as in package os/exec.
func (e Environ) Lookup(name string) (string, bool) {
	for i := len(e) - 1; i >= 0; i-- {
		key, value, ok := strings.Cut(e[i], "=")
		if ok && (key == name || runtime.GOOS == "windows" && strings.EqualFold(key, name)) {
			return value, true
		}
	}
	return "", false
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

// Environ is the environment that git gets here, as os.Environ has it: for other
// programs that are run on the repository.
func (r *Runner) Environ() []string { return slices.Clone(r.Env) }
