package app_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-brew/git-brew/internal/app"
	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/app/session"
	"github.com/git-brew/git-brew/internal/gitstore/gitstoretest"
)

// What a hook reads of a record is kept: each of the three that it asks has a snapshot,
// without which it would read objects, and where they are packed start git.
func TestSnapshots_ofEveryRecordThatAHookReads(t *testing.T) {
	t.Parallel()
	f := gitstoretest.New(t)
	s := open(t, f, clone.Caller{User: "mara", Host: "laptop", Session: "s1"})
	made := create(t, s, app.CreateRequest{Title: "A task", Phases: []string{"One"}})
	if _, err := s.Work.Start(t.Context(), made.ID, false, false); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Sessions.SessionStarted(t.Context(), session.SessionStart{Source: "startup"}, made.ID); err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(f.Open().CacheDir(), "snapshots")
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	again := open(t, f, clone.Caller{User: "mara", Host: "laptop", Session: "s1"})
	if _, err := again.Sessions.Agent(t.Context()); err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, kind := range []string{"clones+", "locks+", "tasks+"} {
		found := false
		for _, e := range entries {
			found = found || strings.HasPrefix(e.Name(), kind)
		}
		if !found {
			t.Errorf("there is no snapshot of %s", kind)
		}
	}
}
