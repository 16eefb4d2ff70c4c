package app

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/ledger"
	"github.com/git-brew/git-brew/internal/refsync"
	"github.com/git-brew/git-brew/internal/task/lease"
)

// A lock from a remote is a stranger's: what is none is not taken for one.
func TestAcceptLock_hostile(t *testing.T) {
	t.Parallel()
	w := newTable(t)
	a := w.as("a", "one")
	held := w.apart(w.begin, func() { w.must(a.Claims.AcquireLock(t.Context(), w.id)) })
	renewed := w.apart(held, func() { w.must(a.Claims.RenewLock(t.Context(), w.id)) })
	good := w.lock()
	stranger := gitstore.RefName(ledger.Prefix + "remotes/hub/locks/" + string(w.id))
	commit := func(files map[string][]byte) gitstore.OID {
		var tip gitstore.OID
		w.must(nil, a.Clone.Ledger.Change(t.Context(), func(ctx context.Context, tx *ledger.Tx) (err error) {
			if err := tx.Move(ctx, stranger, held.lock); err != nil {
				return err
			}
			tip, err = tx.Put(ctx, stranger, files, "lock: renewed\n")
			return err
		}))
		return tip
	}
	state := func(change func(*lease.Lock)) map[string][]byte {
		l := good
		change(&l)
		data, err := json.Marshal(l)
		w.must(nil, err)
		return map[string][]byte{ledger.LockFile: data}
	}
	tree := func(mode, name string) gitstore.OID {
		blob := w.f.Git("rev-parse", held.lock.String()+":"+ledger.LockFile)
		made, err := a.Clone.Repo.Git.Input(t.Context(), []byte(mode+" blob "+blob+"\t"+name+"\n"), "mktree")
		w.must(nil, err)
		return w.f.OID(w.f.Git("commit-tree", "-p", held.lock.String(), "-m", "x", strings.TrimSpace(string(made))))
	}
	for _, c := range []struct {
		name   string
		theirs gitstore.OID
		why    string // "" accepted
	}{
		{"one that goes on", renewed.lock, ""},
		{"a fence above", commit(state(func(l *lease.Lock) { l.Fence += 1000 })), ""},
		{"a fence near the last", commit(state(func(l *lease.Lock) { l.Fence = 1 << 52 })), "its fence leapt"},
		{"another task's", commit(state(func(l *lease.Lock) { l.Task = "other-k3v9q2m" })), `lock of "other-k3v9q2m"`},
		{"of no kind", commit(state(func(l *lease.Lock) { l.Event = "eaten" })), "corrupt lock"},
		{"of a newer format", commit(state(func(l *lease.Lock) { l.Schema = "9.0.0" })), "9.0.0"},
		{"nonsense", commit(map[string][]byte{ledger.LockFile: []byte("{")}), "corrupt lock"},
		{
			"too large", commit(map[string][]byte{ledger.LockFile: []byte(`"` + strings.Repeat("x", 64<<10) + `"`)}),
			"bytes, at most",
		},
		{"more files", commit(map[string][]byte{"run.sh": []byte("x")}), "run.sh: no such file"},
		{"a link", tree("120000", ledger.LockFile), "its mode is 120000"},
		{"a program", tree("100755", ledger.LockFile), "its mode is 100755"},
		{"another name", tree("100644", "LOCK.json"), "LOCK.json: no such file"},
		{"two chains", w.f.OID(w.f.Git("commit-tree", "-p", held.lock.String(), "-p", w.begin.task.String(), "-m", "x",
			renewed.lock.String()+"^{tree}")), "no such file"},
		{"on top of something else", w.f.OID(w.f.Git("commit-tree", "-p", w.begin.task.String(), "-m", "x",
			renewed.lock.String()+"^{tree}")), "no such file"},
		{"no commit", w.f.OID(renewed.lock.String() + "^{tree}"), "not the kind"},
		{"nothing that is here", gitstore.HashBlob([]byte("never stored")), "does not exist"},
	} {
		err := a.Locks.AcceptLock(t.Context(), w.id, held.lock, c.theirs)
		var unsound *ledger.UnsoundError
		if c.why == "" && err != nil || c.why != "" && (!errors.As(err, &unsound) || !strings.Contains(err.Error(), c.why)) {
			t.Errorf("%s: %v, want %q", c.name, err, c.why)
		}
		if err != nil && strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: more than a line: %q", c.name, err)
		}
	}
	for name, ours := range map[string]gitstore.OID{"new here": {}, "further here": renewed.lock} {
		if err := a.Locks.AcceptLock(t.Context(), w.id, ours, held.lock); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A renewal is carried to the arbiter when half of the lease has passed since
// it saw the last one, and at once where it does not know the claim.
func TestShareDue(t *testing.T) {
	t.Parallel()
	w := newTable(t)
	w.f.Git("remote", "add", "hub", "nowhere")
	a := w.as("a", "one")
	w.must(a.Claims.AcquireLock(t.Context(), w.id))
	due := func() bool {
		t.Helper()
		s := w.as("a", "one")
		got, err := s.Claims.ShareDue(t.Context(), w.id, w.lock())
		w.must(nil, err)
		return got
	}
	if due() {
		t.Error("due without an arbiter")
	}
	w.f.Git("config", "brew.remote", "hub")
	if due() {
		t.Error("due before a person agreed to share")
	}
	w.must(nil, w.as("a", "").Clone.Consent(t.Context(), refsync.Remote{Name: "hub", Namespace: ledger.Prefix}))
	if !due() {
		t.Error("not due, and the arbiter does not know the claim")
	}
	w.f.Git("update-ref", string(hub.Seen(ledger.LockRef(string(w.id)))), w.now().lock.String())
	if l, err := w.as("a", "one").Claims.LockOf(t.Context(), w.id); err != nil || !l.Confirmed || l.Arbiter != "hub" ||
		due() {
		t.Errorf("confirmed: %+v, %v; due %t", l, err, due())
	}
	w.at = w.at.Add(13 * time.Hour)
	w.must(w.as("a", "one").Claims.RenewLock(t.Context(), w.id))
	if !due() {
		t.Error("not due, half a lease later")
	}
	all, err := w.as("a", "").List(t.Context(), ListRequest{})
	if err != nil || len(all.Tasks) != 1 || !all.Tasks[0].Confirmed {
		t.Errorf("listed: %+v, %v; a renewal is no new claim", all.Tasks, err)
	}
}
