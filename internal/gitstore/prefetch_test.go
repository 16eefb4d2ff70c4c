package gitstore_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/gitstore/gitstoretest"
)

// What was read at once is read without git, in a pack and out of it; what is
// damaged, or was not wanted, is as it would be without.
func TestPreload_asOneByOne(t *testing.T) {
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
	repo.Objects.Preload(t.Context(), tips, []gitstore.OID{known, {}})
	before := traced()
	for i, tip := range tips {
		if _, err := repo.Objects.Commit(t.Context(), tip); err != nil {
			t.Fatal(err)
		}
		if blobs[i] == garbled {
			continue
		}
		want := fmt.Sprintf("text %d\n", i)
		if data, err := repo.Objects.Blob(t.Context(), blobs[i]); err != nil || string(data) != want {
			t.Errorf("%q, %v", data, err)
		}
		if size, err := repo.Objects.BlobSize(t.Context(), blobs[i]); err != nil || size != int64(len(want)) {
			t.Errorf("size: %d, %v", size, err)
		}
	}
	if after := traced(); after != before {
		t.Errorf("git was asked:\n%s", after[len(before):])
	}
	if _, err := repo.Objects.UpTo(3).Blob(t.Context(), blobs[0]); !errors.Is(err, gitstore.ErrTooLarge) {
		t.Errorf("up to 3 bytes: %v", err)
	}
	var corrupt *gitstore.CorruptError
	if data, err := repo.Objects.Blob(t.Context(), garbled); !errors.As(err, &corrupt) {
		t.Errorf("the garbled one: %q, %v", data, err)
	}
}

// What was read ahead is what is read alone, for objects of every kind, too
// large ones and absent ones among them, more than fit into one question.
func TestPrefetch_asOneByOne(t *testing.T) {
	t.Parallel()
	f := gitstoretest.New(t)
	repo := f.Open()
	w := repo.Objects.NewWriter()
	var ids []gitstore.OID
	var entries []gitstore.Entry
	for i := range 700 {
		id := w.Blob([]byte(fmt.Sprint("text ", i)))
		ids = append(ids, id, gitstore.HashBlob([]byte(fmt.Sprint("absent ", i))))
		entries = append(entries, gitstore.Entry{Name: fmt.Sprint(i), Mode: gitstore.ModeFile, OID: id})
	}
	large := w.Blob([]byte(strings.Repeat("x", 100)))
	tree := w.Tree(entries)
	commit := w.Commit(gitstore.Commit{Tree: tree, Author: ada(), Committer: ada(), Message: "x\n"})
	noError(t, w.Flush(t.Context()))
	f.Git("update-ref", "refs/store/one", commit.String())
	f.Git("update-ref", "refs/store/large", large.String())
	f.Git("gc", "-q")
	ids = append(append(ids[:50:50], large, tree, commit), ids[50:]...)

	same := func(when string, repo *gitstore.Repo) {
		t.Helper()
		alone := f.Open()
		for _, id := range ids {
			got, err := repo.Objects.UpTo(50).Blob(t.Context(), id)
			want, wantErr := alone.Objects.UpTo(50).Blob(t.Context(), id)
			if string(got) != string(want) || fmt.Sprint(err) != fmt.Sprint(wantErr) {
				t.Fatalf("%s: %s is %q, %v, want %q, %v", when, id, got, err, want, wantErr)
			}
			size, err := repo.Objects.BlobSize(t.Context(), id)
			wantSize, wantErr := alone.Objects.BlobSize(t.Context(), id)
			if size != wantSize || fmt.Sprint(err) != fmt.Sprint(wantErr) {
				t.Fatalf("%s: %s has %d bytes, %v, want %d, %v", when, id, size, err, wantSize, wantErr)
			}
		}
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	cut := f.Open()
	cut.Objects.Prefetch(ended, 50, ids...)
	same("cut off", cut)
	repo.Objects.Prefetch(t.Context(), 50, ids...)
	same("all read", repo)
	repo.Objects.Prefetch(t.Context(), 1<<20, tree, commit)
	listed, err := repo.Objects.UpTo(1<<20).Tree(t.Context(), tree)
	noError(t, err)
	equal(t, "entries", len(listed), len(entries))
	if _, err := repo.Objects.UpTo(50).Tree(t.Context(), tree); !errors.Is(err, gitstore.ErrTooLarge) {
		t.Errorf("a large tree: %v", err)
	}
	if _, err := repo.Objects.UpTo(1<<20).Tree(t.Context(), commit); !errors.Is(err, gitstore.ErrKind) {
		t.Errorf("a commit as a tree: %v", err)
	}
}
