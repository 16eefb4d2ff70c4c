package app_test

import (
	"context"
	"testing"
	"time"

	"github.com/git-brew/git-brew/internal/app"
	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/gitstore/gitstoretest"
	"github.com/git-brew/git-brew/internal/task"
)

// What tasks are called follows what others there are, whoever made them.
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
	if got := s.Records.Name(ctx, first); got != "same" {
		t.Errorf("alone it is called %q", got)
	}
	if got := s.Records.Name(ctx, "gone-abcdefg"); got != "gone-abcdefg" {
		t.Errorf("one that is not there is called %q", got)
	}
	second := create("two")
	if got := s.Records.Name(ctx, first); got != string(first) {
		t.Errorf("beside another it is called %q", got)
	}
	other, err := s.Tasks.Create(ctx, app.CreateRequest{Title: "Other", NoSwitch: true, Branch: "three"})
	if err != nil {
		t.Fatal(err)
	}
	if got := s.Records.Name(ctx, other.Task.ID); got != "other" {
		t.Errorf("alone it is called %q", got)
	}
	f.Git("update-ref", "refs/brew/tasks/other-abcdefg", "refs/brew/tasks/"+string(second))
	if got := s.Records.Name(ctx, other.Task.ID); got != string(other.Task.ID) {
		t.Errorf("beside one of plain git it is called %q", got)
	}
}
