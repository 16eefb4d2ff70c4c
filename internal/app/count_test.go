package app_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/git-brew/git-brew/internal/app"
	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/gitstore/gitstoretest"
)

// How far a branch is ahead is counted once for the same two commits, and
// anew when one of them has moved or the cache is gone or garbled.
func TestStanding_countsAreKept(t *testing.T) {
	t.Parallel()
	f := gitstoretest.New(t)
	f.Git("commit", "--allow-empty", "-m", "begin")
	s := open(t, f, clone.Caller{User: "mara"})
	if _, err := s.Tasks.Create(t.Context(), app.CreateRequest{Title: "Counted"}); err != nil {
		t.Fatal(err)
	}
	ahead := func(want int) {
		t.Helper()
		got, err := s.TaskStatus(t.Context(), app.TaskStatusRequest{Ahead: true})
		if err != nil || got.Ahead != want {
			t.Errorf("ahead is %d, %v; want %d", got.Ahead, err, want)
		}
	}
	ahead(0)
	f.Git("commit", "--allow-empty", "-m", "one")
	f.Git("commit", "--allow-empty", "-m", "two")
	ahead(2)
	counts := filepath.Join(s.Clone.Repo.CacheDir(), "counts")
	kept, err := os.ReadFile(counts)
	if err != nil {
		t.Fatal(err)
	}
	ahead(2)
	f.Git("commit", "--allow-empty", "-m", "three")
	ahead(3)
	for _, garbage := range []string{"", "no line", string(kept[:len(kept)-2]), "\n\n\n"} {
		if err := os.WriteFile(counts, []byte(garbage), 0o666); err != nil {
			t.Fatal(err)
		}
		ahead(3)
		ahead(3)
	}
	if err := os.Remove(counts); err != nil {
		t.Fatal(err)
	}
	ahead(3)
}
