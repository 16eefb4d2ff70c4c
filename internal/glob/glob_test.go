package glob

import (
	"strings"
	"testing"
)

func TestBelow(t *testing.T) {
	for _, c := range []struct {
		glob, path string
		want       bool
	}{
		{"**/*", "a/b.go", true},
		{"**", "a", true},
		{"*.go", "main.go", true},
		{"*.go", "cmd/main.go", false},
		{"**/*.go", "cmd/x/main.go", true},
		{"**/*.go", "main.go", true},
		{"internal/auth", "internal/auth/x/y.go", true},
		{"internal/auth", "internal/author.go", false},
		{"internal/**/z.go", "internal/a/z.go/z.go", true},
		{"internal/**/z.go", "internal/a/y.go", false},
		{"/src/", "src/a", true},
		{"[", "a", false},
		{"", "a", false},
		{"src", "../src", true}, // a path is taken from the root
		{strings.Repeat("**/a/", 40) + "b", strings.Repeat("a/", 200), false},
	} {
		if got := Below(c.glob, c.path); got != c.want {
			t.Errorf("Below(%q, %q) = %v", c.glob, c.path, got)
		}
	}
}
