package gitstore_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/gitstore/gitstoretest"
)

// What a project keeps in its work tree is read as it is, and nothing else is.
func TestWorkTreeFile(t *testing.T) {
	t.Parallel()
	repo := gitstoretest.New(t)
	repo.Write(".brew/templates/spec.md", "# spec\n")
	outside := filepath.Join(t.TempDir(), "outside")
	if err := os.WriteFile(outside, []byte("secret"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, filepath.Join(repo.Dir, "link")); err != nil {
		t.Skip(err)
	}
	store := repo.Open()
	if data, err := store.Tree.File(".brew/templates/spec.md", 100); err != nil || string(data) != "# spec\n" {
		t.Errorf("%q, %v", data, err)
	}
	for _, name := range []string{"nothing", "../outside", "/etc/passwd"} {
		if data, err := store.Tree.File(name, 100); err != nil || data != nil {
			t.Errorf("%s: %q, %v", name, data, err)
		}
	}
	for _, name := range []string{"link", ".brew"} {
		if data, err := store.Tree.File(name, 100); err == nil || data != nil {
			t.Errorf("%s: %q, %v", name, data, err)
		}
	}
	if _, err := store.Tree.File(".brew/templates/spec.md", 3); !errors.Is(err, gitstore.ErrTooLarge) {
		t.Errorf("%v", err)
	}
}
