//go:build unix

package gitstore_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/gitstore/gitfile"
	"github.com/git-brew/git-brew/internal/gitstore/gitstoretest"
)

// pipe puts a pipe that nobody writes to in the place of a file, until git looks at
// the repository behind the test.
func pipe(t *testing.T, f *gitstoretest.Fixture, name string) {
	t.Helper()
	path := filepath.Join(f.Dir, ".git", filepath.FromSlash(name))
	aside := filepath.Join(t.TempDir(), "aside")
	had := os.Rename(path, aside) == nil
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(path, 0o666); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := os.Remove(path); err != nil {
			t.Error(err)
		}
		if had {
			if err := os.Rename(aside, path); err != nil {
				t.Error(err)
			}
		}
	})
}

func wantNotRegular(t *testing.T, what string, err error) {
	t.Helper()
	if err == nil || !strings.Contains(err.Error(), filepath.Base(what)+" is no regular file") {
		t.Errorf("%s: %v", what, err)
	}
}

// S-25: a pipe in place of a ref is a ref that can't be read, and the others can.
func TestRefs_S25_pipe(t *testing.T) {
	t.Parallel()
	f := gitstoretest.New(t)
	f.Git("update-ref", "refs/brew/tasks/a", "HEAD")
	pipe(t, f, "refs/brew/tasks/x")
	repo := f.Open()
	refs, err := repo.Refs.List(t.Context(), "refs/brew/")
	if err != nil || len(refs) != 2 || refs[0].Err != nil {
		t.Fatalf("%+v, %v", refs, err)
	}
	wantNotRegular(t, "x", refs[1].Err)
	_, err = repo.Refs.Get(t.Context(), "refs/brew/tasks/x")
	wantNotRegular(t, "x", err)
	if _, broken := errors.AsType[*gitstore.BrokenRefError](err); !broken {
		t.Errorf("%T", err)
	}
}

// Whatever file of the repository it is: nobody waits.
func TestOpen_S25_pipes(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"HEAD", "config", "shallow", "packed-refs", "refs/brew/tasks"} {
		f := gitstoretest.New(t)
		pipe(t, f, name)
		repo, err := f.TryOpen(gitstore.Options{})
		if err == nil {
			_, err = repo.Refs.List(t.Context(), "refs/brew/tasks/")
		}
		wantNotRegular(t, name, err)
	}
}

// A device has no end, and a pipe that is written to none either.
func TestReadFile_notRegular(t *testing.T) {
	t.Parallel()
	_, err := gitfile.ReadFile("/dev/zero")
	wantNotRegular(t, "zero", err)
	f := gitstoretest.New(t)
	pipe(t, f, "brew/notes")
	path := filepath.Join(f.Dir, ".git", "brew", "notes")
	_, err = gitfile.ReadFile(path)
	wantNotRegular(t, "notes", err)
	_, err = gitfile.OpenToAppend(path)
	wantNotRegular(t, "notes", err)
	// An object's file that is none is a damaged object.
	id, err := f.Open().Refs.Get(t.Context(), "refs/heads/"+gitstore.RefName(f.Git("branch", "--show-current")))
	if err != nil {
		t.Fatal(err)
	}
	pipe(t, f, "objects/"+id.String()[:2]+"/"+id.String()[2:])
	_, err = f.Open().Objects.Commit(t.Context(), id)
	wantNotRegular(t, id.String()[2:], err)
}
