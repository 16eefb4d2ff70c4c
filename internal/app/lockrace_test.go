package app_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/git-brew/git-brew/internal/app"
	"github.com/git-brew/git-brew/internal/app/claim"
	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/app/exchange"
	"github.com/git-brew/git-brew/internal/app/lock"
	"github.com/git-brew/git-brew/internal/app/phase"
	"github.com/git-brew/git-brew/internal/gitstore/gitstoretest"
	"github.com/git-brew/git-brew/internal/ledger"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/lease"
)

// fleet is clones of one bare remote, each on a machine of its own, that a
// person has synced once.
type fleet struct {
	t      *testing.T
	hub    *gitstoretest.Fixture
	clones []*gitstoretest.Fixture
	at     []time.Time // each machine's clock
	id     task.ID
}

func newFleet(t *testing.T, n int) *fleet {
	t.Helper()
	f := &fleet{t: t, hub: gitstoretest.New(t).Clone("--bare")}
	for m := range n {
		f.clones = append(f.clones, f.hub.Clone())
		f.at = append(f.at, time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC))
		if m == 0 {
			made, err := f.as(0, "").Tasks.Create(t.Context(),
				app.CreateRequest{Title: "Add JWT auth", Phases: []string{"Token model"}})
			f.must(err)
			f.id = made.Task.ID
		}
		f.sync(m)
	}
	return f
}

// as is the service of a session on a machine, as a process of its own.
func (f *fleet) as(m int, session string) *app.App {
	at := &f.at[m]
	return app.New(app.Options{
		Repo: f.clones[m].Open(), Now: func() time.Time { *at = at.Add(time.Second); return *at },
		Caller: clone.Caller{
			User: "mara", Host: fmt.Sprintf("m%d", m), Machine: fmt.Sprintf("machine %d", m),
			Session: session, PID: 1,
		},
	})
}

func (f *fleet) sync(m int) exchange.SyncReport {
	f.t.Helper()
	r, err := f.as(m, "").Exchange.Sync(context.Background(), exchange.SyncRequest{})
	f.must(err)
	return r
}

func (f *fleet) must(err error) {
	f.t.Helper()
	if err != nil {
		f.t.Fatal(err)
	}
}

// offline takes the remote away, until the function that it gives is called.
func (f *fleet) offline() (online func()) {
	f.t.Helper()
	away := f.hub.Dir + ".away"
	f.must(os.Rename(f.hub.Dir, away))
	return func() { f.must(os.Rename(away, f.hub.Dir)) }
}

func (f *fleet) lockOf(m int) claim.LockView {
	f.t.Helper()
	l, err := f.as(m, "").Claims.LockOf(f.t.Context(), f.id)
	f.must(err)
	return l
}

// same checks that all clones and the remote have the same lock and task.
func (f *fleet) same() {
	f.t.Helper()
	for _, ref := range []string{string(ledger.LockRef(string(f.id))), string(ledger.TaskRef(string(f.id)))} {
		want := f.hub.Git("rev-parse", ref)
		for m, c := range f.clones {
			if got := c.Git("rev-parse", ref); got != want {
				f.t.Errorf("machine %d has %s at %s, the remote at %s", m, ref, got, want)
			}
		}
	}
}

// S-13: machines claim through one remote within the same moment. The remote's
// ref decides: one wins, and the others learn who it is in the same command.
func TestStart_S13_oneRemoteDecides(t *testing.T) {
	const machines = 4
	f := newFleet(t, machines)
	for round := range 4 {
		errs, locks := make([]error, machines), make([]app.StartResult, machines)
		var all sync.WaitGroup
		for m := range machines {
			s := f.as(m, fmt.Sprintf("s%d-%d", round, m))
			all.Go(func() { locks[m], errs[m] = s.Work.Start(context.Background(), f.id, false, false) })
		}
		all.Wait()
		winner := -1
		for m, err := range errs {
			if err == nil {
				if winner >= 0 {
					t.Fatalf("round %d: machines %d and %d both won", round, winner, m)
				}
				winner = m
			}
		}
		if winner < 0 {
			t.Fatalf("round %d: nobody won: %v", round, errs)
		}
		if won := locks[winner]; !won.Lock.Confirmed || won.Lock.Arbiter != "origin" || len(won.Notes) > 0 {
			t.Errorf("round %d: the winner has %+v, %q", round, won.Lock, won.Notes)
		}
		for m, err := range errs {
			if m == winner {
				continue
			}
			held, ok := errors.AsType[*lease.HeldError](err)
			if !ok || held.Lock.Session != fmt.Sprintf("s%d-%d", round, winner) {
				t.Errorf("round %d: machine %d: %v; want held by machine %d", round, m, err, winner)
			}
			if l := f.lockOf(m); l.Lock.Nonce != locks[winner].Lock.Lock.Nonce {
				t.Errorf("round %d: machine %d believes the lock to be %+v", round, m, l.Lock)
			}
			v, err := f.as(m, fmt.Sprintf("s%d-%d", round, m)).Sessions.Agent(t.Context())
			if err != nil || len(v.Lost) > 0 {
				t.Errorf("round %d: machine %d was told, and is told again: %+v, %v", round, m, v.Lost, err)
			}
		}
		_, err := f.as(winner, fmt.Sprintf("s%d-%d", round, winner)).Work.Pause(t.Context(), f.id, task.CauseWaiting,
			"the next round")
		f.must(err)
		for m := range machines {
			f.sync((winner + m) % machines)
		}
		f.same()
	}
}

// S-12: two machines claim offline. After both have synced one of them is the
// holder everywhere, and the session that is not is told by its next hook.
func TestStart_S12_offlineThenSync(t *testing.T) {
	f := newFleet(t, 2)
	online := f.offline()
	for m := range 2 {
		r, err := f.as(m, fmt.Sprintf("s%d", m)).Work.Start(t.Context(), f.id, false, false)
		if err != nil || r.Lock.Confirmed || len(r.Notes) != 1 ||
			!strings.Contains(r.Notes[0], "the lock is not confirmed (origin: ") {
			t.Fatalf("machine %d: %+v, %q, %v", m, r.Lock, r.Notes, err)
		}
		_, err = f.as(m, fmt.Sprintf("s%d", m)).Phases.AddPhase(t.Context(), f.id,
			phase.PhaseAddRequest{Title: fmt.Sprintf("by machine %d", m)})
		f.must(err)
	}
	online()
	for _, m := range []int{1, 0, 1, 0} {
		f.sync(m)
	}
	f.same()
	for m := range 2 {
		if l := f.lockOf(m); l.Lock.Session != "s1" || !l.Confirmed {
			t.Errorf("machine %d: %+v", m, l)
		}
		got, err := f.as(m, "").Records.Task(t.Context(), f.id)
		f.must(err)
		if n := len(got.Phases); n != 2 || got.Phases[1].Title != "by machine 1" {
			t.Errorf("machine %d: phases %+v", m, got.Phases)
		}
		session := f.as(m, fmt.Sprintf("s%d", m))
		l, err := session.Claims.LockOf(t.Context(), f.id)
		f.must(err)
		v, err := session.Sessions.Agent(t.Context())
		if lost := m == 0; err != nil || (len(v.Lost) == 1) != lost || l.Holder == lost {
			t.Errorf("machine %d: holder %t, to be told %+v, %v", m, l.Holder, v.Lost, err)
		}
	}
	if _, err := f.as(0, "s0").Work.SetStage(t.Context(), f.id, task.StagePlan); !isHeld(err) {
		t.Errorf("the loser writes: %v, want held", err)
	}
	for m := range 2 {
		if r := f.sync(m); len(r.Records) > 0 {
			t.Errorf("one more round: %+v", r.Records)
		}
	}
}

// S-14: a machine dies with a lock. Another one takes it over when the lease has
// run out and it has itself seen the lock unchanged for as long; that is on
// record. Who comes back is told, and writes over nothing.
func TestStart_S14_takenOverAfterTheLease(t *testing.T) {
	f := newFleet(t, 2)
	_, err := f.as(0, "dead").Work.Start(t.Context(), f.id, false, false)
	f.must(err)
	f.sync(0)
	f.at[1] = f.at[1].Add(30 * 24 * time.Hour) // its clock is a month ahead: that alone says nothing
	f.sync(1)
	for _, wait := range []time.Duration{0, 12 * time.Hour, 11 * time.Hour} {
		f.at[1] = f.at[1].Add(wait)
		if _, err := f.as(1, "next").Work.Start(t.Context(), f.id, false, false); !isHeld(err) {
			t.Fatalf("after %s more: %v, want held", wait, err)
		}
	}
	f.at[1] = f.at[1].Add(2 * time.Hour)
	r, err := f.as(1, "next").Work.Start(t.Context(), f.id, false, false)
	if err != nil || r.Lock.Lock.Fence != 2 || !r.Lock.Confirmed || len(r.Notes) != 1 ||
		!strings.Contains(r.Notes[0], "took over the lock of session dead on mara@m0") {
		t.Fatalf("%+v, %q, %v", r.Lock, r.Notes, err)
	}
	steps, err := f.as(1, "").Records.History(t.Context(), f.id)
	if err != nil || !strings.Contains(steps[0].Subject, "lock taken from session dead on mara@m0") {
		t.Errorf("on record: %q, %v", steps[0].Subject, err)
	}
	f.sync(1)

	// It comes back, works on for a moment, and hears of it.
	_, err = f.as(0, "dead").Phases.AddPhase(t.Context(), f.id, phase.PhaseAddRequest{Title: "from the grave"})
	f.must(err)
	if _, err := f.as(0, "dead").Work.Start(t.Context(), f.id, false, false); !isHeld(err) {
		t.Errorf("it starts again: %v, want held", err)
	}
	for _, m := range []int{0, 1} {
		f.sync(m)
	}
	f.same()
	if got, err := f.as(1, "").Records.Task(t.Context(), f.id); err != nil || len(got.Phases) != 1 {
		t.Errorf("phases %+v, %v", got.Phases, err)
	}
	if l := f.lockOf(0); l.Lock.Session != "next" {
		t.Errorf("held by %+v", l.Lock)
	}
}

// S-14: where nobody asks anything of the remote in between, the sync tells the
// session that lost.
func TestSync_S14_whoComesBackIsTold(t *testing.T) {
	f := newFleet(t, 2)
	_, err := f.as(0, "old").Work.Start(t.Context(), f.id, false, false)
	f.must(err)
	f.sync(0)
	_, err = f.as(1, "new").Work.Start(t.Context(), f.id, false, true)
	f.must(err)
	f.sync(1)
	f.sync(0)
	v, err := f.as(0, "old").Sessions.Agent(t.Context())
	if err != nil || len(v.Lost) != 1 || v.Lost[0].Work || v.Lost[0].Holder != "session new on mara@m1" {
		t.Errorf("to be told %+v, %v", v.Lost, err)
	}
}

// What the rules refuse is refused before the lock is taken.
func TestStart_S13_refusedBeforeTheLockIsTaken(t *testing.T) {
	f := newFleet(t, 2)
	_, err := f.as(0, "").Work.Finish(t.Context(), f.id, app.FinishRequest{Status: task.Cancelled})
	f.must(err)
	f.sync(0)
	var refused *task.RefusedError
	if _, err := f.as(1, "two").Work.Start(t.Context(), f.id, false, false); !errors.As(err, &refused) {
		t.Errorf("%v, want refused", err)
	}
	if l := f.lockOf(1); l.Lock.Held || l.Lock.Fence > 0 {
		t.Errorf("the lock is %+v", l.Lock)
	}
	if refs := f.hub.Git("for-each-ref", string(ledger.LockRef(string(f.id)))); refs != "" {
		t.Errorf("the remote has %s", refs)
	}
}

// A steal that others race with is done again, until it is the arbiter's word.
func TestStealLock_S13_againstRenewals(t *testing.T) {
	f := newFleet(t, 2)
	holder := f.as(0, "holder")
	_, err := holder.Work.Start(t.Context(), f.id, false, false)
	f.must(err)
	var both sync.WaitGroup
	both.Go(func() {
		for range 3 {
			_, _ = holder.Claims.RenewLock(context.Background(), f.id)
			_, _ = holder.Exchange.Sync(context.Background(), exchange.SyncRequest{})
		}
	})
	var taken app.StartResult
	thief := f.as(1, "thief")
	both.Go(func() { taken, err = thief.Work.Start(context.Background(), f.id, false, true) })
	both.Wait()
	l := taken.Lock
	if err != nil || !l.Confirmed || l.Lock.Session != "thief" || l.Lock.StolenFrom != "holder" {
		t.Errorf("%+v, %v", l, err)
	}
	f.sync(0)
	if l := f.lockOf(0); l.Lock.Session != "thief" {
		t.Errorf("the holder still believes in %+v", l.Lock)
	}
}

// S-10: eight processes claim one task on one clone at once.
func TestAcquireLock_S10_eightOnOneClone(t *testing.T) {
	const rounds, processes = 10, 8
	g := gitstoretest.New(t)
	made, err := open(t, g, clone.Caller{User: "mara", Host: "laptop"}).Tasks.Create(t.Context(),
		app.CreateRequest{Title: "Add JWT auth"})
	if err != nil {
		t.Fatal(err)
	}
	var all [processes]*app.App
	for p := range all {
		all[p] = open(t, g, clone.Caller{User: "mara", Host: "laptop", Session: fmt.Sprintf("s%d", p)})
	}
	for round := range rounds {
		var errs [processes]error
		var wait sync.WaitGroup
		for p, s := range all {
			wait.Go(func() { _, errs[p] = s.Claims.AcquireLock(context.Background(), made.Task.ID) })
		}
		wait.Wait()
		winner := -1
		for p, err := range errs {
			if err == nil && winner >= 0 {
				t.Fatalf("round %d: %d and %d both hold it", round, winner, p)
			}
			if err == nil {
				winner = p
			}
		}
		if winner < 0 {
			t.Fatalf("round %d: %v", round, errs)
		}
		for p, err := range errs {
			held, ok := errors.AsType[*lease.HeldError](err)
			if p != winner && (!ok || held.Lock.Session != fmt.Sprintf("s%d", winner)) {
				t.Errorf("round %d: process %d: %v; want held by %d", round, p, err, winner)
			}
		}
		if _, err := all[winner].Claims.ReleaseLock(t.Context(), made.Task.ID); err != nil {
			t.Fatal(err)
		}
	}
}

// S-3, S-14: a lock that was renewed by a clock a year ahead is held for a lease
// from when this clone saw it, and not for a year; so it is in the clone itself,
// whose clock was set since.
func TestStale_S14_clockFarAhead(t *testing.T) {
	for _, look := range []int{0, 1} {
		f := newFleet(t, 2)
		right := f.at[0]
		f.at[0] = right.AddDate(1, 0, 0)
		_, err := f.as(0, "dead").Claims.AcquireLock(t.Context(), f.id)
		f.must(err)
		f.at[0] = right
		f.sync(1)
		if l := f.lockOf(look); l.State != lock.LockHeld || l.ExpiresAt != "" {
			t.Fatalf("clone %d: %s until %q", look, l.State, l.ExpiresAt)
		}
		f.at[look] = f.at[look].Add(23 * time.Hour)
		if l := f.lockOf(look); l.State != lock.LockHeld {
			t.Errorf("clone %d, before its lease is over: %s", look, l.State)
		}
		f.at[look] = f.at[look].Add(2 * time.Hour)
		if l := f.lockOf(look); l.State != lock.LockStale {
			t.Errorf("clone %d, a lease later: %s", look, l.State)
		}
		f.at[1-look] = f.at[look]
		taken, err := f.as(look, "next").Claims.AcquireLock(t.Context(), f.id)
		f.must(err)
		if taken.Lock.Session != "next" || taken.ExpiresAt == "" {
			t.Errorf("clone %d took %+v", look, taken.Lock)
		}
	}
}

// The cache that staleness waits by may be lost, or come from another clock:
// then the wait begins anew.
func TestStale_S27_observedLocksAreACache(t *testing.T) {
	for name, break_ := range map[string]func(path string) error{
		"lost":   os.Remove,
		"broken": func(path string) error { return os.WriteFile(path, []byte("nonsense\n\x00 1 2 3\n"), 0o666) },
		"from the future": func(path string) error {
			data, err := os.ReadFile(path)
			if err == nil {
				since := regexp.MustCompile(`"since":\d+`)
				err = os.WriteFile(path, since.ReplaceAll(data, []byte(`"since":99999999999`)), 0o666)
			}
			return err
		},
	} {
		f := newFleet(t, 2)
		_, err := f.as(0, "dead").Claims.AcquireLock(t.Context(), f.id)
		f.must(err)
		f.sync(1)
		f.at[1] = f.at[1].Add(25 * time.Hour)
		if l := f.lockOf(1); l.State != lock.LockStale {
			t.Fatalf("%s: before it is broken: %s", name, l.State)
		}
		f.must(break_(f.clones[1].Dir + "/.git/" + gitstoretest.Name + "/observed-locks"))
		for _, c := range []struct {
			wait time.Duration
			want lock.LockState
		}{{0, lock.LockHeld}, {23 * time.Hour, lock.LockHeld}, {2 * time.Hour, lock.LockStale}} {
			f.at[1] = f.at[1].Add(c.wait)
			if l := f.lockOf(1); l.State != c.want {
				t.Errorf("%s: %s later: %s, want %s", name, c.wait, l.State, c.want)
			}
		}
	}
}
