package task

import (
	"strings"

	"github.com/git-brew/git-brew/internal/operation"
)

// parseTrailers reads the trailers of a commit message: its last paragraph, if
// that is not the subject and all its lines are trailers.
func parseTrailers(message string) []operation.Trailer {
	i := strings.LastIndex(strings.TrimRight(message, "\n"), "\n\n")
	if i < 0 {
		return nil
	}
	var all []operation.Trailer
	for line := range strings.Lines(strings.Trim(message[i:], "\n")) {
		key, value, ok := strings.Cut(strings.TrimSuffix(line, "\n"), ": ")
		if !ok || !trailerKey(key) {
			return nil
		}
		all = append(all, operation.Trailer{Key: key, Value: value})
	}
	return all
}

func trailerKey(s string) bool {
	return s != "" && !strings.ContainsFunc(s, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r != '-'
	})
}
