package app

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/app/phase"
	"github.com/git-brew/git-brew/internal/app/records"
	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/gitstore/gitstoretest"
	"github.com/git-brew/git-brew/internal/gitstore/odb"
	"github.com/git-brew/git-brew/internal/knowledge"
	"github.com/git-brew/git-brew/internal/ledger"
	"github.com/git-brew/git-brew/internal/refsync"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/lease"
)

// table is where two clones meet over a task and its lock, turn by turn, in one
// repository: each has the refs as it knows them.
type table struct {
	t     *testing.T
	f     *gitstoretest.Fixture
	at    time.Time
	id    task.ID
	begin sides2
}

// sides2 is what one side has of the task and of its lock.
type sides2 struct{ task, lock gitstore.OID }

func newTable(t *testing.T) *table {
	t.Helper()
	w := &table{t: t, f: gitstoretest.New(t), at: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)}
	made, err := w.as("a", "").Tasks.Create(t.Context(),
		CreateRequest{Title: "Add JWT auth", Phases: []string{"Token model", "Login endpoint"}, NoSwitch: true})
	if err != nil {
		t.Fatal(err)
	}
	w.id = made.Task.ID
	w.begin = w.now()
	return w
}

// as is the service of a session on a machine, which makes it a clone.
func (w *table) as(machine, session string) *App {
	return New(Options{
		Repo: w.f.Open(), Now: func() time.Time { w.at = w.at.Add(time.Second); return w.at },
		Caller: clone.Caller{User: "mara", Host: machine, Machine: machine, Session: session},
	})
}

func (w *table) now() sides2 {
	w.t.Helper()
	s := w.as("a", "")
	var all sides2
	for _, of := range []struct {
		ref gitstore.RefName
		to  *gitstore.OID
	}{{ledger.TaskRef(string(w.id)), &all.task}, {ledger.LockRef(string(w.id)), &all.lock}} {
		var err error
		if *of.to, err = s.Clone.Ledger.Tip(w.t.Context(), of.ref); err != nil {
			w.t.Fatal(err)
		}
	}
	return all
}

// put gives a clone the refs that a side has.
func (w *table) put(refs sides2) {
	w.t.Helper()
	s := w.as("a", "")
	err := s.Clone.Ledger.Change(w.t.Context(), func(ctx context.Context, tx *ledger.Tx) error {
		return errors.Join(tx.Move(ctx, ledger.TaskRef(string(w.id)), refs.task),
			tx.Move(ctx, ledger.LockRef(string(w.id)), refs.lock))
	})
	if err != nil {
		w.t.Fatal(err)
	}
}

// apart lets a clone work from some state on, and returns what it has then.
func (w *table) apart(from sides2, work func()) sides2 {
	w.t.Helper()
	w.put(from)
	work()
	return w.now()
}

var hub = refsync.Remote{Name: "hub", Namespace: ledger.Prefix}

// meet settles, for a clone that has ours, what the arbiter has, and merges the
// task, as a sync does.
func (w *table) meet(s *App, ours, theirs sides2) (refsync.Settlement, sides2) {
	w.t.Helper()
	w.put(ours)
	w.must(nil, s.Clone.Ledger.Change(w.t.Context(), func(ctx context.Context, tx *ledger.Tx) error {
		return errors.Join(
			tx.Move(ctx, hub.Seen(ledger.TaskRef(string(w.id))), theirs.task),
			tx.Move(ctx, hub.Seen(ledger.LockRef(string(w.id))), theirs.lock),
		)
	}))
	var got refsync.Settlement
	w.must(nil, s.Clone.Ledger.Change(w.t.Context(), func(ctx context.Context, tx *ledger.Tx) (err error) {
		got, err = s.Locks.SettleLock(ctx, tx, hub, w.id, ours.lock, theirs.lock)
		return err
	}))
	if err := s.Clone.Ledger.Change(w.t.Context(), func(ctx context.Context, tx *ledger.Tx) error {
		ref := ledger.TaskRef(string(w.id))
		mine, err := tx.Tip(ctx, ref)
		if err != nil {
			return err
		}
		next, _, err := ledger.Merge(ctx, tx, records.TaskLaw(), mine, theirs.task)
		if err != nil {
			return err
		}
		return tx.Move(ctx, ref, next)
	}); err != nil {
		w.t.Fatal(err)
	}
	after := w.now()
	if err := ledger.Verify(w.t.Context(), s.Clone.Ledger, records.TaskLaw(), after.task); err != nil {
		w.t.Errorf("the merged task is not what its history says: %v", err)
	}
	return got, after
}

func (w *table) task() task.Task {
	w.t.Helper()
	got, err := w.as("a", "").Records.Task(w.t.Context(), w.id)
	if err != nil {
		w.t.Fatal(err)
	}
	return got
}

func (w *table) lock() lease.Lock {
	w.t.Helper()
	l, err := w.as("a", "").Records.LockBrief(w.t.Context(), w.id)
	if err != nil {
		w.t.Fatal(err)
	}
	return l
}

// lost counts the operations that say that a claim gave way.
func (w *table) lost() int {
	w.t.Helper()
	steps, err := w.as("a", "").Records.History(w.t.Context(), w.id)
	if err != nil {
		w.t.Fatal(err)
	}
	n := 0
	for _, s := range steps {
		if s.Op != nil && s.Op.Kind == task.OpLockLost {
			n++
		}
	}
	return n
}

func (w *table) must(_ any, err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

// titles are the titles of the task's phases.
func titles(t task.Task) []string {
	var all []string
	for _, p := range t.Phases {
		all = append(all, p.Title)
	}
	return all
}

func (w *table) addPhase(s *App, title string) {
	w.t.Helper()
	w.must(s.Phases.AddPhase(w.t.Context(), w.id, phase.PhaseAddRequest{Title: title}))
}

// S-12: two clones claim out of touch. The one that the arbiter took holds the
// lock everywhere, whatever the claims are called and whatever fences the other
// one came to alone; what it does counts, before and after the meeting. The
// other's session is to be told, and what it did under the lock is void.
func TestSettleLock_S12_theArbitersClaimWins(t *testing.T) {
	t.Parallel()
	for name, claims := range map[string]int{"one claim": 1, "several, with higher fences": 3} {
		// Which claim has the lower id is chance: each round is another one.
		for range 4 {
			w := newTable(t)
			a, b := w.as("a", "one"), w.as("b", "two")
			lost := w.apart(w.begin, func() {
				for n := range claims {
					w.must(a.Work.Start(t.Context(), w.id, false, false))
					w.addPhase(a, "by the loser")
					if n+1 < claims {
						w.must(a.Work.Pause(t.Context(), w.id, task.CauseWaiting, "lunch"))
					}
				}
				w.must(a.Knowledge.Learn(t.Context(), w.id,
					knowledge.Entry{T: "fact", Txt: "what was learned stays"}))
			})
			won := w.apart(w.begin, func() {
				w.must(b.Work.Start(t.Context(), w.id, false, false))
				w.addPhase(b, "by the winner")
			})
			got, after := w.meet(a, lost, won)
			if got.Outcome != refsync.LockLost || got.There != won.lock || after.lock != won.lock {
				t.Errorf("%s: %+v, the lock at %s; want the arbiter's %s", name, got, after.lock.Short(), won.lock.Short())
			}
			if got := titles(w.task()); !slices.Equal(got, []string{"Token model", "Login endpoint", "by the winner"}) {
				t.Errorf("%s: phases %q", name, got)
			}
			if n := w.task().Knowledge; len(n) != 1 || w.lost() != claims {
				t.Errorf("%s: %d entries of knowledge, %d claims gave way; want 1, %d", name, len(n), w.lost(), claims)
			}
			v, err := a.Sessions.Agent(t.Context())
			if err != nil || len(v.Lost) != 1 || !v.Lost[0].Work ||
				!strings.Contains(v.Lost[0].Holder, "session two on mara@b") {
				t.Errorf("%s: to be told %+v, %v", name, v.Lost, err)
			}
			if _, err := a.Work.SetStage(t.Context(), w.id, task.StagePlan); !isHeldError(err) {
				t.Errorf("%s: the loser writes: %v, want held", name, err)
			}
			// The winner, which knows of nothing yet, goes on, and meets it.
			on := w.apart(won, func() { w.addPhase(b, "by the winner, later") })
			got, _ = w.meet(b, on, after)
			if got.Outcome != refsync.Ahead && got.Outcome != refsync.Unchanged && got.There != on.lock {
				t.Errorf("%s: the winner's lock: %+v", name, got)
			}
			w.addPhase(b, "by the winner, at last")
			want := []string{"Token model", "Login endpoint", "by the winner", "by the winner, later", "by the winner, at last"}
			if got := titles(w.task()); !slices.Equal(got, want) {
				t.Errorf("%s: phases %q, want %q", name, got, want)
			}
			if err := ledger.Verify(t.Context(), b.Clone.Ledger, records.TaskLaw(), w.now().task); err != nil {
				t.Errorf("%s: %v", name, err)
			}
			if again := w.apart(w.now(), func() {}); again != w.now() {
				t.Error("looking changed something")
			}
		}
	}
}

func isHeldError(err error) bool {
	_, ok := errors.AsType[*lease.HeldError](err)
	return ok
}

// S-12: where the other one has let go meanwhile, who holds it here claims it
// again, under a new fence; what the arbiter knew of counts.
func TestSettleLock_S12_claimedAgainWhereItIsFree(t *testing.T) {
	t.Parallel()
	w := newTable(t)
	a, b := w.as("a", "one"), w.as("b", "two")
	ours := w.apart(w.begin, func() {
		w.must(a.Work.Start(t.Context(), w.id, false, false))
		w.addPhase(a, "void")
	})
	before := w.lock()
	theirs := w.apart(w.begin, func() {
		w.must(b.Work.Start(t.Context(), w.id, false, false))
		w.addPhase(b, "counts")
		w.must(b.Work.Pause(t.Context(), w.id, task.CauseWaiting, "lunch"))
	})
	got, after := w.meet(a, ours, theirs)
	l := w.lock()
	if got.Outcome != refsync.LockConfirmed || got.There != after.lock || !l.Held || l.Session != "one" || l.Fence != 2 ||
		l.Nonce == before.Nonce {
		t.Errorf("%+v, %+v", got, l)
	}
	w.addPhase(a, "counts too")
	if got := titles(w.task()); !slices.Equal(got, []string{"Token model", "Login endpoint", "counts", "counts too"}) {
		t.Errorf("phases %q", got)
	}
	v, err := a.Sessions.Agent(t.Context())
	if err != nil || len(v.Lost) != 1 || !v.Lost[0].Again {
		t.Errorf("to be told %+v, %v", v.Lost, err)
	}
	if follows, err := a.Clone.Repo.History.IsAncestor(t.Context(), theirs.lock, after.lock); err != nil || !follows {
		t.Errorf("the new claim is not on top of the arbiter's: %v", err)
	}
}

// S-12: a loss that can't be recorded now, because git can't sign or write it, is
// not forgotten: the lock stays as it is until the record says so. Only where
// the task itself can't be read is there nothing to wait for.
func TestSettleLock_S12_aLossIsRecordedLater(t *testing.T) {
	t.Parallel()
	w := newTable(t)
	signer := w.f.Sign()
	lost := w.apart(w.begin, func() {
		a := w.as("a", "")
		w.must(a.Work.Start(t.Context(), w.id, false, false))
		w.addPhase(a, "by the loser")
	})
	won := w.apart(w.begin, func() { w.must(w.as("b", "two").Work.Start(t.Context(), w.id, false, false)) })
	settle := func() (got refsync.Settlement, err error) {
		s := w.as("a", "")
		err = s.Clone.Ledger.Change(t.Context(), func(ctx context.Context, tx *ledger.Tx) (err error) {
			got, err = s.Locks.SettleLock(ctx, tx, hub, w.id, lost.lock, won.lock)
			return err
		})
		return got, err
	}
	w.put(lost)
	signer.Program("exit 1\n")
	if _, err := settle(); !errors.Is(err, odb.ErrNotSigned) || w.now() != lost || w.lost() != 0 {
		t.Errorf("where git can't sign: %v; at %+v, before %+v", err, w.now(), lost)
	}
	w.f.Git("config", "commit.gpgSign", "false")
	if got, err := settle(); err != nil || got.Outcome != refsync.LockLost || w.lost() != 1 || w.now().lock != won.lock {
		t.Errorf("where it can: %+v, %v; %d claims gave way", got, err, w.lost())
	}

	w.put(lost)
	at := lost.task.String()
	object := filepath.Join(w.f.Dir, ".git", "objects", at[:2], at[2:])
	w.must(nil, os.Remove(object))
	w.f.Unchecked()
	got, err := settle()
	if err != nil || got.Outcome != refsync.LockLost || len(got.Notes) == 0 ||
		!strings.Contains(got.Notes[0], "could not be looked at") {
		t.Errorf("where the task is damaged: %+v, %v", got, err)
	}
}

// Where nothing was done under a claim there is nothing to say in the task, and
// nobody but a session is told by a hook.
func TestSettleLock_nothingDone(t *testing.T) {
	t.Parallel()
	w := newTable(t)
	a, b := w.as("a", ""), w.as("b", "two")
	ours := w.apart(w.begin, func() { w.must(a.Claims.AcquireLock(t.Context(), w.id)) })
	theirs := w.apart(w.begin, func() { w.must(b.Claims.AcquireLock(t.Context(), w.id)) })
	got, after := w.meet(a, ours, theirs)
	if got.Outcome != refsync.LockLost || len(got.Notes) != 1 || after.task != w.begin.task {
		t.Errorf("%+v, the task at %s, before %s", got, after.task, w.begin.task)
	}
	if c, err := a.Clone.State(t.Context()); err != nil || len(c.Lost) > 0 {
		t.Errorf("to be told: %+v, %v", c.Lost, err)
	}
}

// What was claimed and let go out of touch gives way all the same.
func TestSettleLock_S12_letGoBeforeTheyMet(t *testing.T) {
	t.Parallel()
	for range 4 {
		w := newTable(t)
		a, b := w.as("a", "one"), w.as("b", "two")
		ours := w.apart(w.begin, func() {
			w.must(a.Work.Start(t.Context(), w.id, false, false))
			w.addPhase(a, "void")
			w.must(a.Work.Pause(t.Context(), w.id, task.CauseWaiting, "lunch"))
		})
		theirs := w.apart(w.begin, func() {
			w.must(b.Work.Start(t.Context(), w.id, false, false))
			w.addPhase(b, "counts")
		})
		got, after := w.meet(a, ours, theirs)
		if got.Outcome != refsync.FastForwarded || after.lock != theirs.lock {
			t.Errorf("%+v", got)
		}
		if got := titles(w.task()); !slices.Equal(got, []string{"Token model", "Login endpoint", "counts"}) {
			t.Errorf("phases %q", got)
		}
		if s := w.task().Status; s != task.InProgress {
			t.Errorf("the task is %s", s)
		}
	}
}

// S-14: a lock that was confirmed and then taken over: what was done under it
// and not shared is void by the fence, and the log says why; what was shared
// before stays, and needs no word.
func TestSettleLock_S14_takenOver(t *testing.T) {
	t.Parallel()
	w := newTable(t)
	a, b := w.as("a", "one"), w.as("b", "two")
	shared := w.apart(w.begin, func() {
		w.must(a.Work.Start(t.Context(), w.id, false, false))
		w.addPhase(a, "shared")
	})
	theirs := w.apart(shared, func() {
		w.must(b.Work.Start(t.Context(), w.id, false, true))
		w.addPhase(b, "by the next one")
	})
	for name, c := range map[string]struct {
		ours   sides2
		phases []string
		lost   int
	}{
		"nothing done since": {shared, []string{"shared", "by the next one"}, 0},
		"went on": {w.apart(shared, func() {
			w.must(a.Claims.RenewLock(t.Context(), w.id))
			w.addPhase(a, "void")
		}), []string{"shared", "by the next one"}, 1},
	} {
		got, after := w.meet(a, c.ours, theirs)
		if got.Outcome != refsync.LockLost || after.lock != theirs.lock || w.lost() != c.lost {
			t.Errorf("%s: %+v, %d claims gave way", name, got, w.lost())
		}
		if got := titles(w.task())[2:]; !slices.Equal(got, c.phases) {
			t.Errorf("%s: phases %q, want %q", name, got, c.phases)
		}
		v, err := a.Sessions.Agent(t.Context())
		if err != nil || len(v.Lost) != 1 || v.Lost[0].Work != (c.lost > 0) {
			t.Errorf("%s: to be told %+v, %v", name, v.Lost, err)
		}
		if first, err := a.Locks.LostTold(t.Context(), false); err != nil || !first {
			t.Errorf("%s: told: %t, %v", name, first, err)
		}
	}
}

// What one side alone went on with is taken over, or given.
func TestSettleLock_oneSided(t *testing.T) {
	t.Parallel()
	w := newTable(t)
	a := w.as("a", "one")
	held := w.apart(w.begin, func() { w.must(a.Claims.AcquireLock(t.Context(), w.id)) })
	renewed := w.apart(held, func() { w.must(a.Claims.RenewLock(t.Context(), w.id)) })
	free := w.apart(renewed, func() { w.must(a.Claims.ReleaseLock(t.Context(), w.id)) })
	none := sides2{task: w.begin.task}
	for _, c := range []struct {
		name         string
		ours, theirs sides2
		want         refsync.Outcome
		lock         gitstore.OID
	}{
		{"claimed here", held, none, refsync.LockConfirmed, held.lock},
		{"renewed here", renewed, held, refsync.Ahead, renewed.lock},
		{"released here", free, held, refsync.Ahead, free.lock},
		{"new here", none, held, refsync.New, held.lock},
		{"renewed there", held, renewed, refsync.FastForwarded, renewed.lock},
	} {
		got, after := w.meet(w.as("a", "one"), c.ours, c.theirs)
		if got.Outcome != c.want || got.There != c.lock || after.lock != c.lock {
			t.Errorf("%s: %+v, want %s", c.name, got, c.want)
		}
		if v, err := w.as("a", "one").Sessions.Agent(t.Context()); err != nil || len(v.Lost) > 0 {
			t.Errorf("%s: to be told %+v, %v", c.name, v.Lost, err)
		}
	}
}

// A lock that was released here stays so, also where it was renewed there.
func TestSettleLock_releasedHereRenewedThere(t *testing.T) {
	t.Parallel()
	w := newTable(t)
	a := w.as("a", "one")
	held := w.apart(w.begin, func() { w.must(a.Claims.AcquireLock(t.Context(), w.id)) })
	free := w.apart(held, func() { w.must(a.Claims.ReleaseLock(t.Context(), w.id)) })
	renewed := w.apart(held, func() { w.must(a.Claims.RenewLock(t.Context(), w.id)) })
	got, after := w.meet(a, free, renewed)
	if l := w.lock(); l.Held || got.There != after.lock || after.lock == free.lock {
		t.Errorf("%+v, %+v", got, l)
	}
}

// Whose session lost a lock is told once; a sub-agent of it is told beside.
func TestLostTold_once(t *testing.T) {
	t.Parallel()
	w := newTable(t)
	a, b := w.as("a", "one"), w.as("b", "two")
	ours := w.apart(w.begin, func() { w.must(a.Claims.AcquireLock(t.Context(), w.id)) })
	theirs := w.apart(w.begin, func() { w.must(b.Claims.AcquireLock(t.Context(), w.id)) })
	w.meet(w.as("a", ""), ours, theirs) // a person's sync
	for _, c := range []struct {
		session     string
		aside, want bool
	}{{"three", false, false}, {"one", true, true}, {"one", true, false}, {"one", false, true}, {"one", false, false}} {
		if first, err := w.as("a", c.session).Locks.LostTold(t.Context(), c.aside); err != nil || first != c.want {
			t.Errorf("%+v: %t, %v", c, first, err)
		}
	}
	if v, err := w.as("a", "one").Sessions.Agent(t.Context()); err != nil || len(v.Lost) > 0 {
		t.Errorf("still to be told %+v, %v", v.Lost, err)
	}
}
