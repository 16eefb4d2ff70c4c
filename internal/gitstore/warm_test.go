package gitstore_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/gitstore/gitstoretest"
)

// What was read at once is read without git, in a pack and out of it; what is
// damaged, or was not wanted, is as it would be without.
func TestRepo_Warm(t *testing.T) {
	f := gitstoretest.New(t).Unchecked()
	known := f.OID("HEAD")
	var tips, blobs []gitstore.OID
	for i := range 40 {
		f.Write("file", fmt.Sprintf("text %d\n", i))
		f.Git("add", "file")
		tips = append(tips, f.Commit(fmt.Sprintf("commit %d", i)))
		blobs = append(blobs, f.OID("HEAD:file"))
		if i == 20 {
			f.Git("repack", "-adq")
		}
	}
	garbled := blobs[30]
	file := filepath.Join(f.Dir, ".git", "objects", garbled.String()[:2], garbled.String()[2:])
	if err := os.Chmod(file, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte("garbled"), 0o666); err != nil {
		t.Fatal(err)
	}
	trace := filepath.Join(f.Root, "trace")
	f.Setenv("GIT_TRACE", trace)
	traced := func() string {
		data, err := os.ReadFile(trace)
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	repo := f.Open()
	cool := repo.Warm(t.Context(), tips, []gitstore.OID{known, {}})
	before := traced()
	for i, tip := range tips {
		if _, err := repo.Commit(t.Context(), tip); err != nil {
			t.Fatal(err)
		}
		if blobs[i] == garbled {
			continue
		}
		want := fmt.Sprintf("text %d\n", i)
		if data, err := repo.Blob(t.Context(), blobs[i]); err != nil || string(data) != want {
			t.Errorf("%q, %v", data, err)
		}
		if size, err := repo.BlobSize(t.Context(), blobs[i]); err != nil || size != int64(len(want)) {
			t.Errorf("size: %d, %v", size, err)
		}
	}
	if after := traced(); after != before {
		t.Errorf("git was asked:\n%s", after[len(before):])
	}
	if _, err := repo.UpTo(3).Blob(t.Context(), blobs[0]); !errors.Is(err, gitstore.ErrTooLarge) {
		t.Errorf("up to 3 bytes: %v", err)
	}
	var corrupt *gitstore.CorruptError
	if data, err := repo.Blob(t.Context(), garbled); !errors.As(err, &corrupt) {
		t.Errorf("the garbled one: %q, %v", data, err)
	}
	cool()
	if data, err := repo.Blob(t.Context(), blobs[0]); err != nil || string(data) != "text 0\n" {
		t.Errorf("afterwards: %q, %v", data, err)
	}
}
