package gitstore

import (
	"runtime"
	"slices"
	"strings"
)

// environ is an environment in the form of os.Environ.
type environ []string

// get is the value of a variable, "" when it is not set.
func (e environ) get(name string) string {
	value, _ := e.lookup(name)
	return value
}

// lookup finds a variable; the last one wins, as in package os/exec.
func (e environ) lookup(name string) (string, bool) {
	for i := len(e) - 1; i >= 0; i-- {
		key, value, ok := strings.Cut(e[i], "=")
		if ok && (key == name || runtime.GOOS == "windows" && strings.EqualFold(key, name)) {
			return value, true
		}
	}
	return "", false
}

// with gives a copy with variables set, each as "NAME=value".
func (e environ) with(pairs ...string) environ {
	out := make(environ, 0, len(e)+len(pairs))
	out = append(out, e...)
	return append(out, pairs...)
}

// home is the person's home directory, "" when unknown.
func (e environ) home() string {
	if home := e.get("HOME"); home != "" {
		return home
	}
	if runtime.GOOS == "windows" {
		return e.get("USERPROFILE")
	}
	return ""
}

// Environ is the environment that git gets here, as os.Environ has it: for other
// programs that are run on the repository.
func (r *Repo) Environ() []string { return slices.Clone(r.env) }
