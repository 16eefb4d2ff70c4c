package app_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/git-brew/git-brew/internal/app"
	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/gitstore/gitstoretest"
	"github.com/git-brew/git-brew/internal/task"
)

// What tasks are called is remembered, and found out anew where a change here
// makes another task of the same slug.
func TestName_sharedSlugs(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	f := gitstoretest.New(t)
	s := app.New(app.Options{Repo: f.Open(), Now: time.Now, Caller: clone.Caller{User: "mara", Host: "laptop"}})
	create := func(branch string) task.ID {
		t.Helper()
		made, err := s.Tasks.Create(ctx, app.CreateRequest{Title: "Same", NoSwitch: true, Branch: branch})
		if err != nil {
			t.Fatal(err)
		}
		return made.Task.ID
	}
	first := create("one")
	memo := filepath.Join(f.Open().CacheDir(), "names")
	for range 2 {
		if got := s.Records.Name(ctx, first); got != "same" {
			t.Errorf("alone it is called %q", got)
		}
		if _, err := os.Stat(memo); err != nil {
			t.Errorf("nothing is remembered: %v", err)
		}
	}
	if got := s.Records.Name(ctx, "gone-abcdefg"); got != "gone-abcdefg" {
		t.Errorf("one that is not there is called %q", got)
	}
	second := create("two")
	for range 2 {
		if got := s.Records.Name(ctx, first); got != string(first) {
			t.Errorf("beside another it is called %q", got)
		}
	}
	// Plain git tells nobody; what is remembered does not hold for long.
	other, err := s.Tasks.Create(ctx, app.CreateRequest{Title: "Other", NoSwitch: true, Branch: "three"})
	if err != nil {
		t.Fatal(err)
	}
	if got := s.Records.Name(ctx, other.Task.ID); got != "other" {
		t.Errorf("alone it is called %q", got)
	}
	f.Git("update-ref", "refs/brew/tasks/other-abcdefg", "refs/brew/tasks/"+string(second))
	old := time.Now().Add(-2 * time.Hour)
	if err := os.Chtimes(memo, old, old); err != nil {
		t.Fatal(err)
	}
	if got := s.Records.Name(ctx, other.Task.ID); got != string(other.Task.ID) {
		t.Errorf("beside one of plain git it is called %q", got)
	}
}
