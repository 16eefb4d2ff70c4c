package app_test

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/git-brew/git-brew/internal/app"
	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/app/exchange"
	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/gitstore/gitstoretest"
	"github.com/git-brew/git-brew/internal/ledger"
	"github.com/git-brew/git-brew/internal/operation"
	"github.com/git-brew/git-brew/internal/refsync"
	"github.com/git-brew/git-brew/internal/task"
)

// S-36: an agent is not the first to share, and what a remote says of consent is
// no consent.
func TestSync_S36_consentIsGivenHere(t *testing.T) {
	hub := gitstoretest.New(t).Clone("--bare")
	at := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	as := func(f *gitstoretest.Fixture, session string) *app.App {
		return app.New(app.Options{
			Repo: f.Open(), Now: func() time.Time { at = at.Add(time.Second); return at },
			Caller: clone.Caller{User: "mara", Host: "m", Machine: "m", Session: session},
		})
	}
	first := hub.Clone()
	first.Git("config", "brew.sync.events", "true")
	if _, err := as(first, "").Tasks.Create(t.Context(), app.CreateRequest{Title: "Add JWT auth"}); err != nil {
		t.Fatal(err)
	}
	var refused *clone.RefusedError
	if _, err := as(first, "s1").Exchange.Sync(t.Context(), exchange.SyncRequest{}); !errors.As(err, &refused) {
		t.Fatalf("an agent shares first: %v", err)
	}
	if _, err := as(first, "").Exchange.Sync(t.Context(), exchange.SyncRequest{}); err != nil {
		t.Fatal(err)
	}
	if _, err := as(first, "s1").Exchange.Sync(t.Context(), exchange.SyncRequest{}); err != nil {
		t.Errorf("an agent shares after a person agreed: %v", err)
	}
	// The consent is in the record of the clone, which was shared. Another
	// clone that finds it under its own name has agreed to nothing.
	second := hub.Clone()
	second.Git("config", "brew.sync.events", "true")
	second.Git("config", "brew.remote", "origin")
	if _, err := as(second, "").Sessions.UserMode(t.Context(), clone.ModeImplementation, "test"); err != nil {
		t.Fatal(err)
	}
	own := cloneRef(second)
	consent := strings.Fields(hub.Git("for-each-ref", "--format=%(objectname)", string(ledger.CloneRef("*"))))[0]
	if !strings.Contains(hub.Git("ls-tree", "--name-only", consent), "sync.json") {
		t.Fatal("there is no consent in what was shared")
	}
	hub.Git("update-ref", own, consent)
	second.Git("update-ref", "-d", own)
	if _, err := as(second, "").Exchange.Sync(t.Context(), exchange.SyncRequest{Fetch: true}); err != nil {
		t.Fatal(err)
	}
	if _, err := as(second, "s2").Exchange.Sync(t.Context(), exchange.SyncRequest{}); !errors.As(err, &refused) {
		t.Errorf("with a consent that the remote made up: %v", err)
	}
	if agreed, err := as(second, "").Clone.Consented(t.Context(), "origin"); agreed || err != nil {
		t.Errorf("Consented() = %t, %v", agreed, err)
	}
	// What stood there under its name is not lost when it shares.
	if _, err := as(second, "").Exchange.Sync(t.Context(), exchange.SyncRequest{}); err != nil {
		t.Fatal(err)
	}
	if out, err := hub.TryGit("merge-base", "--is-ancestor", consent, own); err != nil {
		t.Errorf("what was there before is gone: %v %s", err, out)
	}
	if hub.Git("rev-parse", own) != second.Git("rev-parse", own) {
		t.Error("its own record is not there")
	}
}

// Sessions and events go along where the person says so, from each clone its
// own.
func TestSync_eventsWhereTheyAreWanted(t *testing.T) {
	f := newFleet(t, 2)
	own := []string{cloneRef(f.clones[0]), cloneRef(f.clones[1])}
	if out := f.hub.Git("for-each-ref", string(ledger.CloneRef("*"))); out != "" {
		t.Errorf("nobody asked for it: %s", out)
	}
	f.clones[0].Git("config", "brew.sync.events", "true")
	f.sync(0)
	f.sync(1)
	if out, err := f.clones[1].TryGit("rev-parse", "--verify", "-q", own[0]); err == nil {
		t.Errorf("it was taken without being asked for: %s", out)
	}
	f.clones[1].Git("config", "brew.sync.events", "true")
	f.sync(1)
	if f.clones[1].Git("rev-parse", own[0]) != f.clones[0].Git("rev-parse", own[0]) {
		t.Error("the other one's record did not come")
	}
	f.sync(0)
	for m, c := range f.clones {
		for _, ref := range own {
			if f.hub.Git("rev-parse", ref) != c.Git("rev-parse", ref) {
				t.Errorf("machine %d has not what the remote has of %s", m, ref)
			}
		}
	}
}

// A record that is not one of ours is set aside, and the others go on.
func TestSync_setsAsideWhatIsNoRecord(t *testing.T) {
	f := newFleet(t, 2)
	s := f.as(0, "")
	made, err := s.Tasks.Create(t.Context(), app.CreateRequest{Title: "Another", NoSwitch: true})
	f.must(err)
	f.sync(0)
	before := f.clones[1].Git("rev-parse", string(ledger.TaskRef(string(f.id))))
	f.hub.Git("update-ref", string(ledger.TaskRef(string(f.id))), "main")
	report := f.sync(1)
	failed := report.Failed()
	if len(failed) != 1 || failed[0].ID != string(f.id) || failed[0].Outcome != refsync.SetAside {
		t.Fatalf("set aside: %+v", failed)
	}
	if got := f.clones[1].Git("rev-parse", string(ledger.TaskRef(string(f.id)))); got != before {
		t.Errorf("what is here moved from %s to %s", before, got)
	}
	if _, err := f.as(1, "").Records.Task(t.Context(), made.Task.ID); err != nil {
		t.Errorf("the other task did not come: %v", err)
	}
	if last, ok := f.as(1, "").Clone.LastSync(); !ok || last.OK || !strings.Contains(last.Said, string(f.id)) {
		t.Errorf("LastSync() = %+v, %t", last, ok)
	}
}

// One sync at a time: who comes second in the background leaves a note, and
// whoever syncs says that somebody wants one more.
func TestSync_oneAtATime(t *testing.T) {
	f := newFleet(t, 1)
	first, second := f.as(0, ""), f.as(0, "")
	if start, err := second.Exchange.SyncLater(t.Context()); !start || err != nil {
		t.Fatalf("SyncLater() = %t, %v; want a start", start, err)
	}
	noted := false
	report, err := first.Exchange.Sync(t.Context(), exchange.SyncRequest{Progress: func(step refsync.Step, _, _ int) {
		if step != refsync.Fetching || noted {
			return
		}
		noted = true
		if start, err := second.Exchange.SyncLater(t.Context()); start || err != nil {
			t.Errorf("SyncLater() beside a sync = %t, %v; want a note", start, err)
		}
		if _, err := second.Exchange.Sync(t.Context(), exchange.SyncRequest{Detached: true}); err != nil {
			t.Errorf("a detached sync beside another one: %v", err)
		}
	}})
	if err != nil || !noted || !report.Again {
		t.Fatalf("Sync() = %+v, %v", report, err)
	}
	rounds := 0
	_, err = second.Exchange.Sync(t.Context(),
		exchange.SyncRequest{Detached: true, Progress: func(step refsync.Step, _, _ int) {
			if step == refsync.Fetching {
				rounds++
			}
			if rounds == 1 {
				_, _ = first.Exchange.SyncLater(t.Context())
			}
		}})
	if err != nil || rounds != 2 {
		t.Errorf("it went %d rounds, %v; want one more for who asked meanwhile", rounds, err)
	}
	if report := f.sync(0); report.Again {
		t.Error("a note was left")
	}
}

// What went on apart from ours is set aside: nothing is folded by rules that are
// not known here.
func TestSync_S45_newerLawApart(t *testing.T) {
	f := newFleet(t, 2)
	ref := gitstore.RefName(ledger.TaskRef(string(f.id)))
	online := f.offline()
	newer(t, f.clones[0], ref)
	_, err := f.as(1, "").Tasks.EditTask(t.Context(), f.id, app.EditRequest{Title: "Add JWT"})
	f.must(err)
	online()
	f.sync(0)
	before := f.clones[1].Git("rev-parse", string(ref))
	failed := f.sync(1).Failed()
	if len(failed) != 1 || !errors.Is(failed[0].Err, ledger.ErrUnknownLaw) {
		t.Fatalf("set aside: %+v", failed)
	}
	if f.clones[1].Git("rev-parse", string(ref)) != before {
		t.Error("it moved all the same")
	}
}

// newer lets a program of the future change a task: an operation under a law
// that is not known here, which changed nothing that shows.
func newer(t *testing.T, f *gitstoretest.Fixture, ref gitstore.RefName) {
	t.Helper()
	repo := f.Open()
	tip := f.OID(string(ref))
	files, err := repo.Objects.Files(t.Context(), tip)
	if err != nil {
		t.Fatal(err)
	}
	w := repo.Objects.NewWriter()
	tree := map[string]gitstore.OID{}
	for _, file := range files {
		tree[file.Path] = file.OID
		data, err := repo.Objects.Blob(t.Context(), file.OID)
		if err != nil {
			t.Fatal(err)
		}
		if file.Path == task.TaskFile {
			state, err := task.DecodeState(data)
			if err != nil {
				t.Fatal(err)
			}
			clock := fmt.Sprintf(`"clock": %d`, state.Clock)
			tree[file.Path] = w.Blob(bytes.Replace(data, []byte(clock), fmt.Appendf(nil, `"clock": %d`, state.Clock+1), 1))
		}
		if file.Path != "op.json" {
			continue
		}
		op, err := operation.Decode(data)
		if err != nil {
			t.Fatal(err)
		}
		if op.ID, err = operation.NewID(nil); err != nil {
			t.Fatal(err)
		}
		op.Law, op.Clock, op.Kind, op.Payload = operation.Law+1, op.Clock+1, "task.ponder", []byte("{}")
		if data, err = operation.Encode(op); err != nil {
			t.Fatal(err)
		}
		tree[file.Path] = w.Blob(data)
	}
	who := gitstore.Signature{Name: "Ada", Email: "ada@example.org", When: time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC)}
	c := gitstore.Commit{Parents: []gitstore.OID{tip}, Author: who, Committer: who, Message: "pondered\n"}
	if c.Tree, err = w.Files(tree); err != nil {
		t.Fatal(err)
	}
	if err := repo.Publish(t.Context(), w, gitstore.Update{Ref: ref, Old: tip, New: w.Commit(c)}); err != nil {
		t.Fatal(err)
	}
}
