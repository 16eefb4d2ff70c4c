package flaws

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/git-brew/git-brew/internal/app/trees"
	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/gitstore/gitcmd"
	"github.com/git-brew/git-brew/internal/gitstore/place"
)

// Lines that weaken tests, and some that only look like it (BR-16).
func TestMarks_BR16_lines(t *testing.T) {
	m := newMarks()
	for _, c := range []struct{ file, line, want string }{
		{"a_test.go", "//go:build ignore", "a test is skipped"},
		{"a_test.go", "// +build ignore", "a test is skipped"},
		{"a_test.go", "//go:build linux && ignore", "a test is skipped"},
		{"a_test.go", "//go:build " + runtime.GOOS, ""},
		{"a_test.go", "//go:build never", "a test is skipped"},
		{"a_test.go", "//go:build !never && (linux || !linux) && go1.20", ""},
		{"a.go", "//go:build never", ""},
		{"a_test.go", "//go:generate ignore", ""},
		{"a_test.go", "assert.True(t, true)", "a test checks nothing"},
		{"a_test.go", "assert.True(t, trueName)", ""},
		{"a_test.go", "func xTestOne(t *testing.T) {", "a test is skipped"},
		{"test_a.py", "@pytest.mark.xfail", "a test is skipped"},
		{"test_a.py", "pytestmark = pytest.mark.skip", "a test is skipped"},
		{"test_a.py", "    assert True", "a test checks nothing"},
		{"test_a.py", "def test(): assert True", "a test checks nothing"},
		{"test_a.py", "    assert True is value", ""},
		{"test_a.py", "    assert 1 == one()", ""},
		{"test_a.py", "def test_x(): pass", ""},
		{"a.test.js", "xtest('adds', () => {", "a test is skipped"},
		{"a.test.js", "  xit.each([1])('adds', () => {", "a test is skipped"},
		{"a.test.js", "xdescribe('all', () => {", "a test is skipped"},
		{"a.test.js", "exit(1)", ""},
		{"a.test.js", "  expect(true).toBe(true)", "a test checks nothing"},
		{"test_a.py", `        self.skipTest("later")`, "a test is skipped"},
		{"test_a.py", `    raise unittest.SkipTest`, "a test is skipped"},
		{"a.test.js", "it.only('adds', () => {", "tests are left out"},
		{"a.test.js", "  test.describe.only('adds', () => {", "tests are left out"},
		{"a.test.js", "  fdescribe('adds', () => {", "tests are left out"},
		{"a.test.js", "  describe.skip.each([1])('adds', () => {", "a test is skipped"},
		{"test_a.py", "    model.fit('x')", ""},
		{"tests/ATest.php", "        $this->markTestSkipped('later');", "a test is skipped"},
		{"spec/a_spec.rb", `  skip "x"`, "a test is skipped"},
		{"spec/a_spec.rb", `  pending`, "a test is skipped"},
		{"spec/a_spec.rb", `  pending "x"`, "a test is skipped"},
		{"spec/a_spec.rb", `  expect(a.pending "x").to be`, ""},
		{"tests/ATest.cs", `    [Fact(Skip = "x")]`, "a test is skipped"},
		{"tests/ATest.cs", `    [Fact]`, ""},
		{"tests/a.rs", `#[cfg(any())]`, "a test is skipped"},
		{"tests/a.rs", `#[cfg(any(unix, windows))]`, ""},
		{"pytest.ini", `addopts = -q -k "not slow"`, "tests are left out"},
		{"pyproject.toml", `addopts = ["-k", "fast"]`, "tests are left out"},
		{"pyproject.toml", `addopts = ["-m", "not slow"]`, "tests are left out"},
		{"pyproject.toml", `addopts = "-q --ignore=test_a.py"`, "tests are left out"},
		{"pyproject.toml", `lint = "ruff check --ignore E501"`, ""},
		{"tox.ini", `commands = python -m pytest`, ""},
		{"setup.cfg", `ignore = E501`, ""},
		{"conftest.py", `collect_ignore = ["test_a.py"]`, "tests are left out"},
		{"pytest.ini", "addopts = --ignore=test_a.py", "tests are left out"},
		{"setup.py", "--ignore=E501", ""},
		{"tests/run.sh", "grep --ignore-case x y", ""},
	} {
		if got := m.flaw(c.file, c.line); got != c.want {
			t.Errorf("%s: %q: got %q, want %q", c.file, c.line, got, c.want)
		}
	}
}

// A test whose new name no tool finds is gone (BR-16).
func TestMarks_BR16_names(t *testing.T) {
	m := newMarks()
	for _, c := range []struct {
		from, to string
		want     bool
	}{
		{"real_test.py", "real_test.py.bak", true},
		{"tests/real_test.py", "tests/real_test.py.bak", true},
		{"tests/real_test.py", "tests/real.py", true},
		{"tests/check.sh", "tests/check.sh~", true},
		{"a_test.go", "_a_test.go", true},
		{"a_test.go", "lib/a.go", true},
		{"a_test.go", "b_test.go", false},
		{"a.test.js", "a.test.ts", false},
		{"tests/data.csv", "tests/more/data.csv", false},
		{"tests/check.sh", "spec/check.sh", false},
	} {
		if got := m.lost(c.from, c.to); got != c.want {
			t.Errorf("from %s to %s: got %t, want %t", c.from, c.to, got, c.want)
		}
	}
}

// A file that is added is looked at as it comes, whatever it has, and refused where nobody adds
// such a one (BR-16).
func TestFlaws_BR16_large(t *testing.T) {
	dir := t.TempDir()
	env := gitcmd.Environ(os.Environ()).With(
		"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.org", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.org",
		"GIT_CONFIG_GLOBAL=/dev/null")
	all := trees.Trees{Repo: &gitstore.Repo{Place: &place.Place{Git: &gitstore.Git{Dir: dir, Env: env}}}}
	w := all.Main()
	git := func(args ...string) string {
		t.Helper()
		out, err := w.Run(t.Context(), args...)
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	put := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	flaws := func() []string {
		git("add", "-A")
		git("commit", "-q", "-m", "x")
		tip, base := mustOID(t, git("rev-parse", "HEAD")), mustOID(t, git("rev-parse", "base"))
		all, err := Between(t.Context(), w, base, tip, nil)
		if err != nil {
			t.Fatal(err)
		}
		return all
	}
	git("init", "-q")
	git("commit", "-q", "--allow-empty", "-m", "base")
	git("tag", "base")
	put("code.py", strings.Repeat("x", 3<<20)+"\n# TODO: more\n"+strings.Repeat("y = 1\n", 1<<20))
	put("a: b.py", "# FIXME: all\n")
	if got, want := flaws(), []string{
		"a: b.py: work is put off: # FIXME: all", "code.py: work is put off: # TODO: more",
	}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	put("large.txt", strings.Repeat(strings.Repeat("x", 1023)+"\n", 51<<10))
	if got, want := flaws(), []string{"large.txt: it adds a file of 51 MB"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func mustOID(t *testing.T, text string) gitstore.OID {
	t.Helper()
	oid, err := gitstore.ParseOID(text)
	if err != nil {
		t.Fatal(err)
	}
	return oid
}
