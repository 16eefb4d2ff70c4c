package refsync_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/ledger"
	"github.com/git-brew/git-brew/internal/refsync"
)

// Locks are pushed first, in a push of their own; a lock that frees its task
// waits until the task is there.
func TestRun_S12_locksFirstAndReleasesLast(t *testing.T) {
	t.Parallel()
	h := newHub(t, "")
	h.hook("pre-receive", "cut -d' ' -f3 | cut -d/ -f3 | sort -u | tr '\\n' + >>order; echo >>order")
	ada := h.desk("ada")
	write := func(text string) {
		ada.add(taskRef("one"), text)
		ada.add(lockRef("one"), text)
		ada.add(ledger.KnowledgeRef, text)
	}
	write("1")
	ada.sync()
	write("2")
	ada.records.late = true
	ada.sync()
	if got := strings.Join(h.lines("order"), " "); got != "locks+ knowledge+tasks+ knowledge+tasks+ locks+" {
		t.Errorf("pushed in the order %s", got)
	}
	h.hook("pre-receive", "! grep -q tasks/")
	write("3")
	r, err := ada.run(ada.both())
	if !errors.Is(err, refsync.ErrRefused) {
		t.Errorf("error %v", err)
	}
	for _, ref := range r.Refs {
		if kind, _, _ := ledger.KindOf(ref.Ref); ref.Pushed != (kind == ledger.KindKnowledge) {
			t.Errorf("%+v", ref)
		}
	}
}

// S-12, S-13: of two that claim, the remote takes one; the other one's lock is
// the winner's when its exchange ends.
func TestRun_S13_oneWinner(t *testing.T) {
	t.Parallel()
	h, ada, jo := twoDesks(t)
	lock := lockRef("one")
	ada.add(lock, "free")
	ada.sync()
	jo.sync()
	won := ada.add(lock, "ada has it")
	lost := jo.add(lock, "jo has it")
	jo.records.settle = func(ref gitstore.RefName) error {
		if jo.records.settle = nil; ref == lock {
			expect(t, ada.sync(), "locks/one-aaaaaaa confirmed pushed")
		}
		return nil
	}
	r := jo.sync()
	expect(t, r, "locks/one-aaaaaaa lost")
	if jo.tip(lock) != won || h.OID(string(lock)) != won || r.Rounds != 2 || len(r.Refs[0].Notes) != 1 {
		t.Errorf("jo has %s, the hub %s, not %s but for %s: %+v", jo.tip(lock), h.OID(string(lock)), won, lost, r)
	}
}

// What is on the remote already when it is pushed for the first time counts when a
// fetch has shown it: a lock may be somebody else's, another record hidden.
func TestRun_S13_upToDateIsNoWin(t *testing.T) {
	t.Parallel()
	_, ada := oneDesk(t)
	for _, ref := range []gitstore.RefName{lockRef("one"), taskRef("one")} {
		ada.add(ref, "ada's")
		ada.records.settle = func(ref gitstore.RefName) error {
			ada.Git("push", "-q", "origin", string(ref))
			return nil
		}
		r := ada.sync()
		if r.Rounds != 2 || len(r.Refs) != 1 || !r.Refs[0].Pushed || r.Refs[0].Pending {
			t.Errorf("%d rounds for %s", r.Rounds, told(r))
		}
	}
}

// A lock that is lost leaves its trace in the task, and what is in the archive is
// gone from here: what moved by that goes to the remote in the same exchange.
func TestRun_S12_whatOtherRecordsMoved(t *testing.T) {
	t.Parallel()
	h, ada, jo := twoDesks(t)
	lost, old, calm := taskRef("lost"), taskRef("old"), taskRef("calm")
	for _, ref := range []gitstore.RefName{lost, old, calm} {
		ada.add(ref, "1")
	}
	ada.add(lockRef("lost"), "free")
	ada.sync()
	jo.sync()
	ada.add(lockRef("lost"), "ada has it")
	ada.add(ledger.ArchiveRef, "old")
	ada.sync()
	jo.add(lockRef("lost"), "jo has it")
	jo.records.archived["old-aaaaaaa"] = true
	jo.records.also = func(ctx context.Context, tx *ledger.Tx, ref gitstore.RefName) error {
		switch ref {
		case ledger.ArchiveRef:
			return tx.Move(ctx, old, gitstore.OID{})
		case lockRef("lost"):
			tip, err := tx.Tip(ctx, lost)
			if err != nil {
				return err
			}
			trace, err := commit(ctx, jo.repo, "lost", tip)
			return errors.Join(err, tx.Move(ctx, lost, trace))
		}
		return nil
	}
	r := jo.sync()
	expect(t, r, "archive new", "locks/lost-aaaaaaa lost", "tasks/lost-aaaaaaa ahead pushed",
		"tasks/old-aaaaaaa archived deleted")
	if r.Unchanged != 1 || jo.texts(lost) != "1 lost" {
		t.Errorf("%d unchanged, the task has %s", r.Unchanged, jo.texts(lost))
	}
	h.on("archive", "locks/lost-aaaaaaa", "tasks/calm-aaaaaaa", "tasks/lost-aaaaaaa")
}

// A task that was pushed in one round, and that a lock's loss changes in the next, goes
// out once more.
func TestRun_S12_changedAfterItWasPushed(t *testing.T) {
	t.Parallel()
	_, ada, jo := twoDesks(t)
	one, lock := taskRef("one"), lockRef("one")
	ada.add(one, "1")
	ada.add(lock, "free")
	ada.sync()
	jo.sync()
	jo.add(one, "2")
	jo.add(lock, "jo has it")
	settled := 0
	jo.records.also = func(ctx context.Context, tx *ledger.Tx, ref gitstore.RefName) error {
		if ref != lock {
			return nil
		}
		if settled++; settled == 1 { // the arbiter gives it to somebody else meanwhile
			ada.add(lock, "ada has it")
			ada.Git("push", "-q", "origin", string(lock))
			return nil
		}
		tip, err := tx.Tip(ctx, one)
		if err != nil {
			return err
		}
		trace, err := commit(ctx, jo.repo, "lost", tip)
		return errors.Join(err, tx.Move(ctx, one, trace))
	}
	jo.sync()
	if settled < 2 || jo.texts(one) != "1 2 lost" {
		t.Fatalf("the lock was settled %d times, the task has %q", settled, jo.texts(one))
	}
	if there := jo.Git("ls-remote", "origin", string(one)); !strings.HasPrefix(there, jo.tip(one).String()) {
		t.Errorf("the remote has %q, and not the task's tip %s", there, jo.tip(one))
	}
}

// What a plain git fetch brings while records are settled is a stranger's, too:
// it is accepted before it is taken.
func TestRun_S12_fetchedWhileSettled(t *testing.T) {
	t.Parallel()
	_, ada, jo := twoDesks(t)
	ada.add(taskRef("one"), "1")
	ada.add(lockRef("one"), "free")
	ada.sync()
	jo.sync()
	ada.add(lockRef("one"), "held")
	ada.sync()
	tip := jo.tip(taskRef("one"))
	stranger := jo.Git("commit-tree", "-p", tip.String(), "-m", "hostile", tip.String()+"^{tree}")
	jo.records.accept = func(ref gitstore.RefName) error {
		if ref == taskRef("one") {
			return errors.New("hostile")
		}
		jo.Git("update-ref", string(jo.remote.Seen(taskRef("one"))), stranger)
		return nil
	}
	expect(t, jo.sync(), "locks/one-aaaaaaa fast-forwarded", "tasks/one-aaaaaaa set-aside (hostile)")
	if got := jo.tip(taskRef("one")); got != tip {
		t.Errorf("the task is at %s, %q", got.Short(), jo.texts(taskRef("one")))
	}
}
