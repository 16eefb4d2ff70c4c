package gitstore_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/gitstore/gitstoretest"
)

func changesOf(t *testing.T, r *gitstore.Repo) int {
	t.Helper()
	head, err := r.Refs.Head(t.Context())
	noError(t, err)
	for range 50 {
		if n, ok := r.Tree.Changes(t.Context(), head.OID); ok {
			return n
		}
		// A busy machine: it took longer than it may, which is remembered.
		_ = os.Remove(filepath.Join(r.CacheDir(), "changes-main"))
	}
	t.Fatal("nobody can tell")
	return 0
}

// TestChanges_BW40_whatCounts: files that git knows, each once, whatever happened to it.
func TestChanges_BW40_whatCounts(t *testing.T) {
	f := gitstoretest.New(t)
	f.Write("a", "1\n")
	f.Write("b.dat", "1\n")
	f.Git("add", "-A")
	f.Git("commit", "-q", "-m", "files")
	now := time.Date(2026, 1, 5, 9, 0, 0, 0, time.UTC)
	r, err := f.TryOpen(gitstore.Options{Now: func() time.Time { return now }})
	noError(t, err)
	defer r.Close()
	for _, c := range []struct {
		what  string
		do    func()
		count int
	}{
		{"nothing", func() {}, 0},
		{"a new file that git does not know", func() { f.Write("new", "x") }, 0},
		{"one that nobody is to look at", func() {
			f.Git("update-index", "--assume-unchanged", "a")
			f.Write("a", "22\n")
		}, 0},
		{"looked at again", func() { f.Git("update-index", "--no-assume-unchanged", "a") }, 1},
		{"in the index and beside it", func() { f.Git("add", "a"); f.Write("a", "333\n") }, 1},
		{"a removed one", func() { f.Git("rm", "-q", "b.dat") }, 2},
		{"a conflict is one file", func() {
			f.Git("checkout", "-q", "-f", "HEAD")
			f.Git("checkout", "-q", "-b", "other")
			f.Write("a", "theirs\n")
			f.Git("commit", "-q", "-a", "-m", "theirs")
			f.Git("checkout", "-q", "main")
			f.Write("a", "ours\n")
			f.Git("commit", "-q", "-a", "-m", "ours")
			_, _ = f.TryGit("merge", "-q", "other")
		}, 1},
	} {
		c.do()
		now = now.Add(time.Minute)
		if got := changesOf(t, r); got != c.count {
			t.Errorf("%s: %d, want %d", c.what, got, c.count)
		}
	}
	f.Git("merge", "--abort")
}

// TestChanges_BW40_keptForAWhile: the line is there at once, so git is asked again only
// where HEAD or the index moved, or after a while.
func TestChanges_BW40_keptForAWhile(t *testing.T) {
	f := gitstoretest.New(t)
	f.Write("a", "1\n")
	f.Write("b", "1\n")
	f.Git("add", "-A")
	f.Git("commit", "-q", "-m", "files")
	now := time.Date(2026, 1, 5, 9, 0, 0, 0, time.UTC)
	r, err := f.TryOpen(gitstore.Options{Now: func() time.Time { return now }})
	noError(t, err)
	defer r.Close()
	f.Write("a", "other\n")
	for _, c := range []struct {
		what  string
		later time.Duration
		do    func()
		want  int
	}{
		{"first", 0, func() {}, 1},
		{"too soon", 4 * time.Second, func() { f.Write("b", "other\n") }, 1},
		{"later", 2 * time.Second, func() {}, 2},
		{"the index moved", 0, func() {
			f.Git("rm", "-q", "--cached", "a")
			f.Git("add", "b")
			f.Git("commit", "-q", "-m", "b")
		}, 0},
	} {
		now = now.Add(c.later)
		c.do()
		if got := changesOf(t, r); got != c.want {
			t.Errorf("%s: %d, want %d", c.what, got, c.want)
		}
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	now = now.Add(time.Hour)
	head, err := r.Refs.Head(t.Context())
	noError(t, err)
	if n, ok := r.Tree.Changes(ended, head.OID); ok {
		t.Errorf("no time at all: %d", n)
	}
	if got := changesOf(t, r); got != 0 {
		t.Errorf("that was not the tree's fault: %d", got)
	}
}
