package knowledge

import (
	"path"
	"strings"
)

// matchGlob reports whether a slash-separated path is what glob names, or lies
// below it. "**" stands for any number of directories; other segments are
// path.Match patterns. A malformed glob matches nothing.
func matchGlob(glob, name string) bool {
	g := strings.Split(strings.Trim(glob, "/"), "/")
	n := strings.Split(strings.Trim(path.Clean("/"+name), "/"), "/")
	// Back to the last "**" only: enough for globs, and never exponential.
	gi, ni, star, from := 0, 0, -1, 0
	for ni < len(n) {
		if gi == len(g) {
			return true // a directory's contents
		}
		if g[gi] == "**" {
			star, from = gi, ni
			gi++
			continue
		}
		if ok, err := path.Match(g[gi], n[ni]); err == nil && ok {
			gi, ni = gi+1, ni+1
			continue
		}
		if star < 0 {
			return false
		}
		from++
		gi, ni = star+1, from
	}
	for gi < len(g) && g[gi] == "**" {
		gi++
	}
	return gi == len(g)
}
