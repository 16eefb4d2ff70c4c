package flaws

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/git-brew/git-brew/internal/app/trees"
)

// whole is a diff of files with all of their lines, from what each had to what it has.
func whole(files ...string) string {
	var b strings.Builder
	for f := range slices.Chunk(files, 3) {
		fmt.Fprintf(&b, "diff --git a/%[1]s b/%[1]s\n--- a/%[1]s\n+++ b/%[1]s\n@@ -1 +1 @@\n", f[0])
		for mark, text := range map[string]string{"-": f[1], "+": f[2]} {
			for line := range strings.Lines(text) {
				b.WriteString(mark + strings.TrimSuffix(line, "\n") + "\n")
			}
		}
	}
	return b.String()
}

const goTest = `package a

import "testing"

func TestOne(t *testing.T) {
	if got := one(); got != 1 {
		t.Errorf("got %d", got)
	}
}

func TestTwo(t *testing.T) {
	if got := two(); got != 2 {
		t.Errorf("got %d, want 2", got)
	}
}
`

const pyTest = "import pytest\n\ndef test_one():\n    x = one()\n    assert x == 1\n\ndef test_two():\n" +
	"    y = two()\n    assert y == 2\n"

func TestEmptied_BR16(t *testing.T) {
	quiet, apart := strings.ReplaceAll(pyTest, "assert ", "print "), "# "+strings.ReplaceAll(pyTest, "\n", "\n# ")
	js := "it('adds', () => {\n  expect(1).toBe(1)\n})\n"
	table := strings.Join([]string{
		"package a", "func TestAll(t *testing.T) {", "for name, c := range map[string]struct{ got, want int }{",
		`"one": {one(), 1},`, `"two": {two(), 2},`, "} {", "if c.got != c.want {", `t.Errorf("%s: got %d", name, c.got)`,
		"}", "}", "}",
	}, "\n") + "\n"
	for name, c := range map[string]struct {
		files []string // each with what it had, and has
		want  string   // the files that are told
	}{
		"truncated":             {[]string{"a_test.go", goTest, ""}, "a_test.go"},
		"the package's name":    {[]string{"a_test.go", goTest, "package a\n"}, "a_test.go"},
		"no bodies":             {[]string{"test_a.py", pyTest, "def test_1(): pass\ndef test_2(): pass\n"}, "test_a.py"},
		"no checks":             {[]string{"test_a.py", pyTest, quiet}, "test_a.py"},
		"out by comments":       {[]string{"test_a.py", pyTest, apart}, "test_a.py"},
		"out by one comment":    {[]string{"a_test.go", goTest, "/*\n" + goTest + "*/\n"}, "a_test.go"},
		"most of it":            {[]string{"test_a.py", pyTest + pyTest + pyTest, pyTest}, "test_a.py"},
		"tests of another kind": {[]string{"a.test.js", js, "const a = 1\n"}, "a.test.js"},
		"a return at the top": {
			[]string{"a_test.go", goTest, strings.Replace(goTest, "{\n\tif", "{\n\treturn // later\n\tif", 1)}, "a_test.go",
		},
		"a later return":      {[]string{"a_test.go", goTest, strings.ReplaceAll(goTest, "\t}\n", "\t\treturn\n\t}\n")}, ""},
		"a shell's":           {[]string{"tests/run.sh", "grep -q a b\ntest -f c || exit 1\n", "true\n"}, "tests/run.sh"},
		"of two, one":         {[]string{"a_test.go", goTest, "package a\n", "test_a.py", pyTest, pyTest}, "a_test.go"},
		"others are no place": {[]string{"a_test.go", goTest, "package a\n", "test_b.py", "", pyTest}, "a_test.go"},
		"unchanged":           {[]string{"a_test.go", goTest, goTest}, ""},
		"written anew":        {[]string{"a_test.go", goTest, table}, ""},
		"one less":            {[]string{"test_a.py", pyTest + pyTest, pyTest + "    assert z == 3\n"}, "test_a.py"},
		"one of two":          {[]string{"a_test.go", goTest, goTest[:strings.Index(goTest, "func TestTwo")]}, "a_test.go"},
		"moved":               {[]string{"a_test.go", goTest, "package a\n", "b_test.go", "", goTest}, ""},
		"moved, one of them":  {[]string{"test_a.py", pyTest, pyTest[:60], "test_b.py", "", pyTest[60:]}, ""},
		"another name":        {[]string{"test_a.py", pyTest, strings.ReplaceAll(pyTest, "one", "first")}, ""},
		"another helper":      {[]string{"test_a.py", pyTest, strings.ReplaceAll(pyTest, "assert ", "expect_that ")}, ""},
		"new":                 {[]string{"a_test.go", "", goTest}, ""},
		"data gets shorter":   {[]string{"tests/data.csv", "a\nb\nc\nd\n", "a\n"}, ""},
		"data is gone":        {[]string{"tests/data.csv", "a\nb\nc\nd\n", ""}, "tests/data.csv"},
		"a name in the text":  {[]string{"test_a.py", pyTest, "\n++ b/other.md\nx\n"}, "test_a.py"},
	} {
		t.Run(name, func(t *testing.T) {
			var told []string
			for _, text := range emptied(trees.DiffLines(strings.NewReader(whole(c.files...)))) {
				file, _, _ := strings.Cut(text, ":")
				told = append(told, file)
			}
			if got := strings.Join(told, " "); got != c.want {
				t.Errorf("told of %q, want %q", got, c.want)
			}
		})
	}
}

// What a file says is never taken for the header of another one.
func TestFlawsOfLines_BR16_names(t *testing.T) {
	diff := "diff --git a/code.go b/code.go\n--- a/code.go\n+++ b/code.go\n@@ -0,0 +1,2 @@\n" +
		"+++ b/notes.md\n+// TODO: all\n" +
		"diff --git \"a/t\\tx.go\" \"b/t\\tx.go\"\n--- /dev/null\n+++ \"b/t\\tx.go\"\n@@ -0,0 +1 @@\n+// TODO: more\n"
	want := []string{"code.go: work is put off: // TODO: all", "t\tx.go: work is put off: // TODO: more"}
	if got := ofLines(trees.DiffLines(strings.NewReader(diff))); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
