package app

import (
	"context"
	"strings"
	"testing"

	"github.com/git-brew/git-brew/internal/ledger/archive"

	"github.com/git-brew/git-brew/internal/app/exchange"
	"github.com/git-brew/git-brew/internal/app/records"
	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/gitstore/gitstoretest"
	"github.com/git-brew/git-brew/internal/ledger"
	"github.com/git-brew/git-brew/internal/task"
)

// impostor is a repository of its own, in which another task was created under
// the id of one that is elsewhere.
func impostor(t *testing.T, id task.ID) desk {
	t.Helper()
	d := newDesk(gitstoretest.New(t), "eve")
	err := d.Clone.Ledger.Change(t.Context(), func(ctx context.Context, tx *ledger.Tx) error {
		payload := task.CreatePayload{
			ID: id, Title: "Not that one", Type: "feature", Branch: "feature/not-that-one",
			Stage: task.StagePlan,
		}
		_, err := ledger.Append(ctx, tx, records.TaskLaw(), ledger.TaskRef(string(id)), task.Task{}, ledger.Stamp{},
			ledger.Draft{Kind: task.OpCreate, Payload: payload})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

const anotherBegins = "another record begins here under the same name"

// A stranger's task under the id of one that is in the archive alone is not that
// task: neither a sync nor what follows a plain git fetch makes one of the two.
func TestExchange_anotherTaskUnderAnArchivedName(t *testing.T) {
	t.Parallel()
	mara := newDesk(gitstoretest.New(t), "mara")
	id := mara.ended("The one")
	mara.archive(id)
	eve := impostor(t, id)
	mara.disk.Git("remote", "add", "other", eve.disk.Dir)
	mara.fetch(eve)
	ref := ledger.TaskRef(string(id))
	before := mara.disk.Git("for-each-ref")
	x := &exchange.Settler{S: mara.Exchange}
	err := x.Accept(t.Context(), ref, gitstore.OID{}, mara.tip(ledger.TrackingRef("other", ref)))
	if err == nil || !strings.Contains(err.Error(), anotherBegins) {
		t.Errorf("accepted: %v", err)
	}
	lines := mara.Exchange.TakeFetched(t.Context(), false)
	if len(lines) != 1 || !strings.Contains(lines[0], anotherBegins) {
		t.Errorf("folded in: %q", lines)
	}
	if after := mara.disk.Git("for-each-ref"); after != before {
		t.Errorf("refs\n%s\nbefore\n%s", after, before)
	}
}

// The same the other way round: a stranger's archive has another task under the
// id of one that lives here.
func TestArchive_anotherTaskUnderALiveName(t *testing.T) {
	t.Parallel()
	mara := newDesk(gitstoretest.New(t), "mara")
	id := mara.ended("The one")
	eve := impostor(t, id)
	err := eve.Clone.Ledger.Change(t.Context(), func(ctx context.Context, tx *ledger.Tx) error {
		return archive.Add(ctx, tx, records.TaskLaw(), string(id))
	})
	if err != nil {
		t.Fatal(err)
	}
	mara.fetch(eve)
	theirs := mara.tip(ledger.TrackingRef("other", ledger.ArchiveRef))
	if err := mara.settler().Accept(t.Context(), ledger.ArchiveRef, gitstore.OID{}, theirs); err == nil ||
		!strings.Contains(err.Error(), anotherBegins) {
		t.Errorf("accepted: %v", err)
	}
}

// Names that no record can have are left alone, here and there, and keep no sync
// from its end.
func TestSync_S36_foreignNames(t *testing.T) {
	t.Parallel()
	mara := newDesk(gitstoretest.New(t), "mara")
	mara.ended("The one")
	hub := mara.disk.Clone("--bare")
	mara.disk.Git("remote", "add", "origin", hub.Dir)
	mara.disk.Git("config", "brew.sync.events", "true")
	mara = newDesk(mara.disk, "mara")
	if _, err := mara.Exchange.Sync(t.Context(), exchange.SyncRequest{}); err != nil {
		t.Fatal(err)
	}
	theirs := []string{"refs/brew/clones/anything", "refs/brew/locks/foo", "refs/brew/tasks/foo"}
	for _, name := range theirs {
		hub.Git("update-ref", name, "HEAD")
	}
	mara.disk.Git("update-ref", "refs/brew/tasks/mine", "HEAD")
	mara = newDesk(mara.disk, "mara")
	got, err := mara.Exchange.Sync(t.Context(), exchange.SyncRequest{})
	if err != nil {
		t.Fatal(err)
	}
	if failed := got.Failed(); len(failed) > 0 {
		t.Errorf("set aside: %+v", failed)
	}
	if len(got.Notes) != 1 || !strings.Contains(got.Notes[0], theirs[0]) || !strings.Contains(got.Notes[0], "and 3 more") {
		t.Errorf("told: %q", got.Notes)
	}
	if out, err := hub.TryGit("rev-parse", "-q", "--verify", "refs/brew/tasks/mine"); err == nil {
		t.Errorf("a name of ours that is none was pushed: %s", out)
	}
	for _, name := range theirs {
		if out, err := mara.disk.TryGit("rev-parse", "-q", "--verify", name); err == nil {
			t.Errorf("%s was taken over: %s", name, out)
		}
	}
}
