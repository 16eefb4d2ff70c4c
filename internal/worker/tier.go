package worker

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// Work is what is known of a phase before anybody begins it.
type Work struct {
	Title      string
	Acceptance []string
	// Dependents counts the phases that wait for it.
	Dependents int
}

// hard and easy are words of titles that say how hard the work is, by how they begin.
var (
	hard = []string{
		"architect", "auth", "cache", "concurren", "connect", "crypt", "deadlock", "design", "integrat", "invalidat",
		"lock", "migrat", "perform", "permission", "protocol", "race", "refactor", "rewrite", "schema", "secur", "sync",
		"transaction", "wire",
	}
	easy = []string{
		"boilerplate", "bump", "changelog", "comment", "crud", "doc", "fixture", "format", "lint", "message", "readme",
		"rename", "stub", "test", "text", "translat", "typo",
	}
)

const (
	manyCriteria   = 4 // what has more of them is no easy work
	manyDependents = 2 // what more phases than that build on is no easy work
)

// Junior tells whether work is easy enough for a junior, and why, in a sentence. Only what
// speaks for that alone makes it so: a wrong guess costs a second worker.
func Junior(w Work) (junior bool, why string) {
	words := strings.FieldsFunc(strings.ToLower(w.Title), func(r rune) bool { return !unicode.IsLetter(r) })
	begins := func(prefixes []string) string {
		i := slices.IndexFunc(words, func(word string) bool {
			return slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(word, p) })
		})
		if i < 0 {
			return ""
		}
		return words[i]
	}
	switch {
	case begins(hard) != "":
		return false, fmt.Sprintf("%q in the title is work for a senior", begins(hard))
	case len(w.Acceptance) > manyCriteria:
		return false, fmt.Sprintf("%d acceptance criteria are more than %d", len(w.Acceptance), manyCriteria)
	case w.Dependents > manyDependents:
		return false, fmt.Sprintf("%d phases build on it", w.Dependents)
	case begins(easy) != "":
		return true, fmt.Sprintf("%q in the title is work for a junior", begins(easy))
	}
	return false, "nothing says that it is easy"
}
