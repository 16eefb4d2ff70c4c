// Package glob knows the patterns of paths that people write: path.Match's for each
// part of a path, and ** for any number of parts.
package glob

import (
	"path"
	"strings"
)

// Match reports whether a path with slashes fits a pattern. A ** at its end stands for
// at least one part. A malformed pattern fits nothing.
func Match(pattern, name string) bool {
	patterns, parts := strings.Split(pattern, "/"), strings.Split(name, "/")
	// The parts are gone through once for every pattern, so that many ** cost no more
	// than one each. fits[i]: the patterns so far match the first i parts.
	fits := make([]bool, len(parts)+1)
	fits[0] = true
	for n, pattern := range patterns {
		next := make([]bool, len(parts)+1)
		for i := range next {
			switch {
			case pattern == "**" && n == len(patterns)-1:
				next[i] = i > 0 && (fits[i-1] || next[i-1])
			case pattern == "**":
				next[i] = fits[i] || i > 0 && next[i-1]
			case i > 0 && fits[i-1]:
				same, err := path.Match(pattern, parts[i-1])
				next[i] = err == nil && same
			}
		}
		fits = next
	}
	return fits[len(parts)]
}

// Below reports whether a path is what a pattern names, or lies below it.
func Below(pattern, name string) bool {
	pattern = strings.TrimSuffix(strings.Trim(pattern, "/"), "/**")
	name = strings.Trim(path.Clean("/"+name), "/")
	return Match(pattern, name) || Match(pattern+"/**", name)
}
