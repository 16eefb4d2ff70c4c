package gitstore_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/git-brew/git-brew/internal/gitstore/gitstoretest"
)

// What stays as it is was left behind, and goes; what somebody works with, and
// what is no lock of a ref below the prefix, stays.
func TestClearLocks_S21_whatNobodyHolds(t *testing.T) {
	t.Parallel()
	f := gitstoretest.New(t)
	repo := f.Open()
	f.Git("update-ref", "refs/remotes/hub/main", "HEAD")
	cleared, err := repo.Refs.ClearLocks(t.Context(), "refs/remotes/hub/", time.Hour)
	if err != nil || cleared {
		t.Errorf("without locks: %v, %v", cleared, err)
	}
	at := func(name string) string { return filepath.Join(f.Dir, ".git", filepath.FromSlash(name)) }
	for _, name := range []string{
		"refs/remotes/hub/main.lock", "refs/remotes/hub/busy.lock", "refs/remotes/other.lock",
		"packed-refs.lock",
	} {
		f.Write(".git/"+name, "")
	}
	if err := os.Mkdir(at("refs/remotes/hub/dir.lock"), 0o777); err != nil {
		t.Fatal(err)
	}
	// Its owner is done with it while we wait, and another one takes it.
	busy := time.AfterFunc(50*time.Millisecond, func() {
		_ = os.Rename(at("refs/remotes/other.lock"), at("refs/remotes/hub/busy.lock"))
	})
	defer busy.Stop()
	cleared, err = repo.Refs.ClearLocks(t.Context(), "refs/remotes/hub/", time.Second)
	if err != nil || !cleared {
		t.Errorf("%v, %v", cleared, err)
	}
	var left []string
	for _, name := range []string{"main.lock", "busy.lock", "dir.lock", "main"} {
		if _, err := os.Lstat(at("refs/remotes/hub/" + name)); err == nil {
			left = append(left, name)
		}
	}
	if want := []string{"busy.lock", "dir.lock", "main"}; !slices.Equal(left, want) {
		t.Errorf("left are %q, want %q", left, want)
	}
	if found, err := repo.Refs.LeftLocks("refs/remotes/hub/", time.Now().Add(time.Hour)); err != nil || len(found) != 2 {
		t.Errorf("left behind are %q, %v", found, err)
	}
}
