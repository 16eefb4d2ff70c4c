package app_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-brew/git-brew/internal/app"
	"github.com/git-brew/git-brew/internal/ledger"
	"github.com/git-brew/git-brew/internal/refsync"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/lease"
)

// hook writes a hook of the remote.
func (f *fleet) hook(name, body string) {
	f.t.Helper()
	dir := filepath.Join(f.hub.Dir, "hooks")
	f.must(os.MkdirAll(dir, 0o777))
	f.must(os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"+body+"\n"), 0o777))
}

// S-13: a claim that the remote answered no to is no claim made offline, whatever
// becomes of the connection then: nothing is started, and the lock is free here.
func TestStart_S13_refusedIsNotOffline(t *testing.T) {
	t.Parallel()
	lock := func(f *fleet) string { return string(ledger.LockRef(string(f.id))) }
	for name, row := range map[string]struct {
		body func(f *fleet) string
		want error
	}{
		"refused": {func(*fleet) string { return "echo 'nobody pushes here' >&2; exit 1" }, refsync.ErrRefused},
		"a name is in the way": {func(f *fleet) string {
			f.hub.Git("update-ref", lock(f)+"/x", "HEAD")
			return "exit 0"
		}, refsync.ErrOccupied},
		"moved meanwhile, and then gone": {func(f *fleet) string {
			// Somebody else is first, and then nobody can ask who.
			return fmt.Sprintf("git update-ref %s $(git rev-parse refs/heads/main); mv HEAD HEAD.away", lock(f))
		}, refsync.ErrUnreachable},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newFleet(t, 1)
			f.hook("update", row.body(f))
			r, err := f.as(0, "s").Work.Start(t.Context(), f.id, false, false)
			_ = os.Rename(filepath.Join(f.hub.Dir, "HEAD.away"), filepath.Join(f.hub.Dir, "HEAD"))
			if !errors.Is(err, row.want) {
				t.Fatalf("error %v, not %v: %+v", err, row.want, r)
			}
			if l := f.lockOf(0).Lock; l.Held {
				t.Errorf("held by %s", l.Holder())
			}
			found, err := f.as(0, "").Records.Task(t.Context(), f.id)
			if err != nil || found.Status != task.Pending {
				t.Errorf("%v, %v", found.Status, err)
			}
		})
	}
}

// S-13: a server that says yes to two lets one of them work: whoever does not see the
// claim there has not won.
func TestStart_S13_confirmedByLooking(t *testing.T) {
	t.Parallel()
	f := newFleet(t, 2)
	ref := ledger.LockRef(string(f.id))
	f.hook("pre-receive", "exit 0")
	_, err := f.as(1, "jo").Work.Start(t.Context(), f.id, false, false)
	f.must(err)
	won := f.hub.Git("rev-parse", string(ref))
	f.hub.Git("update-ref", "refs/heads/kept", won)
	f.hub.Git("update-ref", "-d", string(ref))
	f.hook("post-receive", fmt.Sprintf("git update-ref %s %s", ref, won)) // after "ok"
	_, err = f.as(0, "ada").Work.Start(t.Context(), f.id, false, false)
	if held, is := errors.AsType[*lease.HeldError](err); !is || !strings.Contains(held.Error(), "m1") {
		t.Errorf("error %v", err)
	}
	if l := f.lockOf(0).Lock; l.Session == "ada" {
		t.Errorf("ada holds it: %+v", l)
	}
}

// S-13: who can't see the lock of another one is told so after some tries, and holds
// none.
func TestStart_S13_hiddenFromTheSecond(t *testing.T) {
	t.Parallel()
	f := newFleet(t, 2)
	f.hub.Git("config", "uploadpack.hideRefs", "refs/brew/locks")
	_, err := f.as(0, "ada").Work.Start(t.Context(), f.id, false, false)
	f.must(err)
	_, err = f.as(1, "jo").Work.Start(t.Context(), f.id, false, false)
	if !errors.Is(err, refsync.ErrRefused) || !strings.Contains(err.Error(), "uploadpack.hideRefs") {
		t.Errorf("error %v", err)
	}
	if l := f.lockOf(1).Lock; l.Held {
		t.Errorf("held by %s", l.Holder())
	}
}

// S-13: a server that hides locks confirms none, and says so at once.
func TestStart_S13_hiddenLocks(t *testing.T) {
	t.Parallel()
	f := newFleet(t, 1)
	f.hub.Git("config", "uploadpack.hideRefs", "refs/brew/locks")
	r, err := f.as(0, "ada").Work.Start(t.Context(), f.id, false, false)
	if err != nil || !strings.Contains(strings.Join(r.Notes, "\n"), "uploadpack.hideRefs") {
		t.Errorf("%v, notes %q", err, r.Notes)
	}
}

// S-13: the status goes to the remote with the lock, where it takes both at once; else
// the lock goes alone, and nothing is lost of the start.
func TestStart_S13_statusGoesWithTheLock(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		remote func(f *fleet)
		there  string // what the remote's record of the task tells last
	}{
		"usually": {func(*fleet) {}, "task: pending -> in progress"},
		"one ref at a time": {func(f *fleet) {
			f.hub.Git("config", "receive.advertiseAtomic", "false")
		}, "phase 1: added"},
		"it takes no tasks just now": {func(f *fleet) {
			f.hook("update", "case $1 in *tasks*) exit 1;; esac")
		}, "phase 1: added"},
		"somebody writes meanwhile": {func(f *fleet) {
			_, err := f.as(1, "").Tasks.EditTask(t.Context(), f.id, app.EditRequest{Title: "Add all auth"})
			f.must(err)
			ref := string(ledger.TaskRef(string(f.id)))
			f.clones[1].Git("push", "-q", "origin", ref+":refs/heads/kept")
			f.hook("update", "case $1 in *tasks*) test -e seen || { : > seen; git update-ref $1 refs/heads/kept; };; esac")
		}, "task: pending -> in progress"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newFleet(t, 2)
			row.remote(f)
			r, err := f.as(0, "s").Work.Start(t.Context(), f.id, false, false)
			if err != nil || r.From != task.Pending || r.Task.Status != task.InProgress || !r.Lock.Confirmed {
				t.Fatalf("%s -> %s, %+v, %v", r.From, r.Task.Status, r.Lock, err)
			}
			if got := f.hub.Git("log", "--format=%s", "--first-parent",
				string(ledger.TaskRef(string(f.id)))); !strings.Contains(strings.Split(got, "\n")[0], row.there) {
				t.Errorf("the remote has\n%s", got)
			}
			_ = os.Remove(filepath.Join(f.hub.Dir, "hooks", "update"))
			for _, m := range []int{0, 1, 0} {
				f.sync(m)
			}
			f.same()
			starts := 0
			for _, subject := range strings.Split(f.clones[0].Git("log", "--format=%s", string(ledger.TaskRef(string(f.id)))),
				"\n") {
				if strings.Contains(subject, "-> in progress") {
					starts++
				}
			}
			if starts != 1 {
				t.Errorf("started %d times", starts)
			}
		})
	}
}
