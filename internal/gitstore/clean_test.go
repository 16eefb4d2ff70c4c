package gitstore_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-brew/git-brew/internal/gitstore/gitstoretest"
)

// BC-36: what a work tree has beside its commit, whatever it is, and whatever the
// user's settings leave out of a status.
func TestClean_BC36(t *testing.T) {
	t.Parallel()
	f := withSubmodules(t, "api", "web")
	f.Write(".gitignore", "*.log\n")
	f.Write("a b.go", "package a\n")
	f.Git("add", ".")
	f.Commit("files")
	for _, setting := range []string{
		"status.showUntrackedFiles no", "diff.ignoreSubmodules all",
		"status.relativePaths true", "status.renames copies",
	} {
		f.Git(append([]string{"config"}, strings.Fields(setting)...)...)
	}
	api := f.In(filepath.Join(f.Dir, "api"))
	clean := func(apart ...string) bool {
		t.Helper()
		is, err := f.Open().Tree.Clean(t.Context(), apart...)
		noError(t, err)
		return is
	}
	for _, row := range []struct {
		name  string
		do    func()
		undo  func()
		apart []string
		clean bool
	}{
		{name: "nothing", clean: true},
		{name: "what git ignores", do: func() { f.Write("build.log", "x") }, clean: true},
		{
			name: "a file that git does not know", do: func() { f.Write("new.go", "x") },
			undo: func() { f.Git("clean", "-fdq") },
		},
		{name: "one in a directory of its own", do: func() {
			f.Write("deep/new.go", "x")
		}, undo: func() { f.Git("clean", "-fdq") }},
		{name: "a file that changed", do: func() {
			f.Write("a b.go", "package b\n")
		}, undo: func() { f.Git("checkout", "-q", "--", "a b.go") }},
		{
			name: "one that git is told not to look at", do: func() {
				f.Git("update-index", "--assume-unchanged", "a b.go")
				f.Write("a b.go", "package b\n")
			},
			undo: func() {
				f.Git("update-index", "--no-assume-unchanged", "a b.go")
				f.Git("checkout", "-q", "--", "a b.go")
			},
		},
		{
			name: "one that is skipped", do: func() {
				f.Git("update-index", "--skip-worktree", "a b.go")
				f.Write("a b.go", "package b\n")
			},
			undo: func() { f.Git("update-index", "--no-skip-worktree", "a b.go"); f.Git("checkout", "-q", "--", "a b.go") },
		},
		{
			name: "a sparse checkout", do: func() { f.Git("sparse-checkout", "set", "--no-cone", "/.gitignore") },
			undo: func() { f.Git("sparse-checkout", "disable") }, clean: true,
		},
		{name: "one that is staged", do: func() {
			f.Write("a b.go", "package b\n")
			f.Git("add", "a b.go")
		}, undo: func() { f.Git("reset", "-q", "--hard") }},
		{name: "one that is gone", do: func() {
			noError(t, os.Remove(filepath.Join(f.Dir, "a b.go")))
		}, undo: func() { f.Git("checkout", "-q", "--", "a b.go") }},
		{name: "one that is renamed", do: func() {
			f.Git("mv", "a b.go", "c.go")
		}, undo: func() { f.Git("reset", "-q", "--hard") }},
		{name: "a new file in a submodule", do: func() {
			api.Write("new.go", "x")
		}, undo: func() { api.Git("clean", "-fdq") }},
		{
			name: "a commit in a submodule", do: func() { api.Git("commit", "-q", "--allow-empty", "-m", "more") },
			apart: []string{"web"},
		},
		{name: "which is looked at apart", apart: []string{"web", "api"}, clean: true},
		{name: "and of another one", do: func() {
			f.In(filepath.Join(f.Dir, "web")).Git("commit", "-q", "--allow-empty", "-m", "more")
		}, apart: []string{"api"}},
	} {
		if row.do != nil {
			row.do()
		}
		if got := clean(row.apart...); got != row.clean {
			t.Errorf("%s: clean is %t", row.name, got)
		}
		if row.undo != nil {
			row.undo()
			if !clean(row.apart...) {
				t.Fatalf("after %s: not clean again", row.name)
			}
		}
	}
}

// Where there is no commit, or no work tree, there is nothing that could be as in
// it.
func TestClean_BC36_withoutACommit(t *testing.T) {
	t.Parallel()
	unborn := gitstoretest.New(t)
	unborn.Git("switch", "-q", "--orphan", "unborn")
	for name, f := range map[string]*gitstoretest.Fixture{
		"no commit":    unborn,
		"no work tree": gitstoretest.NewKind(t, gitstoretest.Bare),
	} {
		if is, err := f.Open().Tree.Clean(t.Context()); err != nil || is {
			t.Errorf("%s: %t, %v", name, is, err)
		}
	}
}
