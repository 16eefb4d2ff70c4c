package gitstore_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/gitstore/gitstoretest"
)

// A pack that a killed change kept is let go of, by the next pack; a person's own, and
// one of a change that goes on, is left alone.
func TestLeftKeeps_oursAlone(t *testing.T) {
	t.Parallel()
	f := gitstoretest.New(t)
	repo := f.Open()
	dir := filepath.Join(f.Dir, ".git", "objects", "pack")
	long := time.Now().Add(-13 * time.Hour)
	keep := func(name, reason string, made time.Time) string {
		path := filepath.Join(dir, "pack-"+name+".keep")
		noError(t, os.MkdirAll(dir, 0o777))
		noError(t, os.WriteFile(path, []byte(reason), 0o666))
		noError(t, os.Chtimes(path, made, made))
		return path
	}
	dead := keep("dead", "until a ref leads here\n", long)
	stay := []string{keep("person", "mine\n", long), keep("empty", "", long), keep("living", "until a ref leads here\n", time.Now())}
	equal(t, "left", strings.Join(repo.LeftKeeps(), " "), dead)

	w := repo.NewWriter()
	var last gitstore.OID
	for i := range 120 {
		last = w.Blob([]byte(fmt.Sprint(i)))
	}
	noError(t, repo.Publish(t.Context(), w, gitstore.Update{Ref: "refs/store/one", New: last}))
	equal(t, "left", len(repo.LeftKeeps()), 0)
	for _, path := range stay {
		if _, err := os.Lstat(path); err != nil {
			t.Error(err)
		}
	}
}

// A copy keeps the time that a file was written, and may have reached the disk just
// now: only when it was changed last says whether it did long ago.
func TestSettled_byTheLastChange(t *testing.T) {
	t.Parallel()
	f := gitstoretest.New(t)
	repo := f.Open()
	w := repo.NewWriter()
	id := w.Blob([]byte("copied")).String()
	noError(t, w.Flush(t.Context()))
	before := time.Now().Add(-30 * time.Minute)
	noError(t, os.Chtimes(filepath.Join(f.Dir, ".git", "objects", id[:2], id[2:]), before, before))
	equal(t, "settled", repo.Settled([]byte("copied")), false)
}

// What was written, and could not be brought to the disk, is not told as if it were
// not there.
func TestUpdateRefs_writtenAndNotSynced(t *testing.T) {
	t.Parallel()
	f := gitstoretest.New(t)
	repo := f.Open()
	commit := f.Commit("one")
	loop := filepath.Join(t.TempDir(), "loop")
	if err := os.Symlink(loop, loop); err != nil {
		t.Skip(err)
	}
	err := repo.MoveAndSync(t.Context(), "refs/store/one", commit, loop)
	if err == nil || !strings.HasPrefix(err.Error(), "it was written, and may be lost if the machine stops now: ") || !strings.Contains(err.Error(), syscall.ELOOP.Error()) {
		t.Errorf("%v", err)
	}
	now, err := repo.Ref(t.Context(), "refs/store/one")
	noError(t, err)
	equal(t, "ref", now, commit)
}
