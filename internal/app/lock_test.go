package app_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/git-brew/git-brew/internal/app"
	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/app/lock"
	"github.com/git-brew/git-brew/internal/app/phase"
	"github.com/git-brew/git-brew/internal/gitstore/gitstoretest"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/lease"
)

// S-14, S-15: pids and host names judge nobody. A container with the same host
// name and pid is another machine; its lock is as good as anybody's, until it is
// stolen, and then what its holder does is refused.
func TestLock_S14_S15_takenFromAnotherMachine(t *testing.T) {
	ctx := context.Background()
	f := gitstoretest.New(t)
	one := open(t, f, clone.Caller{User: "root", Host: "box", Machine: "a", PID: 1})
	two := open(t, f, clone.Caller{User: "root", Host: "box", Machine: "b", PID: 1})
	made, err := one.Tasks.Create(ctx, app.CreateRequest{Title: "Add JWT auth"})
	if err != nil {
		t.Fatal(err)
	}
	id := made.Task.ID
	first, err := one.Work.Start(ctx, id, false, false)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := two.Work.Start(ctx, id, false, false); !isHeld(err) {
		t.Fatalf("the other machine starts: %v, want held", err)
	}
	stolen, err := two.Work.Start(ctx, id, false, true)
	if err != nil || stolen.Lock.Lock.Fence <= first.Lock.Lock.Fence {
		t.Fatalf("steal: fence %d after %d, %v", stolen.Lock.Lock.Fence, first.Lock.Lock.Fence, err)
	}
	if len(stolen.Notes) == 0 {
		t.Error("a take-over is not told")
	}
	if _, err := one.Work.SetStage(ctx, id, task.StagePlan); !isHeld(err) {
		t.Errorf("the old holder writes: %v, want held", err)
	}
}

func isHeld(err error) bool {
	_, ok := errors.AsType[*lease.HeldError](err)
	return ok
}

// BC-60: only a stale lock or one without a session is cleared, and only if it
// still is the one that was looked at.
func TestLock_BC60_clearsWhatWasSeen(t *testing.T) {
	ctx := context.Background()
	f := gitstoretest.New(t)
	person := open(t, f, clone.Caller{User: "mara", Host: "laptop"})
	agent := open(t, f, clone.Caller{User: "mara", Host: "laptop", Session: "one"})
	made, err := person.Tasks.Create(ctx, app.CreateRequest{Title: "Add JWT auth"})
	if err != nil {
		t.Fatal(err)
	}
	id := made.Task.ID
	seen, err := person.Claims.AcquireLock(ctx, id)
	if err != nil {
		t.Fatal(err)
	}
	bound, err := agent.Claims.BindLock(ctx, id)
	if err != nil {
		t.Fatal(err)
	}
	for name, held := range map[string]lease.Lock{"bound meanwhile": seen.Lock, "bound and live": bound.Lock} {
		if err := person.Sessions.ClearLock(ctx, id, held); err != nil {
			t.Fatal(err)
		}
		if l, err := person.Claims.LockOf(ctx, id); err != nil || l.State != lock.LockHeld {
			t.Errorf("%s: %s, %v; want held", name, l.State, err)
		}
	}
}

// BC-61: who steals is the holder, whoever had the lock: what the old holder
// still does is refused, and it can't take the unbound lock back by working.
func TestLock_BC61_stolenFromAnAgentAtHome(t *testing.T) {
	ctx := context.Background()
	f := gitstoretest.New(t)
	person := open(t, f, clone.Caller{User: "mara", Host: "laptop"})
	agent := open(t, f, clone.Caller{User: "mara", Host: "laptop", Session: "one"})
	next := open(t, f, clone.Caller{User: "mara", Host: "laptop", Session: "two"})
	made, err := person.Tasks.Create(ctx, app.CreateRequest{Title: "Add JWT auth"})
	if err != nil {
		t.Fatal(err)
	}
	id := made.Task.ID
	first, err := agent.Work.Start(ctx, id, false, false)
	if err != nil {
		t.Fatal(err)
	}
	as, err := person.Work.Start(ctx, id, false, false)
	if err != nil || as.Lock.Lock.Session != "one" || as.Lock.Lock.Fence != first.Lock.Lock.Fence {
		t.Fatalf("a plain start at home: %+v, %v; want the agent's lock as it was", as.Lock.Lock, err)
	}
	stolen, err := person.Work.Start(ctx, id, false, true)
	if err != nil || stolen.Lock.Lock.Session != "" || stolen.Lock.Lock.Fence <= first.Lock.Lock.Fence ||
		!stolen.Lock.Holder {
		t.Fatalf("steal: %+v, %v; want the person's, with a higher fence", stolen.Lock, err)
	}
	again, err := person.Work.Start(ctx, id, false, true)
	if err != nil || again.Lock.Lock.Fence != stolen.Lock.Lock.Fence {
		t.Errorf("one's own stolen: fence %d after %d, %v", again.Lock.Lock.Fence, stolen.Lock.Lock.Fence, err)
	}
	if _, err := agent.Work.SetStage(ctx, id, task.StagePlan); !isHeld(err) {
		t.Errorf("the old holder writes: %v, want held", err)
	}
	if _, err := agent.Claims.BindLock(ctx, id); !isHeld(err) {
		t.Errorf("the old holder binds: %v, want held", err)
	}
	if v, err := agent.Sessions.Agent(ctx); err != nil || v.Bindable || v.Bound || v.Holder {
		t.Errorf("the old holder is shown %+v, %v", v, err)
	}
	unbound, err := next.Work.Start(ctx, id, false, true)
	if err != nil || unbound.Lock.Lock.Session != "two" || unbound.Lock.Lock.Fence <= stolen.Lock.Lock.Fence {
		t.Errorf("a session steals an unbound lock: %+v, %v; want a higher fence", unbound.Lock, err)
	}
}

// Design §5: by one's own clock alone nobody says that another clone's lease
// has run out.
func TestLock_BC59_anotherClonesLeaseIsNotJudged(t *testing.T) {
	ctx := context.Background()
	f := gitstoretest.New(t)
	at := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	of := func(c clone.Caller) *app.App {
		return app.New(app.Options{Repo: f.Open(), Now: func() time.Time { return at }, Caller: c})
	}
	home := of(clone.Caller{User: "mara", Machine: "a", Session: "one"})
	other := of(clone.Caller{User: "mara", Machine: "b", Session: "two"})
	made, err := home.Tasks.Create(ctx, app.CreateRequest{Title: "Add JWT auth"})
	if err != nil {
		t.Fatal(err)
	}
	id := made.Task.ID
	if _, err := home.Work.Start(ctx, id, false, false); err != nil {
		t.Fatal(err)
	}
	at = at.Add(30 * 24 * time.Hour)
	if l, err := other.Claims.LockOf(ctx, id); err != nil || l.State != lock.LockHeld {
		t.Errorf("elsewhere: %s, %v; want held", l.State, err)
	}
	_, err = other.Work.Start(ctx, id, false, false)
	if held, ok := errors.AsType[*lease.HeldError](err); !ok || held.Stale {
		t.Errorf("elsewhere, start: %v; want held, and not said to be stale", err)
	}
	if l, err := home.Claims.LockOf(ctx, id); err != nil || l.State != lock.LockStale {
		t.Errorf("at home: %s, %v; want stale", l.State, err)
	}
}

// What the holder does renews its lease, once it has rested for half of it; a
// renewal takes the setting as it is then.
func TestLock_isRenewedByItsHoldersWork(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	f := gitstoretest.New(t)
	f.Git("config", "brew.lock.ttl", "10m")
	at := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	as := func(session string) *app.App {
		return app.New(app.Options{
			Repo: f.Open(), Now: func() time.Time { return at },
			Caller: clone.Caller{User: "mara", Host: "laptop", Session: session},
		})
	}
	made, err := as("").Tasks.Create(ctx, app.CreateRequest{Title: "Add JWT auth"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := as("one").Work.Start(ctx, made.Task.ID, false, false); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		session string
		later   time.Duration
		want    string // when the lease runs out
	}{
		{"one", 4 * time.Minute, "2026-03-01T12:10:00Z"},
		{"one", 2 * time.Minute, "2026-03-01T12:16:00Z"},
		{"", 6 * time.Minute, "2026-03-01T12:16:00Z"}, // a person is not the agent
	} {
		at = at.Add(c.later)
		if _, err := as(c.session).Phases.AddPhase(ctx, made.Task.ID, phase.PhaseAddRequest{Title: "A step"}); err != nil {
			t.Fatal(err)
		}
		if l, err := as(c.session).Claims.LockOf(ctx, made.Task.ID); err != nil || l.ExpiresAt != c.want {
			t.Errorf("by %q at %s: until %s, %v; want %s", c.session, at, l.ExpiresAt, err, c.want)
		}
	}
	f.Git("config", "brew.lock.ttl", "2h")
	if l, err := as("one").Claims.RenewLock(ctx, made.Task.ID); err != nil || l.ExpiresAt != "2026-03-01T14:12:00Z" {
		t.Errorf("renewed until %s, %v", l.ExpiresAt, err)
	}
}
