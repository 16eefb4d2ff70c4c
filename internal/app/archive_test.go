package app

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	archived "github.com/git-brew/git-brew/internal/ledger/archive"

	"github.com/git-brew/git-brew/internal/app/archive"
	"github.com/git-brew/git-brew/internal/app/change"
	"github.com/git-brew/git-brew/internal/app/claim"
	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/app/exchange"
	"github.com/git-brew/git-brew/internal/app/records"
	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/gitstore/gitstoretest"
	"github.com/git-brew/git-brew/internal/ledger"
	"github.com/git-brew/git-brew/internal/refsync"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/lease"
)

// desk is a clone with a person at it, and a clock that moves a second at each
// look.
type desk struct {
	disk *gitstoretest.Fixture
	*App
	at *time.Time
}

func newDesk(f *gitstoretest.Fixture, user string) desk {
	at := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	now := func() time.Time { at = at.Add(time.Second); return at }
	return desk{f, New(Options{Repo: f.Open(), Now: now, Caller: clone.Caller{User: user, Host: user + "-laptop"}}), &at}
}

// ended makes a task that is cancelled.
func (d desk) ended(title string) task.ID {
	d.disk.T.Helper()
	made, err := d.Tasks.Create(context.Background(), CreateRequest{Title: title, NoSwitch: true})
	if err == nil {
		_, err = d.Work.Start(context.Background(), made.Task.ID, false, false)
	}
	if err == nil {
		_, err = d.Work.Finish(context.Background(), made.Task.ID, FinishRequest{Status: task.Cancelled})
	}
	if err != nil {
		d.disk.T.Fatal(err)
	}
	return made.Task.ID
}

func (d desk) archive(ids ...task.ID) {
	d.disk.T.Helper()
	if _, err := d.Archive.Archive(context.Background(), archive.ArchiveRequest{Tasks: ids}); err != nil {
		d.disk.T.Fatal(err)
	}
}

func (d desk) learn(id task.ID, what string) {
	d.disk.T.Helper()
	_, err := d.Engine.Update(context.Background(), id, func(ctx context.Context, c *change.Tx) error {
		return c.Do(ctx, change.Op(task.OpKnowledgeAdd,
			task.KnowledgeAddPayload{TS: "2026-03-01T12:00:00Z", T: "fact", Txt: what}))
	})
	if err != nil {
		d.disk.T.Fatal(err)
	}
}

// fetch brings what another clone has, as a remote of that name.
func (d desk) fetch(from desk) {
	d.disk.T.Helper()
	d.disk.Git("fetch", "-q", "--prune", from.disk.Dir, "+refs/brew/tasks/*:refs/brew/remotes/other/tasks/*",
		"+refs/brew/locks/*:refs/brew/remotes/other/locks/*", "+refs/brew/archive*:refs/brew/remotes/other/archive*")
}

// take is fetch, and what a sync makes of a record of the other clone.
// take settles a record with what the remote other was last seen to have.
func (d desk) take(ref gitstore.RefName) (out refsync.Settlement) {
	d.disk.T.Helper()
	err := d.Clone.Ledger.Change(context.Background(), func(ctx context.Context, tx *ledger.Tx) error {
		remote := refsync.Remote{Name: "other", Namespace: ledger.Prefix}
		ours, err := tx.Tip(ctx, ref)
		if err != nil {
			return err
		}
		theirs, err := d.Clone.Ledger.Tip(ctx, remote.Seen(ref))
		if err != nil {
			return err
		}
		out, err = d.settler().Settle(ctx, tx, remote, ref, ours, theirs)
		return err
	})
	if err != nil {
		d.disk.T.Fatal(err)
	}
	return out
}

func (d desk) settler() *exchange.Settler { return &exchange.Settler{S: d.Exchange} }

func (d desk) takeArchive() refsync.Settlement {
	d.disk.T.Helper()
	theirs := d.tip(ledger.TrackingRef("other", ledger.ArchiveRef))
	if err := d.settler().Accept(context.Background(), ledger.ArchiveRef, d.tip(ledger.ArchiveRef), theirs); err != nil {
		d.disk.T.Fatal(err)
	}
	return d.take(ledger.ArchiveRef)
}

func (d desk) tip(ref gitstore.RefName) gitstore.OID {
	d.disk.T.Helper()
	tip, err := d.Clone.Ledger.Tip(context.Background(), ref)
	if err != nil {
		d.disk.T.Fatal(err)
	}
	return tip
}

// live are the tasks that have refs.
func (d desk) live() []string {
	d.disk.T.Helper()
	refs, err := d.Clone.Ledger.Tasks(context.Background())
	if err != nil {
		d.disk.T.Fatal(err)
	}
	var ids []string
	for _, r := range refs {
		id, _ := ledger.TaskOf(r.Name)
		ids = append(ids, id)
	}
	return ids
}

func (d desk) knows(id task.ID) (facts []string) {
	d.disk.T.Helper()
	t, err := d.Records.Task(context.Background(), id)
	if err != nil {
		d.disk.T.Fatal(err)
	}
	for _, e := range t.Knowledge {
		facts = append(facts, e.Txt)
	}
	return facts
}

// desks are two clones that both have some ended tasks.
func desks(t *testing.T, titles ...string) (mara, jo desk, ids []task.ID) {
	mara = newDesk(gitstoretest.New(t), "mara")
	for _, title := range titles {
		ids = append(ids, mara.ended(title))
	}
	jo = newDesk(mara.disk.Clone(), "jo")
	jo.disk.Git("fetch", "-q", mara.disk.Dir, "refs/brew/tasks/*:refs/brew/tasks/*", "refs/brew/locks/*:refs/brew/locks/*")
	return mara, jo, ids
}

// An old clone gets an archive: what it has not touched goes there, what it went
// on with stays live, with all that the archive knows. What it only holds goes
// there too; its lock stays, and what is done under it makes the task live again.
func TestArchive_S7_oldClone(t *testing.T) {
	mara, jo, ids := desks(t, "Untouched", "Went on", "Locked")
	ctx := context.Background()
	untouched, wentOn, locked := ids[0], ids[1], ids[2]
	mara.learn(untouched, "the end")
	mara.learn(wentOn, "the end")
	mara.archive(ids...)
	jo.learn(wentOn, "of jo")
	if _, err := jo.Claims.AcquireLock(ctx, locked); err != nil {
		t.Fatal(err)
	}

	jo.fetch(mara)
	out := jo.takeArchive()
	if out.Outcome != refsync.New || out.There != jo.tip(ledger.ArchiveRef) || out.There != mara.tip(ledger.ArchiveRef) {
		t.Errorf("the archive is %+v", out)
	}
	want := []string{string(wentOn)}
	if live := jo.live(); !slices.Equal(live, want) {
		t.Errorf("live are %q, want %q", live, want)
	}
	if got := jo.knows(wentOn); len(got) != 2 {
		t.Errorf("the task that went on knows %q", got)
	}
	if got := jo.knows(untouched); !slices.Equal(got, []string{"the end"}) {
		t.Errorf("the archived one knows %q", got)
	}

	// Nothing of it is pushed as a live one but what has more.
	for _, id := range ids {
		got := jo.take(ledger.TaskRef(string(id)))
		if archived := got.Outcome == refsync.Archived && got.There.IsZero(); archived != (id != wentOn) {
			t.Errorf("%s: %+v", id, got)
		}
	}
	if live := jo.live(); !slices.Equal(live, want) {
		t.Errorf("live are %q, want %q", live, want)
	}
	for _, id := range ids {
		if has := !jo.tip(ledger.LockRef(string(id))).IsZero(); has != (id != untouched) {
			t.Errorf("%s has a lock: %v", id, has)
		}
	}

	held, err := jo.HeldLocks(ctx)
	if err != nil || len(held) != 1 || held[0].Task != locked || !held[0].Holder {
		t.Errorf("held are %+v, %v", held, err)
	}
	started, err := jo.Work.Start(ctx, locked, true, false)
	if err != nil || started.Lock.Lock.Nonce != held[0].Lock.Nonce {
		t.Errorf("started under %+v, %v; want %+v", started.Lock, err, held)
	}
	if live := jo.live(); !slices.Equal(live, []string{string(locked), string(wentOn)}) {
		t.Errorf("live are %q", live)
	}
}

// Who takes a lock, and lets go of it, and does nothing else, makes no task live.
func TestArchive_locksMakeNothingLive(t *testing.T) {
	mara, _, ids := desks(t, "Done")
	ctx, id := context.Background(), ids[0]
	mara.archive(id)
	for _, step := range []struct {
		name string
		do   func() (claim.LockView, error)
		held bool
	}{
		{"acquired", func() (claim.LockView, error) { return mara.Claims.AcquireLock(ctx, id) }, true},
		{"renewed", func() (claim.LockView, error) { return mara.Claims.RenewLock(ctx, id) }, true},
		{"released", func() (claim.LockView, error) { return mara.Claims.ReleaseLock(ctx, id) }, false},
	} {
		l, err := step.do()
		if err != nil || l.Lock.Held != step.held || len(mara.live()) > 0 {
			t.Errorf("%s: %+v, %v; live are %q", step.name, l.Lock, err, mara.live())
		}
		shown, err := mara.Claims.LockOf(ctx, id)
		if err != nil || shown.Lock.Held != step.held || shown.Lock.Fence != 2 {
			t.Errorf("%s, it shows %+v, %v", step.name, shown.Lock, err)
		}
	}
	mara.learn(id, "more")
	if started, err := mara.Work.Start(ctx, id, true, false); err != nil || started.Lock.Lock.Fence != 3 {
		t.Errorf("started with fence %d, %v", started.Lock.Lock.Fence, err)
	}
}

// A remote has as live what is archived here: its ref is to go there, unless it
// has more; then the task lives again, and its fences go on.
func TestArchive_S7_oldRemote(t *testing.T) {
	mara, jo, ids := desks(t, "Untouched", "Went on", "Forward")
	ctx := context.Background()
	untouched, wentOn, forward := ids[0], ids[1], ids[2]
	mara.learn(wentOn, "the end")
	mara.archive(ids...)
	jo.learn(wentOn, "of jo")
	jo.learn(forward, "of jo")
	mara.fetch(jo)
	for _, row := range []struct {
		id   task.ID
		how  refsync.Outcome
		live bool
	}{{untouched, refsync.Archived, false}, {wentOn, refsync.Merged, true}, {forward, refsync.New, true}} {
		ref := ledger.TaskRef(string(row.id))
		out := mara.take(ref)
		if out.Outcome != row.how || out.There != mara.tip(ref) || out.There.IsZero() == row.live {
			t.Errorf("%s: %+v", row.id, out)
		}
	}
	if got := mara.knows(wentOn); len(got) != 2 {
		t.Errorf("the task that went on knows %q", got)
	}
	started, err := mara.Work.Start(ctx, wentOn, true, false)
	if err != nil || started.Lock.Lock.Fence != 2 {
		t.Errorf("started with fence %d, %v", started.Lock.Lock.Fence, err)
	}
}

// Locks of what is archived on both sides go where the archive has them, and are
// settled like others where it has not.
func TestArchive_locksGo(t *testing.T) {
	mara, jo, ids := desks(t, "Free", "Held there", "Went on")
	mara.archive(ids...)
	if _, err := jo.Claims.AcquireLock(context.Background(), ids[1]); err != nil {
		t.Fatal(err)
	}
	jo.learn(ids[2], "of jo")
	mara.fetch(jo)
	for i, how := range []refsync.Outcome{refsync.Archived, refsync.New, refsync.New} {
		out := mara.take(ledger.LockRef(string(ids[i])))
		if out.Outcome != how || out.There.IsZero() != (how != refsync.New) {
			t.Errorf("lock %d: %+v", i, out)
		}
	}
}

// What a lock was before the archive took it in holds nothing back: a claim whose
// end did not reach everybody.
func TestArchive_S7_endedClaims(t *testing.T) {
	mara, jo, ids := desks(t, "Held there", "Held here")
	ctx := context.Background()
	for _, id := range ids {
		if _, err := mara.Claims.AcquireLock(ctx, id); err != nil {
			t.Fatal(err)
		}
	}
	jo.disk.Git("fetch", "-q", mara.disk.Dir, "+refs/brew/locks/*:refs/brew/locks/*")
	for _, id := range ids {
		if _, err := mara.Claims.ReleaseLock(ctx, id); err != nil {
			t.Fatal(err)
		}
	}
	mara.archive(ids...)
	mara.fetch(jo)
	if out := mara.take(ledger.LockRef(string(ids[0]))); !out.There.IsZero() {
		t.Errorf("its lock there: %+v", out)
	}
	jo.fetch(mara)
	jo.takeArchive()
	if live := jo.live(); len(live) > 0 {
		t.Errorf("live are %q", live)
	}
}

// Two clones archived apart: both get all of both, and then it rests.
func TestArchive_S7_bothArchived(t *testing.T) {
	mara, jo, ids := desks(t, "One", "Two")
	mara.learn(ids[0], "of mara")
	jo.learn(ids[0], "of jo")
	mara.archive(ids[0])
	jo.archive(ids...)
	mara.fetch(jo)
	if out := mara.takeArchive(); out.Outcome != refsync.Merged || len(out.Notes) != 1 {
		t.Errorf("mara: %+v", out)
	}
	if live := mara.live(); len(live) != 0 {
		t.Errorf("live are %q", live)
	}
	if got := mara.knows(ids[0]); len(got) != 2 {
		t.Errorf("the task knows %q", got)
	}
	jo.fetch(mara)
	if out := jo.takeArchive(); out.Outcome != refsync.FastForwarded ||
		jo.tip(ledger.ArchiveRef) != mara.tip(ledger.ArchiveRef) {
		t.Errorf("jo: %+v", out)
	}
	if out := jo.takeArchive(); out.Outcome != refsync.Ahead || out.There != jo.tip(ledger.ArchiveRef) {
		t.Errorf("once more: %+v", out)
	}
}

// A task that two archives know apart, and that goes on here, has all of the
// three when the archives met, and no other meeting changes anything.
func TestArchive_S7_bothArchivedAndLive(t *testing.T) {
	mara, jo, ids := desks(t, "One", "Two")
	id := ids[0]
	mara.learn(id, "of mara")
	mara.archive(id)
	mara.disk.Git("update-ref", string(ledger.TaskRef(string(id))), string(ledger.ArchiveRef)+"^1")
	mara.learn(id, "of mara, again")
	jo.learn(id, "of jo")
	jo.archive(id)
	mara.fetch(jo)
	mara.takeArchive()
	if got := mara.knows(id); len(got) != 3 || !slices.Equal(mara.live(), []string{string(id), string(ids[1])}) {
		t.Errorf("live are %q, and it knows %q", mara.live(), got)
	}
	e, _, err := archived.Find(t.Context(), mara.Clone.Ledger.Reading(t.Context()), string(id))
	if err != nil {
		t.Fatal(err)
	}
	if all, err := mara.Clone.Ledger.Contains(t.Context(), mara.tip(ledger.TaskRef(string(id))), e.Tip); err != nil ||
		!all {
		t.Errorf("it has all that the archive has: %v, %v", all, err)
	}
	if err := ledger.Verify(t.Context(), mara.Clone.Ledger, records.TaskLaw(),
		mara.tip(ledger.TaskRef(string(id)))); err != nil {
		t.Error(err)
	}
}

// Others wait while an archive is settled: of what came in it, the tasks that
// are not live here are not read then.
func TestArchive_S7_readsWhatIsLiveAlone(t *testing.T) {
	mara, jo, ids := desks(t, "One", "Two", "Three")
	ctx := context.Background()
	mara.archive(ids...)
	for _, id := range ids[1:] {
		jo.disk.Git("update-ref", "-d", string(ledger.TaskRef(string(id))))
	}
	jo.fetch(mara)
	theirs := jo.tip(ledger.TrackingRef("other", ledger.ArchiveRef))
	var since []archived.Entry
	err := jo.Clone.Ledger.RunDry(ctx, func(ctx context.Context, tx *ledger.Tx) error {
		live := jo.live()
		var err error
		isLive := func(id string) bool { return slices.Contains(live, id) }
		since, err = archived.Since(ctx, tx, gitstore.OID{}, theirs, isLive)
		return err
	})
	if err != nil || len(since) != 1 || since[0].ID != string(ids[0]) {
		t.Errorf("%+v, %v", since, err)
	}
	// A damaged entry of another one stops nothing.
	jo.disk.Unchecked()
	at := jo.disk.Git("rev-parse", theirs.String()+":"+string(ids[2])+"/archive.json")
	if err := os.Remove(filepath.Join(jo.disk.Dir, ".git", "objects", at[:2], at[2:])); err != nil {
		t.Fatal(err)
	}
	jo = newDesk(jo.disk, "jo")
	out := jo.take(ledger.ArchiveRef)
	if live := jo.live(); out.Outcome != refsync.New || len(live) > 0 {
		t.Errorf("%+v; live are %q", out, live)
	}
}

// Where state is shared, a task is due as the remote is known to have it.
func TestArchive_dueWhereItIsShared(t *testing.T) {
	mara, _, ids := desks(t, "Known", "Unknown", "Older there")
	ctx := context.Background()
	known, older := ids[0], ids[2]
	mara.disk.Git("remote", "add", "origin", mara.disk.Dir)
	mara.disk.Git("config", "brew.remote", "origin")
	mara.Config.Forget() // they are read once
	if err := mara.Clone.Consent(ctx, refsync.Remote{Name: "origin", Namespace: ledger.Prefix}); err != nil {
		t.Fatal(err)
	}
	for _, id := range []task.ID{known, older} {
		ref := ledger.TaskRef(string(id))
		mara.disk.Git("update-ref", string(ledger.TrackingRef("origin", ref)), string(ref))
	}
	mara.learn(older, "later")
	*mara.at = mara.at.Add(31 * 24 * time.Hour)
	if r, err := mara.Archive.Archive(ctx, archive.ArchiveRequest{Due: true}); err != nil || len(r.Tasks) != 1 {
		t.Errorf("archived %v, %v", r.Tasks, err)
	}
	if archived, err := mara.Records.Archived(ctx, known); err != nil || !archived {
		t.Errorf("the known one: %v, %v", archived, err)
	}
	// By hand, it goes whatever the remote has.
	mara.archive(ids...)
	if live := mara.live(); len(live) != 0 {
		t.Errorf("live are %q", live)
	}
}

// What is held stays, and so does everything else that was asked for with it.
func TestArchive_refusesWhatIsHeld(t *testing.T) {
	mara, jo, ids := desks(t, "Free", "Held")
	ctx := context.Background()
	if _, err := mara.Claims.AcquireLock(ctx, ids[1]); err != nil {
		t.Fatal(err)
	}
	if _, err := mara.Archive.Archive(ctx, archive.ArchiveRequest{Tasks: ids}); !isRefusal(err) {
		t.Errorf("held by oneself: %v", err)
	}
	jo.disk.Git("fetch", "-q", mara.disk.Dir, "+refs/brew/locks/*:refs/brew/locks/*")
	var held *lease.HeldError
	if _, err := jo.Archive.Archive(ctx, archive.ArchiveRequest{Tasks: ids}); !errors.As(err, &held) {
		t.Errorf("held by somebody else: %v", err)
	}
	if live := jo.live(); len(live) != 2 {
		t.Errorf("live are %q", live)
	}
}

func isRefusal(err error) bool {
	var refused *clone.RefusedError
	return errors.As(err, &refused)
}

// What a stranger's archive calls a task has to be that task, and its lock that
// task's lock.
func TestArchive_acceptsNoFalseNames(t *testing.T) {
	mara, jo, ids := desks(t, "One", "Two")
	ctx := context.Background()
	for _, row := range []struct {
		name      string
		tip, lock gitstore.RefName
	}{
		{"no-id", ledger.TaskRef(string(ids[0])), ""},
		{string(ids[1]), ledger.TaskRef(string(ids[0])), ""},
		{string(ids[1]), ledger.TaskRef(string(ids[1])), ledger.LockRef(string(ids[0]))},
		{string(ids[1]), ledger.TaskRef(string(ids[1])), ledger.TaskRef(string(ids[1]))},
	} {
		tip, lock := jo.tip(row.tip), gitstore.OID{}
		if row.lock != "" {
			lock = jo.tip(row.lock)
		}
		err := jo.Clone.Ledger.Change(ctx, func(ctx context.Context, tx *ledger.Tx) error {
			err := errors.Join(tx.Move(ctx, ledger.ArchiveRef, gitstore.OID{}),
				tx.Move(ctx, ledger.TaskRef(row.name), tip), tx.Move(ctx, ledger.LockRef(row.name), lock),
				archived.Add(ctx, tx, records.TaskLaw(), row.name))
			return errors.Join(err, tx.Move(ctx, ledger.TaskRef(string(ids[1])), jo.tip(ledger.TaskRef(string(ids[1])))))
		})
		if err != nil {
			t.Fatal(err)
		}
		mara.fetch(jo)
		theirs := mara.tip(ledger.TrackingRef("other", ledger.ArchiveRef))
		err = mara.settler().Accept(ctx, ledger.ArchiveRef, gitstore.OID{}, theirs)
		if err == nil {
			t.Errorf("%s with the history of %s and the lock %q was accepted", row.name, row.tip, row.lock)
		}
	}
}
