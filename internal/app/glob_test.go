package app_test

import (
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/git-brew/git-brew/internal/app/clone"
)

func TestMatchPath_allowedPath(t *testing.T) {
	for _, c := range []struct {
		pattern, name string
		want          bool
	}{
		{"docs/**", "docs/a.md", true},
		{"docs/**", "docs/a/b/c.md", true},
		{"docs/", "docs/a/b/c.md", true},
		{"docs/**", "docs", false},
		{"docs/**", "docs2/a.md", false},
		{"docs/**", "src/docs/a.md", false},
		{"**/docs/**", "src/docs/a.md", true},
		{"**/docs/**", "docs/a.md", true},
		{"docs/*", "docs/a/b.md", false},
		{"*.md", "a.md", true},
		{"*.md", "docs/a.md", false},
		{"**/*.md", "docs/a.md", true},
		{"**/*.md", "a.md", true},
		{"**", "a", true},
		{"**", "a/b/c", true},
		{"a/**/b", "a/b", true},
		{"a/**/b", "a/x/y/b", true},
		{"a/**/b", "a/x/y/c", false},
		{"doc?/[ab].md", "docs/b.md", true},
		{"doc?/[ab].md", "docs/c.md", false},
		{"README.md", "readme.md", false},
		{"**", "../a", false},
		{"**", "/etc/passwd", false},
		{"**", "a/../../b", false},
		{"**", ".git/config", false},
		{"**", "sub/.git/config", false},
		{"**", "sub/.GIT/config", false},
		{"**", ".git", false},
		{"**", "GIT~1/config", false},
		{"**", ".git::$INDEX_ALLOCATION/config", false},
		{"**", ".git. /config", false},
		{"**", ".gitignore", true},
		{"", "a", false},
		{"/docs/**", "docs/a", false},
		{"../**", "a", false},
		{"a//b", "a/b", false},
		{"[", "a", false},
	} {
		if got := clone.MatchPath(c.pattern, c.name); got != c.want {
			t.Errorf("%q for %q: %v", c.pattern, c.name, got)
		}
	}
}

// asExpression is a pattern of *, ** and plain parts as a regular expression.
func asExpression(pattern string) *regexp.Regexp {
	if strings.HasSuffix(pattern, "/") {
		pattern += "**"
	}
	parts := strings.Split(pattern, "/")
	text := "^"
	for i, part := range parts {
		switch {
		case part == "**" && i == len(parts)-1:
			text += "[^/]+(/[^/]+)*"
			continue
		case part == "**":
			text += "([^/]+/)*"
			continue
		}
		text += strings.ReplaceAll(regexp.QuoteMeta(part), `\*`, "[^/]*")
		if i < len(parts)-1 {
			text += "/"
		}
	}
	return regexp.MustCompile(text + "$")
}

func TestMatchPath_asAnExpression(t *testing.T) {
	part := rapid.SampledFrom([]string{"a", "b", "ab", "a.md"})
	wild := rapid.OneOf(part, rapid.SampledFrom([]string{"**", "*", "a*", "*.md"}))
	rapid.Check(t, func(t *rapid.T) {
		pattern := strings.Join(rapid.SliceOfN(wild, 1, 5).Draw(t, "pattern"), "/")
		name := strings.Join(rapid.SliceOfN(part, 1, 6).Draw(t, "name"), "/")
		if got, want := clone.MatchPath(pattern, name), asExpression(pattern).MatchString(name); got != want {
			t.Fatalf("%q for %q: %v", pattern, name, got)
		}
	})
	// Many ** cost no more than one each.
	clone.MatchPath(strings.Repeat("**/", 100)+"x", strings.Repeat("a/", 1000)+"y")
}

func FuzzMatchPath(f *testing.F) {
	f.Add("docs/**", "docs/a")
	f.Add("**", "../.git/x")
	f.Fuzz(func(t *testing.T, pattern, name string) {
		if !clone.MatchPath(pattern, name) {
			return
		}
		for part := range strings.SplitSeq(name, "/") {
			if strings.EqualFold(part, ".git") || strings.HasPrefix(name, "/") {
				t.Errorf("%q lets %q through", pattern, name)
			}
		}
	})
}
