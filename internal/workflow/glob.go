package workflow

import (
	"path"
	"path/filepath"
	"strings"
)

// validGlob reports whether a pattern is one of paths in a work tree.
func validGlob(pattern string) bool {
	if pattern == "" || len(pattern) > 1000 || strings.ContainsAny(pattern, "\x00\n\r\\") || strings.HasPrefix(pattern, "/") {
		return false
	}
	for part := range strings.SplitSeq(strings.TrimSuffix(pattern, "/"), "/") {
		if _, err := path.Match(part, "x"); err != nil || part == "" || part == "." || part == ".." {
			return false
		}
	}
	return true
}

// MatchPath reports whether a path, relative to the work tree and with slashes,
// fits a pattern: part by part, where ** stands for any number of parts. A
// pattern that ends in a slash means all that is below. No pattern means git's
// own files, in whatever work tree they lie.
func MatchPath(pattern, name string) bool {
	if !validGlob(pattern) || !filepath.IsLocal(filepath.FromSlash(name)) {
		return false
	}
	if below, ok := strings.CutSuffix(pattern, "/"); ok {
		pattern = below + "/**"
	}
	parts := strings.Split(path.Clean(name), "/")
	for _, part := range parts {
		if gitsOwn(part) {
			return false
		}
	}
	return matchParts(strings.Split(pattern, "/"), parts)
}

// matchParts goes through the parts once for every pattern, so that many ** cost
// no more than one each.
func matchParts(patterns, parts []string) bool {
	// fits[i]: the patterns so far match the first i parts.
	fits := make([]bool, len(parts)+1)
	fits[0] = true
	for n, pattern := range patterns {
		next := make([]bool, len(parts)+1)
		for i := range next {
			switch {
			case pattern == "**" && n == len(patterns)-1:
				next[i] = i > 0 && (fits[i-1] || next[i-1]) // at least one part
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

// gitsOwn reports the name of git's directory in a work tree, as any file system
// may spell it.
func gitsOwn(part string) bool {
	part = strings.TrimRight(part, " .")
	part, _, _ = strings.Cut(part, ":")
	return strings.EqualFold(part, ".git") || strings.EqualFold(part, "git~1")
}
