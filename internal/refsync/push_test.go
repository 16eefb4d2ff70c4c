package refsync_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/ledger"
	"github.com/git-brew/git-brew/internal/refsync"
)

// S-29: a busy peer pushes in between, time and again. Each time the rest goes
// on and the record is merged again; in the end it is there, or the exchange
// says that it gave up, with nothing lost.
func TestRun_S29_busyPeer(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		busy   int
		gaveUp bool
	}{
		"a peer that stops":       {8, false},
		"a peer that never stops": {1000, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHub(t, "")
			ada, peer := h.desk("ada"), h.desk("peer")
			one := taskRef("one")
			ada.add(one, "0")
			ada.sync()
			ada.add(one, "a")
			ada.add(taskRef("calm"), "a")
			pushed := 0
			ada.records.settle = func(ref gitstore.RefName) error {
				if ref == one && pushed < row.busy {
					pushed++
					peer.Git("fetch", "-q", "origin", "+refs/brew/tasks/*:refs/brew/tasks/*")
					peer.add(one, fmt.Sprint(pushed))
					peer.Git("push", "-q", "origin", string(one))
				}
				return nil
			}
			o := ada.both()
			var waits []time.Duration
			o.Wait = func(d time.Duration) { waits = append(waits, d) }
			r, err := ada.run(o)
			if row.gaveUp {
				if !errors.Is(err, refsync.ErrMoving) || r.Rounds != 10 {
					t.Errorf("%v after %d rounds", err, r.Rounds)
				}
				if calm, busy := r.Refs[0], r.Refs[1]; !calm.Pushed || !busy.Pending || busy.Err == nil {
					t.Errorf("%s", told(r))
				}
				ada.records.settle = nil
				r = ada.sync()
			} else if err != nil || r.Rounds != 9 {
				t.Errorf("%v after %d rounds", err, r.Rounds)
			}
			if len(waits) < 8 || waits[len(waits)-1] < 4*waits[0]/3 {
				t.Errorf("waits do not grow: %v", waits)
			}
			if !r.Refs[len(r.Refs)-1].Pushed || h.OID(string(one)) != ada.tip(one) {
				t.Errorf("the hub has %s, ada %s: %s", h.OID(string(one)), ada.tip(one), told(r))
			}
			if got := len(strings.Fields(ada.texts(one))); got != pushed+2 {
				t.Errorf("%d texts of %d: %s", got, pushed+2, ada.texts(one))
			}
		})
	}
}

// What somebody else deletes between fetch and push is no failure.
func TestRun_deletedMeanwhile(t *testing.T) {
	t.Parallel()
	h, ada := oneDesk(t)
	ada.add(taskRef("old"), "1")
	ada.add(taskRef("older"), "1")
	ada.add(ledger.ArchiveRef, "both")
	ada.sync()
	for _, task := range []string{"old", "older"} {
		ada.records.archived[task+"-aaaaaaa"] = true
		ada.Git("update-ref", "-d", string(taskRef(task)))
	}
	ada.records.calls = nil
	o := ada.both()
	o.Progress = func(step refsync.Step, done, total int) {
		if step == refsync.Settling && done == total {
			_, _ = h.TryGit("update-ref", "-d", string(taskRef("old")))
		}
	}
	r, err := ada.run(o)
	if err != nil {
		t.Fatal(err)
	}
	expect(t, r, "tasks/old-aaaaaaa archived deleted", "tasks/older-aaaaaaa archived deleted")
	h.on("archive")
}

// One lock, one push, one answer. S-13.
func TestPushTogether_S13_answers(t *testing.T) {
	t.Parallel()
	h, ada, jo := twoDesks(t)
	lock := lockRef("one")
	none := gitstore.OID{}
	push := func(d *desk, old, new gitstore.OID, want refsync.Answer) {
		t.Helper()
		if got, err := refsync.PushTogether(context.Background(), d.repo, d.remote,
			gitstore.Update{Ref: lock, Old: old, New: new}); got != want || err != nil {
			t.Errorf("%s, %v, not %s", got, err, want)
		}
	}
	first := ada.add(lock, "ada")
	push(ada, none, first, refsync.Pushed)
	if got := ada.tip(ada.remote.Seen(lock)); !got.IsZero() {
		t.Errorf("seen %s without a look", got)
	}
	push(ada, none, first, refsync.UpToDate)
	push(jo, none, jo.add(lock, "jo"), refsync.Moved)
	if got := jo.tip(jo.remote.Seen(lock)); !got.IsZero() {
		t.Errorf("jo has seen %s", got)
	}
	second := ada.add(lock, "ada again")
	push(ada, second, ada.add(lock, "and again"), refsync.Moved)
	push(ada, first, second, refsync.Pushed)
	h.hook("update", "echo 'no locks' >&2; exit 1")
	got, err := refsync.PushTogether(t.Context(), ada.repo, ada.remote,
		gitstore.Update{Ref: lock, Old: second, New: ada.tip(lock)})
	if got != refsync.Refused || !errors.Is(err, refsync.ErrRefused) || !strings.Contains(err.Error(), "no locks") {
		t.Errorf("%s, %v", got, err)
	}
	h.hook("update", "")
	push(ada, second, none, refsync.Pushed)
	h.on()
}

// S-13: what a lock is taken for goes with it, or neither goes, whichever of the two
// the remote does not take.
func TestPushTogether_S13_allOrNone(t *testing.T) {
	t.Parallel()
	h, ada, jo := twoDesks(t)
	lock, record := lockRef("one"), taskRef("one")
	both := func(d *desk, was gitstore.OID) (refsync.Answer, error) {
		return refsync.PushTogether(context.Background(), d.repo, d.remote,
			gitstore.Update{Ref: lock, New: d.tip(lock)}, gitstore.Update{Ref: record, Old: was, New: d.tip(record)})
	}
	for who, d := range map[string]*desk{"ada": ada, "jo": jo} {
		d.add(lock, who)
		d.add(record, who+" begins")
	}
	for name, refuses := range map[string]string{"the lock": "locks", "the task": "tasks", "both": "refs"} {
		h.hook("update", "case $1 in *"+refuses+"*) echo 'none of these' >&2; exit 1;; esac")
		if got, err := both(ada, gitstore.OID{}); got != refsync.Refused || !errors.Is(err, refsync.ErrRefused) {
			t.Errorf("%s refused: %s, %v", name, got, err)
		}
		h.on()
	}
	h.hook("update", "exit 0")
	h.Git("config", "receive.advertiseAtomic", "false")
	if got, err := both(ada, gitstore.OID{}); got == refsync.Pushed || err == nil {
		t.Errorf("a remote that moves one at a time: %s, %v", got, err)
	}
	h.on()
	h.Git("config", "receive.advertiseAtomic", "true")
	if got, err := both(ada, ada.tip(lock)); got != refsync.Moved || err != nil { // the task is not what it was
		t.Errorf("%s, %v", got, err)
	}
	h.on()
	if got, err := both(ada, gitstore.OID{}); got != refsync.Pushed || err != nil {
		t.Errorf("%s, %v", got, err)
	}
	h.on("locks/one-aaaaaaa", "tasks/one-aaaaaaa")
	if got, err := both(jo, gitstore.OID{}); got != refsync.Moved || err != nil {
		t.Errorf("%s, %v", got, err)
	}
}

// Whatever a person's configuration says of pushes and fetches of code, records
// are what travels: no branch, no tag, no hook of theirs.
func TestRun_personsConfiguration(t *testing.T) {
	t.Parallel()
	h, ada, jo := twoDesks(t)
	ada.Git("push", "-q", "origin", "HEAD:refs/heads/code", "HEAD:refs/tags/v0")
	for _, d := range []*desk{ada, jo} {
		d.Git("tag", "-a", "-m", "tag", "v1-of-"+d.Dir[len(d.Dir)-2:])
		for key, value := range map[string]string{
			"push.followTags": "true", "remote.origin.mirror": "true", "remote.origin.tagOpt": "--tags", "fetch.prune": "true",
			"fetch.pruneTags": "true", "push.recurseSubmodules": "on-demand", "fetch.recurseSubmodules": "true",
			"push.useForceIfIncludes": "true",
			"remote.origin.push":      "refs/heads/*:refs/heads/*", "fetch.writeCommitGraph": "true", "fetch.output": "compact",
		} {
			d.Git("config", key, value)
		}
		d.Git("config", "core.hooksPath", filepath.Join(d.Dir, ".git", "hooks"))
		d.Write(".git/hooks/pre-push", "#!/bin/sh\ntouch ran\nexit 1\n")
		if err := os.Chmod(filepath.Join(d.Dir, ".git", "hooks", "pre-push"), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	ada.add(taskRef("one"), "1")
	ada.Git("tag", "on-the-task", string(taskRef("one")))
	ada.sync()
	jo.add(taskRef("two"), "1")
	expect(t, jo.sync(), "tasks/one-aaaaaaa new", "tasks/two-aaaaaaa ahead pushed")
	h.on("tasks/one-aaaaaaa", "tasks/two-aaaaaaa", "refs/heads/code", "refs/tags/v0")
	if got := jo.Git("for-each-ref", "--format=%(refname)", "refs/heads", "refs/remotes",
		"refs/tags"); got != "refs/heads/main\nrefs/tags/v1-of-jo" {
		t.Errorf("jo has %s", got)
	}
	if out, err := jo.TryGit("rev-parse", "--verify", "FETCH_HEAD"); err == nil {
		t.Errorf("FETCH_HEAD is %s", out)
	}
}
