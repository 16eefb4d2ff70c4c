package workflow_test

import (
	"context"
	"errors"
	"testing"

	"github.com/git-brew/git-brew/internal/gitstore/gitstoretest"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/workflow"
)

// S-14, S-15: pids and host names judge nobody. A container with the same host
// name and pid is another machine; its lock is as good as anybody's, until it is
// stolen, and then what its holder does is refused.
func TestLock_S14_S15_takenFromAnotherMachine(t *testing.T) {
	ctx := context.Background()
	f := gitstoretest.New(t)
	one := open(t, f, workflow.Caller{User: "root", Host: "box", Machine: "a", PID: 1})
	two := open(t, f, workflow.Caller{User: "root", Host: "box", Machine: "b", PID: 1})
	made, err := one.Create(ctx, workflow.CreateRequest{Title: "Add JWT auth"})
	if err != nil {
		t.Fatal(err)
	}
	id := made.Task.ID
	first, err := one.Start(ctx, id, false, false)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := two.Start(ctx, id, false, false); !isHeld(err) {
		t.Fatalf("the other machine starts: %v, want held", err)
	}
	stolen, err := two.Start(ctx, id, false, true)
	if err != nil || stolen.Lock.Lock.Fence <= first.Lock.Lock.Fence {
		t.Fatalf("steal: fence %d after %d, %v", stolen.Lock.Lock.Fence, first.Lock.Lock.Fence, err)
	}
	if len(stolen.Notes) == 0 {
		t.Error("a take-over is not told")
	}
	if _, err := one.SetStage(ctx, id, task.Planning); !isHeld(err) {
		t.Errorf("the old holder writes: %v, want held", err)
	}
}

func isHeld(err error) bool {
	_, ok := errors.AsType[*task.HeldError](err)
	return ok
}

// BC-60: only a stale lock or one without a session is cleared, and only if it
// still is the one that was looked at.
func TestLock_BC60_clearsWhatWasSeen(t *testing.T) {
	ctx := context.Background()
	f := gitstoretest.New(t)
	person := open(t, f, workflow.Caller{User: "mara", Host: "laptop"})
	agent := open(t, f, workflow.Caller{User: "mara", Host: "laptop", Session: "one"})
	made, err := person.Create(ctx, workflow.CreateRequest{Title: "Add JWT auth"})
	if err != nil {
		t.Fatal(err)
	}
	id := made.Task.ID
	seen, err := person.AcquireLock(ctx, id)
	if err != nil {
		t.Fatal(err)
	}
	bound, err := agent.BindLock(ctx, id)
	if err != nil {
		t.Fatal(err)
	}
	for name, lock := range map[string]task.Lock{"bound meanwhile": seen.Lock, "bound and live": bound.Lock} {
		if err := person.ClearLock(ctx, id, lock); err != nil {
			t.Fatal(err)
		}
		if l, err := person.LockOf(ctx, id); err != nil || l.State != workflow.LockHeld {
			t.Errorf("%s: %s, %v; want held", name, l.State, err)
		}
	}
}
