package document

import (
	"fmt"
	"slices"
	"testing"
)

// SP-13: a plan's paths are taken as they are written, patterns and leading dots
// with them, whatever stands around them.
func TestReadPhaseFile_SP13_paths(t *testing.T) {
	got := ReadPhaseFile([]byte("---\ncreates: [new.go, \"docs/**/*.md\"]\n" +
		"modifies: [.github/workflows/ci.yml, ../../etc/passwd, /abs/x.go]\n---\n" +
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

// F7: a path with blanks is one, where it is marked as such; what leads out of the
// work tree, or is no path, is told.
func TestReadPhaseFile_SP13_blanksAndRefused(t *testing.T) {
	got := ReadPhaseFile([]byte("---\ncreates:\n  - a b.go\n  - \"c, d.go\"\n  - \"x/[id]/page.tsx\"\nmodifies:\n" +
		"  - ../../etc/passwd\n  - C:\\x.go\n---\n" +
		"## Task 1: tokens\n\n- **Files:** `e f.go`, `g, h (1).go`, the tests, /abs/x.go, k.go (new), `l.go` — new\n" +
		"- **Action:** write\n\n" +
		"## Files to modify\n\n- `m n.go`: more\n- o.go: less\n"))
	for what, is := range map[string][2][]string{
		"creates":  {got.Creates, {"a b.go", "c, d.go", "x/[id]/page.tsx"}},
		"modifies": {got.Modifies, {"m n.go", "o.go"}},
		"touches":  {got.Touches, {"e f.go", "g, h (1).go", "k.go", "l.go"}},
	} {
		if !slices.Equal(is[0], is[1]) {
			t.Errorf("%s: %q, want %q", what, is[0], is[1])
		}
	}
	var refused []string
	for _, r := range got.Refused {
		refused = append(refused, fmt.Sprintf("%d %s: %s, %t", r.Line, r.Text, r.Why, r.Outside))
	}
	want := []string{
		"6 ../../etc/passwd: it leads out of the work tree, true", `6 C:\x.go: it leads out of the work tree, true`,
		"12 the tests: a path with blanks is put into backquotes, false", "12 /abs/x.go: it leads out of the work tree, true",
	}
	if !slices.Equal(refused, want) {
		t.Errorf("%q, want %q", refused, want)
	}
}

func TestUnwrapped(t *testing.T) {
	for in, want := range map[string]string{
		"`a.go`": "a.go", "**a.go**": "a.go", "*a.go*": "a.go", "[a.go](https://x/y)": "a.go", "**/a.go": "**/a.go",
		"**/x/**": "**/x/**", "*.go": "*.go", "a/**/b/**/c": "a/**/b/**/c", "**`a.go`**": "a.go",
		"__init__.py": "__init__.py", "": "",
	} {
		if got := unwrapped(in); got != want {
			t.Errorf("unwrapped(%q) = %q, want %q", in, got, want)
		}
	}
}
