package app_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/git-brew/git-brew/internal/app"
	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/gitstore/gitstoretest"
	"github.com/git-brew/git-brew/internal/task"
)

// What follows a step takes turns with what runs in the same work tree, and waits for
// its own no longer than somebody waits for it: it is due then.
func TestAround_SP6_waitsItsTurnForAWhile(t *testing.T) {
	t.Parallel()
	f := gitstoretest.New(t)
	f.Commit("first")
	f.Git("config", "brew.pipeline.hookTimeout", "1s")
	ctx := context.Background()
	f.Write(".brew/hooks/post-execute.md", "# Tell\n")
	s := open(t, f, clone.Caller{User: "mara", Host: "laptop"})
	trustAll(t, s)
	made, err := s.Tasks.Create(ctx, app.CreateRequest{
		Title: "Add JWT auth", NoSwitch: true,
		Phases: []string{"Token model"},
	})
	if err != nil {
		t.Fatal(err)
	}
	id := made.Task.ID
	atWork(t, s, id)
	err = f.Open().Exclusive(ctx, "hooks-.git", 0, func() error {
		_, err := s.Phases.PhaseDone(ctx, id, "1")
		return err
	})
	if err == nil || !strings.HasPrefix(err.Error(),
		"the state is saved, and what follows execute of phase 1 waits for ") {
		t.Errorf("while others run: %v", err)
	}
	waits, err := s.Records.Task(ctx, id)
	if err != nil || waits.Phases[0].Status != task.PhaseInReview || len(waits.OpenHooks()) != 1 {
		t.Fatalf("open are %+v, %v", waits.OpenHooks(), err)
	}
	// Whoever gave up waiting, and is no process that has ended, gets its turn for a moment.
	after, err := s.Pipelines.RetryHooks(ctx, id)
	for range 1000 {
		if err == nil || !strings.Contains(err.Error(), "other hooks that run") {
			break
		}
		time.Sleep(10 * time.Millisecond)
		after, err = s.Pipelines.RetryHooks(ctx, id)
	}
	if err != nil || len(after.OpenHooks()) != 0 {
		t.Errorf("open are %+v, %v", after.OpenHooks(), err)
	}
}
