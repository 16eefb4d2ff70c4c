package gitstore_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/gitstore/gitstoretest"
)

func TestLocked_excludesOthers_diesWithItsHolder(t *testing.T) {
	t.Parallel()
	f := gitstoretest.New(t)
	repo := f.Open()
	holder := child(f, "hold")
	out, _ := startChild(t, holder)
	if !out.Scan() {
		t.Fatal("the holder did not start")
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if err := repo.Locked(ctx, func() error { return nil }); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("while another process is inside: %v", err)
	}
	noError(t, holder.Process.Kill())
	_ = holder.Wait() // it was killed
	inside := false
	noError(t, repo.Locked(t.Context(), func() error { inside = true; return nil }))
	equal(t, "inside", inside, true)
}

// Somebody who removes the lock's file must not let two writers in.
func TestLocked_replacedFile(t *testing.T) {
	t.Parallel()
	f := gitstoretest.New(t)
	repo := f.Open()
	path := filepath.Join(repo.CommonDir, gitstoretest.Name+".lock")
	noError(t, repo.Locked(t.Context(), func() error {
		noError(t, os.Remove(path))
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		// The file is another one now: this is a queue of its own.
		return repo.Locked(ctx, func() error { return nil })
	}))
	boom := errors.New("boom")
	if err := repo.Locked(t.Context(), func() error { return boom }); !errors.Is(err, boom) {
		t.Errorf("the error of what ran inside: %v", err)
	}
}

// A ref's lock that a killed git left behind: a bounded wait, then the path.
func TestUpdateRefs_S21_staleLock(t *testing.T) {
	t.Parallel()
	f := gitstoretest.New(t)
	repo := f.Open()
	name := gitstore.RefName("refs/store/one")
	first := commitFiles(t, repo, gitstore.OID{}, map[string]string{"a": "1"})
	second := commitFiles(t, repo, first, map[string]string{"a": "2"})
	noError(t, repo.Refs.Update(t.Context(), gitstore.Update{Ref: name, New: first}))
	lock := filepath.Join(repo.CommonDir, "refs", "store", "one.lock")
	noError(t, os.WriteFile(lock, nil, 0o666))
	for what, update := range map[string]gitstore.Update{
		"change": {Ref: name, Old: first, New: second},
		"delete": {Ref: name, Old: first},
	} {
		err := repo.Refs.Update(t.Context(), update)
		if !errors.Is(err, gitstore.ErrLocked) || !strings.Contains(err.Error(), lock) {
			t.Errorf("%s: want ErrLocked with the path, have %v", what, err)
		}
	}
	if _, err := os.Stat(lock); err != nil {
		t.Errorf("somebody else's lock was taken away: %v", err)
	}
	noError(t, os.Remove(lock))
	noError(t, repo.Refs.Update(t.Context(), gitstore.Update{Ref: name, Old: first, New: second}))
}
