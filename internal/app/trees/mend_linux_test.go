package trees

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/gitstore/gitstoretest"
)

// kills are where a git that merges kills itself, each with what of the person's git to set for it.
var kills = map[string]func(t *testing.T, f *gitstoretest.Fixture){
	"with its first file": onFile("first"),
	"in the middle":       onFile("mid"),
	"with its last file":  onFile("last"),
	"with the index written": func(t *testing.T, f *gitstoretest.Fixture) {
		hook(t, f, "post-index-change", "kill -9 $PPID")
	},
	"with ORIG_HEAD locked":  onRefs("prepared", "ORIG_HEAD"),
	"with the branch locked": onRefs("prepared", "refs/heads/feature"),
	"with the branch moved":  onRefs("committed", "refs/heads/feature"),
	"at its end":             func(t *testing.T, f *gitstoretest.Fixture) { hook(t, f, "post-merge", "kill -9 $PPID") },
}

// onFile has git kill itself where it checks out a file of a filter.
func onFile(filter string) func(t *testing.T, f *gitstoretest.Fixture) {
	return func(_ *testing.T, f *gitstoretest.Fixture) {
		f.Git("config", "filter."+filter+".smudge", "kill -9 $PPID")
	}
}

// onRefs has it do so where it comes so far with a ref.
func onRefs(state, ref string) func(t *testing.T, f *gitstoretest.Fixture) {
	return func(t *testing.T, f *gitstoretest.Fixture) {
		hook(t, f, "reference-transaction", "[ $1 = "+state+" ] && grep -q '"+ref+"$' && kill -9 $PPID; :")
	}
}

func hook(t *testing.T, f *gitstoretest.Fixture, name, body string) {
	t.Helper()
	path := filepath.Join(f.Dir, ".git", "hooks", name)
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	gitstoretest.WriteProgram(t, path, "#!/bin/sh\n"+body+"\n")
}

// calm has git not kill itself any more.
func calm(t *testing.T, f *gitstoretest.Fixture) {
	t.Helper()
	for _, name := range []string{"first", "mid", "last"} {
		f.Git("config", "filter."+name+".smudge", "cat")
	}
	if err := os.RemoveAll(filepath.Join(f.Dir, ".git", "hooks")); err != nil {
		t.Fatal(err)
	}
}

// age makes locks old.
func age(t *testing.T, f *gitstoretest.Fixture) {
	t.Helper()
	locks, err := filepath.Glob(filepath.Join(f.Dir, ".git", "*.lock"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range locks {
		if err := os.Chtimes(path, time.Time{}, time.Now().Add(-time.Minute)); err != nil {
			t.Fatal(err)
		}
	}
}

// merging is a repository with two commits: from, on branch feature, which is checked out, and to,
// which changes, adds and takes away files.
func merging(t *testing.T) (f *gitstoretest.Fixture, all *Trees, from, to gitstore.OID) {
	t.Helper()
	f = gitstoretest.New(t)
	calm(t, f)
	f.Git("checkout", "-q", "-b", "feature")
	f.Write(".gitattributes", "a filter=first\nm filter=mid\nz filter=last\n")
	for _, name := range []string{"a", "k", "m", "n", "y", "z", "gone", "mine", "dir/gone"} {
		f.Write(name, "old "+name+"\n")
	}
	f.Git("add", "-A")
	from = f.Commit("from")
	for _, name := range []string{"a", "k", "m", "n", "z", "b new", "new/\"one\"", "q\n\xff"} {
		f.Write(name, "new "+name+"\n")
	}
	f.Git("rm", "-q", "gone", "dir/gone")
	if err := os.Symlink("k", filepath.Join(f.Dir, "link")); err != nil {
		t.Fatal(err)
	}
	f.Git("update-index", "--chmod=+x", "y")
	f.Git("add", "-A")
	f.Git("update-index", "--chmod=+x", "y")
	to = f.Commit("to")
	f.Git("reset", "-q", "--hard", from.String())
	return f, &Trees{Repo: f.Open(), ID: "shop-1234567"}, from, to
}

// BR-24: a git that is killed while it merges, wherever it is then, leaves nothing that the next run
// does not take back, or go on from; what a person has changed beside it, or staged, stays.
func TestMend_BR24_killedAtEachStep(t *testing.T) {
	for where, arm := range kills {
		t.Run(where, func(t *testing.T) {
			t.Parallel()
			f, all, from, to := merging(t)
			f.Write("mine", "edited\n")
			f.Write("untracked", "edited\n")
			f.Write("staged", "edited\n")
			f.Git("add", "staged")
			before := f.Git("status", "--porcelain")
			arm(t, f)
			kill := all.gitIn(f.Dir)
			if _, err := kill.Run(t.Context(), "merge", "-q", "--ff-only", to.String()); err == nil {
				t.Fatal("it was not killed")
			}
			calm(t, f)
			age(t, f)
			if f.OID("feature") == from {
				if _, err := all.Mend(t.Context(), "feature", from, to); err != nil {
					t.Fatal(err)
				}
				if after := f.Git("status", "--porcelain"); after != before {
					t.Errorf("there is\n%sand was\n%s", after, before)
				}
				if moved, err := all.Advance(t.Context(), "feature", from, to); moved || err != nil {
					t.Fatalf("moved %t: %v", moved, err)
				}
			}
			if at := f.OID("feature"); at != to {
				t.Errorf("the branch is at %s", at)
			}
			if after := f.Git("status", "--porcelain"); after != before {
				t.Errorf("there is\n%sand was\n%s", after, before)
			}
		})
	}
}

// BR-24: what a person made, while a merge was cut short, of a file that it was to change stays, and is in
// the way of the next one; a file that was begun is no person's.
func TestMend_BR24_aPersonsEditStays(t *testing.T) {
	t.Parallel()
	f, all, from, to := merging(t)
	kills["in the middle"](t, f)
	if _, err := all.gitIn(f.Dir).Run(t.Context(), "merge", "-q", "--ff-only", to.String()); err == nil {
		t.Fatal("it was not killed")
	}
	calm(t, f)
	age(t, f)
	f.Write("a", "a person's\n")
	f.Write("k", "new")
	f.Write("n", "")
	f.Write("new/\"one\"", "a person's, too\n")
	if dir, err := all.Mend(t.Context(), "feature", from, to); err != nil || dir == "" {
		t.Fatalf("%q: %v", dir, err)
	}
	if got := f.Git("status", "--porcelain", "-uall"); strings.TrimSpace(got) != "M a\n?? \"new/\\\"one\\\"\"" {
		t.Errorf("there is\n%s", got)
	}
	if _, err := all.Advance(t.Context(), "feature", from, to); err == nil ||
		!strings.Contains(err.Error(), "are in the way") {
		t.Errorf("it goes over them: %v", err)
	}
}

// BR-24: a lock of the index that somebody else has stays: one that is open, and one with an index of
// another content.
func TestMend_BR24_anothersLockStays(t *testing.T) {
	t.Parallel()
	f, all, from, to := merging(t)
	f.Write("mine", "edited\n")
	f.Git("add", "mine")
	index, err := os.ReadFile(filepath.Join(f.Dir, ".git", "index"))
	if err != nil {
		t.Fatal(err)
	}
	lock := filepath.Join(f.Dir, ".git", "index.lock")
	if err := os.WriteFile(lock, index, 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := all.Mend(t.Context(), "feature", from, to); err == nil ||
		!strings.Contains(err.Error(), "another git has") {
		t.Error(err)
	}
	if _, err := os.Stat(lock); err != nil {
		t.Error(err)
	}
}

// BR-24: a hook that refuses a merge once git has checked it out leaves nothing of it either.
func TestAdvance_BR24_refusedByAHook(t *testing.T) {
	t.Parallel()
	f, all, from, to := merging(t)
	before := f.Git("status", "--porcelain")
	hook(t, f, "reference-transaction", "[ $1 = prepared ] && grep -q 'refs/heads/feature$' && exit 1; :")
	if moved, err := all.Advance(t.Context(), "feature", from, to); moved || err == nil ||
		!strings.Contains(err.Error(), "that is taken back") {
		t.Errorf("moved %t: %v", moved, err)
	}
	if after := f.Git("status", "--porcelain"); after != before || f.OID("feature") != from {
		t.Errorf("there is\n%sand was\n%s", after, before)
	}
}
