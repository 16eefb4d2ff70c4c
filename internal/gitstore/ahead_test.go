package gitstore_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/gitstore/gitstoretest"
)

// What was read ahead is what is read alone, for objects of every kind, too
// large ones and absent ones among them, more than fit into one question.
func TestAhead_asOneByOne(t *testing.T) {
	t.Parallel()
	f := gitstoretest.New(t)
	repo := f.Open()
	w := repo.NewWriter()
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

	a := repo.Ahead()
	same := func(when string) {
		t.Helper()
		for _, id := range ids {
			got, err := a.Blob(t.Context(), id, 50)
			want, wantErr := repo.UpTo(50).Blob(t.Context(), id)
			if string(got) != string(want) || fmt.Sprint(err) != fmt.Sprint(wantErr) {
				t.Fatalf("%s: %s is %q, %v, want %q, %v", when, id, got, err, want, wantErr)
			}
			size, err := a.BlobSize(t.Context(), id)
			wantSize, wantErr := repo.BlobSize(t.Context(), id)
			if size != wantSize || fmt.Sprint(err) != fmt.Sprint(wantErr) {
				t.Fatalf("%s: %s has %d bytes, %v, want %d, %v", when, id, size, err, wantSize, wantErr)
			}
		}
	}
	same("nothing read")
	a.Read(t.Context(), 50, ids...)
	a.Measure(t.Context(), ids...)
	same("all read")
	a.Read(t.Context(), 1<<20, tree, commit)
	listed, err := a.Tree(t.Context(), tree, 1<<20)
	noError(t, err)
	equal(t, "entries", len(listed), len(entries))
	if _, err := a.Tree(t.Context(), tree, 50); !errors.Is(err, gitstore.ErrTooLarge) {
		t.Errorf("a large tree: %v", err)
	}
	if _, err := a.Tree(t.Context(), commit, 1<<20); !errors.Is(err, gitstore.ErrKind) {
		t.Errorf("a commit as a tree: %v", err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	a.Read(ended, 50, ids...)
	same("cut off")
}
