package app_test

import (
	"context"
	"testing"

	"github.com/git-brew/git-brew/internal/app"
	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/app/lock"
	"github.com/git-brew/git-brew/internal/gitstore/gitstoretest"
	"github.com/git-brew/git-brew/internal/task"
)

// BC-26, BC-84: from where a task starts, with and without a restart; a refused
// start does not take the lock either.
func TestStart_BC26_BC84_lockAndStatusTogether(t *testing.T) {
	ctx := context.Background()
	f := gitstoretest.New(t)
	s := open(t, f, clone.Caller{User: "mara", Host: "laptop"})
	made, err := s.Tasks.Create(ctx, app.CreateRequest{Title: "Add JWT auth"})
	if err != nil {
		t.Fatal(err)
	}
	id := made.Task.ID
	for _, end := range []task.Status{task.Failed, task.Cancelled, task.Failed} {
		if _, err := s.Work.Finish(ctx, id, app.FinishRequest{Status: end, Reason: "enough"}); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Work.Start(ctx, id, false, false); err == nil {
			t.Errorf("started a task that is %s", end)
		}
		if l, err := s.Claims.LockOf(ctx, id); err != nil || l.State != lock.LockFree {
			t.Errorf("%s: the lock is %s, %v; want free", end, l.State, err)
		}
		if r, err := s.Work.Start(ctx, id, true, false); err != nil || r.From != end || r.Task.Status != task.InProgress {
			t.Errorf("restart from %s: %s -> %s, %v", end, r.From, r.Task.Status, err)
		}
	}
}

// A dry run of the end writes nothing, and tells what the end would.
func TestFinish_BC34_dryRun(t *testing.T) {
	ctx := context.Background()
	f := gitstoretest.New(t)
	s := open(t, f, clone.Caller{User: "mara", Host: "laptop"})
	made, err := s.Tasks.Create(ctx, app.CreateRequest{Title: "Add JWT auth"})
	if err != nil {
		t.Fatal(err)
	}
	id := made.Task.ID
	if _, err := s.Work.Start(ctx, id, false, false); err != nil {
		t.Fatal(err)
	}
	before, err := s.Status(ctx, id)
	if err != nil {
		t.Fatal(err)
	}
	dry := open(t, f, clone.Caller{User: "mara", Host: "laptop"})
	dry.Clone.SetDryRun()
	r, err := dry.Work.Finish(ctx, id, app.FinishRequest{})
	if err != nil || len(r.Report) == 0 || r.Task.Status != task.Finished {
		t.Fatalf("dry run: %s, %d bytes, %v", r.Task.Status, len(r.Report), err)
	}
	after, err := s.Status(ctx, id)
	if err != nil || after.Tip != before.Tip || after.LockState != lock.LockHeld {
		t.Errorf("tip %s -> %s, lock %s, %v", before.Tip, after.Tip, after.LockState, err)
	}
}
