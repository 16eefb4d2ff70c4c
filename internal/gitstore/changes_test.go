package gitstore_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/gitstore/gitstoretest"
)

// gitCounts is what git says of the tracked files.
func gitCounts(f *gitstoretest.Fixture) int {
	return strings.Count(f.Git("status", "--porcelain", "--untracked-files=no", "--no-renames", "-z"), "\x00")
}

func changesOf(t *testing.T, r *gitstore.Repo) gitstore.Changes {
	t.Helper()
	head, err := r.Head(t.Context())
	noError(t, err)
	for range 50 {
		if c, ok := r.Changes(t.Context(), head.OID); ok {
			return c
		}
		// A busy machine: it took longer than it may, which is remembered.
		_ = os.Remove(filepath.Join(r.CacheDir(), "changes-main"))
	}
	t.Fatal("nobody can tell")
	return gitstore.Changes{}
}

// TestChanges_BW40_asGit: whatever happens to files, index and HEAD, the count is
// git's, in every version of the index. It is counted before git looks, which may
// write the index anew.
func TestChanges_BW40_asGit(t *testing.T) {
	for _, version := range []string{"2", "3", "4"} {
		t.Run("index version "+version, func(t *testing.T) {
			t.Parallel()
			f := gitstoretest.New(t)
			f.Git("config", "index.version", version)
			r, any := f.Open(), rand.New(rand.NewPCG(7, uint64(version[0])))
			said := []string{}
			for range 70 {
				name := fmt.Sprintf("d%d/f%d", any.IntN(2), any.IntN(4))
				full, step := filepath.Join(f.Dir, name), any.IntN(12)
				noError(t, os.MkdirAll(filepath.Dir(full), 0o777))
				switch step {
				case 0, 1:
					_ = os.WriteFile(full, []byte([]string{"a", "b", "", "longer"}[any.IntN(4)]), 0o666)
				case 2, 3:
					_, _ = f.TryGit("add", "--", name)
				case 4:
					f.Git("add", "-A")
					f.Git("commit", "-q", "--allow-empty", "-m", "x")
				case 5:
					_, _ = f.TryGit("commit", "-q", "--allow-empty", "-m", "x")
				case 6:
					_ = os.Remove(full)
				case 7:
					_ = os.Chmod(full, os.FileMode(0o600+any.IntN(2)*0o100))
				case 8:
					_ = os.Remove(full)
					_ = os.Symlink("a", full)
				case 9:
					old := time.Now().Add(-time.Duration(1+any.IntN(100)) * time.Hour)
					_ = os.Chtimes(full, old, old)
				case 10:
					_, _ = f.TryGit("add", "-N", "--", name)
				case 11:
					_, _ = f.TryGit("update-index", "-q", "--refresh")
				}
				said = append(said, fmt.Sprint(step, " ", name))
				got := changesOf(t, r)
				if want := gitCounts(f); got.Count != want || got.Rough {
					t.Fatalf("%+v, git says %d, after %s", got, want, strings.Join(said, ", "))
				}
				if again := changesOf(t, r); again != got {
					t.Fatalf("%+v, then %+v", got, again)
				}
			}
		})
	}
}

func TestChanges_BW40_whatIsLeftOut(t *testing.T) {
	f := gitstoretest.New(t)
	f.Write("a", "1\n")
	f.Write("b.dat", "1\n")
	f.Git("add", "-A")
	f.Git("commit", "-q", "-m", "files")
	r := f.Open()
	for _, c := range []struct {
		what  string
		do    func()
		count int
		rough bool
	}{
		{"nothing", func() {}, 0, false},
		{"a new file that git does not know", func() { f.Write("new", "x") }, 0, false},
		{"one that nobody is to look at", func() { f.Git("update-index", "--assume-unchanged", "a"); f.Write("a", "22\n") }, 0, false},
		{"looked at again", func() { f.Git("update-index", "--no-assume-unchanged", "a") }, 1, false},
		{"a filter may turn it into what it was", func() { f.Write(".gitattributes", "*.dat filter=x\n") }, 1, true},
		{"a conflict is one file", func() {
			f.Git("checkout", "-q", "-f", "HEAD")
			_ = os.Remove(filepath.Join(f.Dir, ".gitattributes"))
			f.Git("checkout", "-q", "-b", "other")
			f.Write("a", "theirs\n")
			f.Git("commit", "-q", "-a", "-m", "theirs")
			f.Git("checkout", "-q", "main")
			f.Write("a", "ours\n")
			f.Git("commit", "-q", "-a", "-m", "ours")
			_, _ = f.TryGit("merge", "-q", "other")
		}, 1, false},
	} {
		c.do()
		if got := changesOf(t, r); got.Count != c.count || got.Rough != c.rough {
			t.Errorf("%s: %+v, want %d, %v", c.what, got, c.count, c.rough)
		}
	}
	f.Git("merge", "--abort")
	f.Git("update-index", "--split-index")
	head, err := r.Head(t.Context())
	noError(t, err)
	if c, ok := r.Changes(t.Context(), head.OID); ok {
		t.Errorf("a split index: %+v", c)
	}
}

// A large work tree is counted now and then, and what can't be counted in time is
// left alone for a while: the line is there at once.
func TestChanges_BW40_largeTrees(t *testing.T) {
	f := gitstoretest.New(t)
	for i := range 1100 {
		f.Write(fmt.Sprintf("d%d/f%d", i%20, i), "x\n")
	}
	f.Git("add", "-A")
	f.Git("commit", "-q", "-m", "files")
	now := time.Date(2026, 1, 5, 9, 0, 0, 0, time.UTC)
	r, err := f.TryOpen(gitstore.Options{Now: func() time.Time { return now }})
	noError(t, err)
	defer r.Close()
	f.Write("d0/f0", "other\n")
	for _, c := range []struct {
		later time.Duration
		write string
		want  int
	}{{0, "d1/f1", 1}, {9 * time.Second, "", 1}, {2 * time.Second, "", 2}} {
		now = now.Add(c.later)
		if got := changesOf(t, r); got != (gitstore.Changes{Count: c.want, Rough: true}) {
			t.Errorf("%s later: %+v", c.later, got)
		}
		if c.write != "" {
			f.Write(c.write, "other\n")
		}
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	now = now.Add(time.Hour)
	head, err := r.Head(t.Context())
	noError(t, err)
	if c, ok := r.Changes(ended, head.OID); ok {
		t.Errorf("no time at all: %+v", c)
	}
	if got := changesOf(t, r); got.Count != 2 {
		t.Errorf("that was not the tree's fault: %+v", got)
	}
}

func FuzzChanges(f *testing.F) {
	fix := gitstoretest.New(f).Unchecked()
	fix.Write("d/a", "1\n")
	fix.Write("d/b", "1\n")
	fix.Git("add", "-A")
	path := filepath.Join(fix.Dir, ".git", "index")
	for _, version := range []string{"2", "4"} {
		fix.Git("update-index", "--index-version", version)
		data, err := os.ReadFile(path)
		noError(f, err)
		f.Add(data)
	}
	r := fix.Open()
	head, err := r.Head(context.Background())
	noError(f, err)
	f.Fuzz(func(t *testing.T, data []byte) {
		if os.WriteFile(path, data, 0o666) == nil {
			ended, cancel := context.WithTimeout(context.Background(), time.Second)
			defer cancel()
			_, _ = r.Changes(ended, head.OID) // it ends, and does not panic
		}
	})
}
