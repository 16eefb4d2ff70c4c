package ledger

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/operation"
)

// S-20: a change that lost a race to somebody who does not queue runs again on
// what is there now; one that loses for ever says so.
func TestChange_S20_startsAgainWhenARefMoved(t *testing.T) {
	r := newRig(t)
	first := r.add(refA, Stamp{}, words("one")...)
	r.branch(refB, first)
	moved := r.add(refB, Stamp{}, words("meanwhile")...)
	runs := 0
	r.change(func(ctx context.Context, tx *Tx) error {
		tip, err := tx.Tip(ctx, refA)
		if err != nil {
			return err
		}
		if runs++; runs == 1 {
			r.Git("update-ref", string(refA), moved.String())
		}
		state, err := Load(ctx, r.l, tallyLaw(), tip)
		if err != nil {
			return err
		}
		_, err = Append(ctx, tx, tallyLaw(), refA, state, Stamp{}, words("two")...)
		return err
	})
	if got := r.state(r.tip(refA)).Words; runs != 2 || !slices.Equal(got, []string{"one", "meanwhile", "two"}) {
		t.Errorf("%d runs, %v", runs, got)
	}

	runs = 0
	tips := []gitstore.OID{first, moved}
	err := r.l.Change(context.Background(), func(ctx context.Context, tx *Tx) error {
		err := tx.Move(ctx, refA, gitstore.OID{})
		r.Git("update-ref", string(refA), tips[runs%2].String())
		runs++
		return err
	})
	if !errors.Is(err, ErrBusy) || runs != attempts {
		t.Errorf("%d runs, %v", runs, err)
	}
}

// Nothing of a change that fails is there, and nothing runs after it.
func TestChange_allOrNothing(t *testing.T) {
	r := newRig(t)
	after := false
	err := r.l.Change(context.Background(), func(ctx context.Context, tx *Tx) error {
		if _, err := Append(ctx, tx, tallyLaw(), refA, tally{}, Stamp{}, words("one")...); err != nil {
			return err
		}
		tx.After(func(context.Context) { after = true })
		return errRefused
	})
	if !errors.Is(err, errRefused) || !r.tip(refA).IsZero() || after {
		t.Errorf("%v, tip %s, after %t", err, r.tip(refA), after)
	}
}

func TestAppend_oneCommitAnOperation(t *testing.T) {
	r := newRig(t)
	tip := r.add(refA, Stamp{Session: "s", Fence: 3, Claim: "c"}, words("one", "two")...)
	if s := r.state(tip); s.Clock != 2 || !slices.Equal(s.Words, []string{"one", "two"}) {
		t.Errorf("state %+v", s)
	}
	steps, err := r.l.History(context.Background(), tip)
	if err != nil || len(steps) != 2 {
		t.Fatalf("%d steps, %v", len(steps), err)
	}
	last, first := steps[0], steps[1]
	if last.Commit != tip || last.Parents[0] != first.Commit || len(first.Parents) != 0 {
		t.Errorf("chain %+v", steps)
	}
	op := last.Op
	if op == nil || op.Kind != opAdd || op.Clock != 2 || op.Law != operation.Law || op.Session != "s" || op.Fence != 3 ||
		op.Claim != "c" || op.Actor.Name != "Ada Example" {
		t.Errorf("operation %+v", op)
	}
	if last.Subject != "add: 2 words" || last.Author != "Ada Example" || !last.When.After(first.When) {
		t.Errorf("step %+v", last)
	}
	if got := r.Git("log", "-1", "--format=%(trailers:key=Brew-Op,valueonly)", tip.String()); got != string(op.ID) &&
		got != string(op.ID)+"\n" {
		t.Errorf("trailer %q", got)
	}
}

// What is refused, would change nothing, or could not be read again is not
// written.
func TestAppend_refuses(t *testing.T) {
	r := newRig(t)
	tip := r.add(refA, Stamp{}, words("one")...)
	for name, row := range map[string]struct {
		stamp Stamp
		draft Draft
		want  error
	}{
		"the law says no":  {Stamp{}, adding("forbidden"), errRefused},
		"nothing changes":  {Stamp{}, adding("one"), ErrSuperseded},
		"a fence too high": {Stamp{Fence: operation.MaxClock + 1}, adding("two"), operation.ErrInvalid},
		"no object":        {Stamp{}, Draft{Kind: opAdd, Payload: 7}, ErrSuperseded},
		"no id":            {Stamp{}, Draft{ID: "x", Kind: opAdd, Payload: wordPayload{Word: "two"}}, operation.ErrInvalid},
	} {
		if err := r.tryAdd(refA, row.stamp, adding("good "+name), row.draft); !errors.Is(err, row.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	last := r.forge(tip, func(op *operation.Operation) { op.Clock = operation.MaxClock })
	r.branch(refB, last)
	if err := r.tryAdd(refB, Stamp{}, adding("two")); !errors.Is(err, operation.ErrInvalid) {
		t.Errorf("past the last clock: %v", err)
	}
	if r.tip(refA) != tip || r.tip(refB) != last {
		t.Error("something was written")
	}
}

func TestLoad(t *testing.T) {
	r := newRig(t)
	ctx := context.Background()
	if s, err := Load(ctx, r.l, tallyLaw(), gitstore.OID{}); err != nil || s.Clock != 0 {
		t.Errorf("nothing: %+v, %v", s, err)
	}
	if _, err := Load(ctx, r.l, tallyLaw(), gitstore.HashBlob([]byte("absent"))); !errors.Is(err, gitstore.ErrNotExist) {
		t.Errorf("absent: %v", err)
	}
	if _, err := Load(ctx, r.l, tallyLaw(), r.OID("HEAD")); err == nil {
		t.Error("a commit of somebody's was read as a record")
	}
}

func text(oid gitstore.OID) Draft {
	return Draft{Kind: opText, Payload: wordPayload{OID: oid.String()}}
}

// An operation may name anything: what is no text on any machine is none. But a
// text that is here and can't be read fails the change: a fold without it comes
// to another state than everybody else's.
func TestText_failuresAreNotAbsence(t *testing.T) {
	r := newRig(t)
	base := r.add(refA, Stamp{}, words("one")...)
	r.branch(refB, base)
	var told gitstore.OID
	r.change(func(ctx context.Context, tx *Tx) error {
		told = tx.Blob([]byte("told"))
		_, err := Append(ctx, tx, tallyLaw(), refA, r.state(base), Stamp{}, text(told))
		return err
	})
	for name, oid := range map[string]gitstore.OID{
		"absent": gitstore.HashBlob([]byte("absent")), "a tree": r.OID(base.String() + "^{tree}"), "a commit": base,
	} {
		if err := r.tryAdd(refB, Stamp{}, text(oid)); !errors.Is(err, ErrSuperseded) {
			t.Errorf("%s: %v", name, err)
		}
	}
	apart := r.add(refB, Stamp{}, words("two")...)
	if made, _, err := r.merge(r.tip(refA), apart); err != nil || len(r.state(made).Words) != 3 {
		t.Fatalf("merge: %v", err)
	}

	apart = r.add(refB, Stamp{}, words("three")...)
	before := r.tip(prefix + "merged")
	r.damage("words/told", r.tip(refA))
	var corrupt *gitstore.CorruptError
	if made, how, err := r.merge(r.tip(refA), apart); !errors.As(err, &corrupt) {
		t.Errorf("%s, %s, %v", how, made, err)
	}
	if err := r.tryAdd(refB, Stamp{}, text(told)); !errors.As(err, &corrupt) {
		t.Errorf("appended: %v", err)
	}
	if r.tip(prefix+"merged") != before {
		t.Error("a merge was written")
	}
}

func TestText_endsWithTheCaller(t *testing.T) {
	r := newRig(t)
	tip := r.add(refA, Stamp{}, words("one")...)
	oid := r.OID(tip.String() + ":words/one")
	r.Git("gc", "-q", "--prune=now")
	ctx, cancel := context.WithCancel(context.Background())
	err := r.l.Change(ctx, func(_ context.Context, tx *Tx) error {
		cancel()
		if _, ok := tx.Text(oid.String()); ok {
			t.Error("read all the same")
		}
		return nil
	})
	if !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// Keep makes commits of the person's reachable, each once.
func TestKeep(t *testing.T) {
	r := newRig(t)
	a := r.OID("HEAD")
	b := r.Commit("second")
	for range 2 {
		r.change(func(ctx context.Context, tx *Tx) error {
			return errors.Join(tx.Keep(ctx, "x", a), tx.Keep(ctx, "x", b))
		})
	}
	kept := strings.Fields(r.Git("rev-list", string(KeepRef("x"))))
	if !slices.Contains(kept, a.String()) || !slices.Contains(kept, b.String()) || len(kept) > 4 {
		t.Errorf("kept %v, want %s and %s", kept, a, b)
	}
	if got := r.Git("ls-tree", "-r", string(KeepRef("x"))); got != "" {
		t.Errorf("with files %q", got)
	}
}
