package clone

import (
	"path"
	"path/filepath"
	"strings"

	"github.com/git-brew/git-brew/internal/gitstore/plumbing"
	"github.com/git-brew/git-brew/internal/glob"
)

// ValidGlob reports whether a pattern is one of paths in a work tree.
func ValidGlob(pattern string) bool {
	if pattern == "" || len(pattern) > 1000 || strings.ContainsAny(pattern, "\x00\n\r\\") ||
		strings.HasPrefix(pattern, "/") {
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
	if !ValidGlob(pattern) || !filepath.IsLocal(filepath.FromSlash(name)) {
		return false
	}
	if below, ok := strings.CutSuffix(pattern, "/"); ok {
		pattern = below + "/**"
	}
	name = path.Clean(name)
	for part := range strings.SplitSeq(name, "/") {
		if GitsOwn(part) {
			return false
		}
	}
	return glob.Match(pattern, name)
}

// GitsOwn reports the name of git's directory in a work tree, as any file system
// may spell it.
func GitsOwn(part string) bool { return plumbing.IsDotGit(part) }
