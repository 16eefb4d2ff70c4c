package app_test

import (
	"context"
	"testing"
	"time"

	"github.com/git-brew/git-brew/internal/app"
	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/app/lock"
	"github.com/git-brew/git-brew/internal/gitstore/gitstoretest"
	"github.com/git-brew/git-brew/internal/task"
)

// open returns the service of a caller on a repository, with a clock that
// moves a second at each look.
func open(t *testing.T, f *gitstoretest.Fixture, c clone.Caller) *app.App {
	t.Helper()
	at := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	now := func() time.Time { at = at.Add(time.Second); return at }
	return app.New(app.Options{Repo: f.Open(), Now: now, Caller: c})
}

func TestMainJob_fromCreateToFinish(t *testing.T) {
	f := gitstoretest.New(t)
	ctx := context.Background()
	s := open(t, f, clone.Caller{User: "mara", Host: "laptop"})
	made, err := s.Tasks.Create(ctx, app.CreateRequest{
		Title:  "Add JWT auth",
		Phases: []string{"Token model", "Login endpoint"},
	})
	if err != nil {
		t.Fatal(err)
	}
	id := made.Task.ID
	if here, err := s.Place.Here(ctx); err != nil || here != id {
		t.Fatalf("Here() = %q, %v; want %q", here, err, id)
	}
	if _, err := s.Work.Start(ctx, id, false, false); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if _, err := s.Phases.StartPhase(ctx, id, ""); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Phases.PhaseDone(ctx, id, ""); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Reviews.ReviewPhase(ctx, id, "", task.ReviewApproved, ""); err != nil {
			t.Fatal(err)
		}
	}
	done, err := s.Work.Finish(ctx, id, app.FinishRequest{})
	if err != nil {
		t.Fatal(err)
	}
	if done.Task.Status != task.Finished {
		t.Errorf("status = %s", done.Task.Status)
	}
	found, err := examine(ctx, s, false)
	if err != nil || len(found) > 0 {
		t.Errorf("Doctor() = %v, %v", found, err)
	}
	v, err := s.Status(ctx, id)
	if err != nil || v.LockState != lock.LockFree {
		t.Errorf("Status() lock = %s, %v", v.LockState, err)
	}
}

// A branch that is gone leaves what it meant here behind; its name must not be
// in the way of branches below it, nor theirs in its own.
func TestClaim_goneBranchIsNotInTheWay(t *testing.T) {
	f := gitstoretest.New(t)
	ctx := context.Background()
	s := open(t, f, clone.Caller{User: "mara", Host: "laptop"})
	for _, branch := range []string{"topic", "topic/inner", "topic"} {
		if _, err := s.Tasks.Create(ctx, app.CreateRequest{Title: "On " + branch, Branch: branch}); err != nil {
			t.Fatalf("create on %s: %v", branch, err)
		}
		f.Git("switch", "-q", "main")
		f.Git("branch", "-D", branch)
	}
}
