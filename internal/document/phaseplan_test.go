package document

import (
	"slices"
	"testing"
)

// SP-13: a plan's paths are taken as they are written, patterns and leading dots
// with them, whatever stands around them.
func TestReadPhaseFile_SP13_paths(t *testing.T) {
	got := ReadPhaseFile([]byte("---\ncreates: [new.go, \"docs/**/*.md\"]\nmodifies: [.github/workflows/ci.yml, ../../etc/passwd, /abs/x.go]\n---\n" +
		"## Task 1: tokens\n\n**Files:** `q/**/r.go`, **bold.go**, .editorconfig, internal/\n**Action:** write\n"))
	for what, is := range map[string][2][]string{
		"creates":  {got.Creates, {"new.go", "docs/**/*.md"}},
		"modifies": {got.Modifies, {".github/workflows/ci.yml"}},
		"touches":  {got.Touches, {"q/**/r.go", "bold.go", ".editorconfig", "internal/"}},
	} {
		if !slices.Equal(is[0], is[1]) {
			t.Errorf("%s: %q, want %q", what, is[0], is[1])
		}
	}
}

func TestUnwrapped(t *testing.T) {
	for in, want := range map[string]string{
		"`a.go`": "a.go", "**a.go**": "a.go", "*a.go*": "a.go", "[a.go](https://x/y)": "a.go", "**/a.go": "**/a.go",
		"**/x/**": "**/x/**", "*.go": "*.go", "a/**/b/**/c": "a/**/b/**/c", "**`a.go`**": "a.go", "__init__.py": "__init__.py", "": "",
	} {
		if got := unwrapped(in); got != want {
			t.Errorf("unwrapped(%q) = %q, want %q", in, got, want)
		}
	}
}
