package gitstore_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/gitstore/gitstoretest"
)

// Only what nobody can read is removed, and what is packed below it shows.
func TestDropBrokenRef(t *testing.T) {
	ctx := context.Background()
	f := gitstoretest.New(t)
	const ref = "refs/brew/locks/one"
	f.Git("update-ref", ref, "HEAD")
	r := f.Open()
	if err := r.Refs.DropBroken(ctx, ref); !errors.Is(err, gitstore.ErrRefMoved) {
		t.Errorf("a ref that can be read: %v", err)
	}
	if err := r.Refs.DropBroken(ctx, "refs/brew/locks/none"); err != nil {
		t.Errorf("no such ref: %v", err)
	}
	f.Git("pack-refs", "--all")
	path := filepath.Join(r.CommonDir, filepath.FromSlash(ref))
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"", "nonsense\n"} {
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		if err := r.Refs.DropBroken(ctx, ref); err != nil {
			t.Errorf("%q: %v", text, err)
		}
		if oid, err := r.Refs.Get(ctx, ref); err != nil || oid.IsZero() {
			t.Errorf("%q: what is packed: %s, %v", text, oid, err)
		}
	}
}
