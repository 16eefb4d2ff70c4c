package odb_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/git-brew/git-brew/internal/gitstore/gitstoretest"
)

// A copy keeps the time that a file was written, and may have reached the disk just
// now: only when it was changed last says whether it did long ago.
func TestSettled_byTheLastChange(t *testing.T) {
	t.Parallel()
	f := gitstoretest.New(t)
	repo := f.Open()
	w := repo.Objects.NewWriter()
	id := w.Blob([]byte("copied")).String()
	if err := w.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	before := time.Now().Add(-30 * time.Minute)
	if err := os.Chtimes(filepath.Join(f.Dir, ".git", "objects", id[:2], id[2:]), before, before); err != nil {
		t.Fatal(err)
	}
	if repo.Objects.Settled([]byte("copied")) {
		t.Error("it is taken to be on the disk")
	}
}
