package app_test

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/git-brew/git-brew/internal/app"
	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/event"
	"github.com/git-brew/git-brew/internal/gitstore/gitstoretest"
)

// In a shared repository whatever one person leaves is the others' as well. What
// git said about a person's own configuration is not.
func TestService_sharedRepository(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no permission bits")
	}
	f := gitstoretest.New(t)
	ctx := context.Background()
	f.Git("config", "core.sharedRepository", "group")
	s := open(t, f, clone.Caller{User: "mara", Host: "laptop", Session: "s1"})
	made, err := s.Tasks.Create(ctx, app.CreateRequest{Title: "Add JWT auth"})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := s.Journal.Record(ctx, event.Event{Hook: "Stop"}); err != nil {
			t.Fatal(err)
		}
		if err := s.Journal.Seal(ctx); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Journal.Record(ctx, event.Event{Hook: "Stop"}); err != nil {
		t.Fatal(err)
	}
	f.Commit("some work")
	if _, err := s.TaskStatus(ctx, app.TaskStatusRequest{Task: string(made.Task.ID), Ahead: true}); err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	look := func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		want := os.FileMode(0o660)
		if entry.IsDir() {
			want = 0o770
		}
		if strings.HasPrefix(entry.Name(), "config-") {
			if info.Mode().Perm()&0o077 != 0 {
				t.Errorf("%s is a person's own, but has mode %s", path, info.Mode())
			}
		} else if info.Mode().Perm()&want != want {
			t.Errorf("%s has mode %s", path, info.Mode())
		}
		seen[filepath.Base(filepath.Dir(path))+"/"+strings.TrimRight(entry.Name(), "0123456789")] = true
		return nil
	}
	common := s.Clone.Repo.CommonDir
	for _, top := range []string{
		s.Clone.Repo.CacheDir(), filepath.Join(common, gitstoretest.Name+".lock"),
		filepath.Join(common, "refs", "brew"),
	} {
		if err := filepath.WalkDir(top, look); err != nil {
			t.Error(err)
		}
	}
	for _, name := range []string{
		"journal/journal", "journal/journal.lock", "journal/seal.lock",
		gitstoretest.Name + "/counts", gitstoretest.Name + "/snapshots",
	} {
		if !seen[name] {
			t.Errorf("%s was not looked at", name)
		}
	}
}
