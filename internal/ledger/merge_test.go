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

// S-8: each way in which two histories can relate, and the commit that stays.
func TestMerge_S8_outcomes(t *testing.T) {
	r := newRig(t)
	base := r.add(refA, Stamp{}, words("one")...)
	ahead := r.add(refA, Stamp{}, words("two")...)
	r.branch(refB, base)
	apart := r.add(refB, Stamp{}, words("three")...)
	both, how, err := r.merge(ahead, apart)
	if err != nil || how != OutcomeMerged {
		t.Fatalf("%s, %v", how, err)
	}
	// The same operations in other commits: a merge of the merge's parents
	// that somebody else's program made with another tree.
	again := r.commit(both, ahead, apart)
	low, high := both, again
	if high.Compare(low) < 0 {
		low, high = high, low
	}
	for _, row := range []struct {
		name         string
		ours, theirs gitstore.OID
		how          Outcome
		made         gitstore.OID
	}{
		{"the same", ahead, ahead, OutcomeUnchanged, ahead},
		{"theirs is older", ahead, base, OutcomeUnchanged, ahead},
		{"ours is older", base, ahead, OutcomeFastForwarded, ahead},
		{"apart", ahead, apart, OutcomeMerged, both},
		{"apart, the other way round", apart, ahead, OutcomeMerged, both},
		{"a merge and its parent", both, apart, OutcomeUnchanged, both},
		{"a parent of a merge", apart, both, OutcomeFastForwarded, both},
		{"the same operations, ours is lower", low, high, OutcomeUnchanged, low},
		{"the same operations, theirs is lower", high, low, OutcomeFastForwarded, low},
	} {
		if made, how, err := r.merge(row.ours, row.theirs); err != nil || how != row.how || made != row.made {
			t.Errorf("%s: %s, %s, %v; want %s, %s", row.name, how, made.Short(), err, row.how, row.made.Short())
		}
	}
	if got := r.state(both).Words; len(got) != 3 || got[0] != "one" {
		t.Errorf("merged %v", got)
	}
	if _, err := r.l.File(context.Background(), both, opFile); !errors.Is(err, gitstore.ErrNotExist) {
		t.Errorf("the merge has an operation: %v", err)
	}
}

// commit makes a commit with the tree of one and other parents.
func (r *rig) commit(like gitstore.OID, parents ...gitstore.OID) gitstore.OID {
	r.T.Helper()
	var made gitstore.OID
	r.change(func(ctx context.Context, tx *Tx) error {
		c, err := r.l.repo.Objects.Commit(ctx, like)
		if err != nil {
			return err
		}
		if made, err = tx.Stage(ctx, c.Tree, "by hand\n", parents...); err != nil {
			return err
		}
		return tx.Move(ctx, prefix+"by-hand", made)
	})
	return made
}

// shallow makes a clone that has the tip of ref alone.
func (r *rig) shallow(ref gitstore.RefName) *rig {
	r.T.Helper()
	clone := rigOn(r.Clone())
	clone.Git("fetch", "-q", "--depth=1", "file://"+r.Dir, string(ref)+":"+string(ref))
	return clone
}

// What lies beyond the boundary of a shallow clone is unknown: nothing is
// folded without it, and only a tip that follows from the other is taken.
func TestMerge_shallowHistoryIsNotFolded(t *testing.T) {
	far := newRig(t)
	base := far.add(refA, Stamp{}, words("one", "two")...)
	near := far.shallow(refA)
	ours := near.add(refA, Stamp{}, words("here")...)

	theirs := far.add(refA, Stamp{}, words("there")...)
	near.Git("fetch", "-q", "--depth=1", "file://"+far.Dir, string(refA)+":"+string(refB))
	for _, pair := range [][2]gitstore.OID{{ours, theirs}, {theirs, ours}, {base, theirs}} {
		made, _, err := near.merge(pair[0], pair[1])
		if !errors.Is(err, ErrShallow) || !strings.Contains(err.Error(), "git fetch --unshallow") {
			t.Errorf("made %s, %v", made.Short(), err)
		}
	}
	if !near.tip(prefix + "merged").IsZero() {
		t.Error("a merge was written")
	}
	// What follows can be seen without the rest.
	if made, how, err := near.merge(base, ours); err != nil || how != OutcomeFastForwarded || made != ours {
		t.Errorf("forward: %s, %s, %v", how, made.Short(), err)
	}
	if made, how, err := near.merge(ours, base); err != nil || how != OutcomeUnchanged || made != ours {
		t.Errorf("back: %s, %s, %v", how, made.Short(), err)
	}
	near.Git("fetch", "-q", "--unshallow", "file://"+far.Dir, string(refA))
	made, how, err := near.merge(ours, theirs)
	if err != nil || how != OutcomeMerged {
		t.Fatalf("deepened: %s, %v", how, err)
	}
	if got := near.state(made).Words; len(got) != 4 {
		t.Errorf("merged %v", got)
	}
}

// Two operations under one id are a forgery; every clone makes the same of it.
func TestMerge_S9_oneIDTwiceInAnyOrder(t *testing.T) {
	r := newRig(t)
	base := r.add(refA, Stamp{}, words("one")...)
	r.branch(refB, base)
	const id = "0123456789abcdef0123456789abcdef"
	a := r.add(refA, Stamp{}, Draft{ID: id, Kind: opAdd, Payload: wordPayload{Word: "here"}}, adding("more"))
	b := r.add(refB, Stamp{}, Draft{ID: id, Kind: opAdd, Payload: wordPayload{Word: "there"}}, adding("less"))
	ab, how, err := r.merge(a, b)
	if err != nil || how != OutcomeMerged {
		t.Fatalf("%s, %v", how, err)
	}
	if ba, how, err := r.merge(b, a); err != nil || ba != ab {
		t.Errorf("the other way round: %s, %s instead of %s, %v", how, ba.Short(), ab.Short(), err)
	}
	if got := r.state(ab).Words; len(got) != 4 || !slices.Contains(got, "here") || slices.Contains(got, "there") {
		t.Errorf("merged %v", got)
	}
	if err := Verify(context.Background(), r.l, tallyLaw(), ab); err != nil {
		t.Errorf("verified: %v", err)
	}
}

// A clock stays above every one that its author had seen, those of void
// operations too.
func TestMerge_voidOperationsLeaveTheirClock(t *testing.T) {
	r := newRig(t)
	hold := func(w string) Draft { return Draft{Kind: opHold, Payload: wordPayload{Word: w}} }
	base := r.add(refA, Stamp{Fence: 1, Claim: "a"}, hold("one"))
	r.branch(refB, base)
	lost := r.add(refA, Stamp{Fence: 1, Claim: "a"}, hold("two"), hold("three"), hold("four"))
	won := r.add(refB, Stamp{Fence: 2, Claim: "b"}, hold("five"))
	made, _, err := r.merge(lost, won)
	if err != nil {
		t.Fatal(err)
	}
	if s := r.state(made); !slices.Equal(s.Words, []string{"one", "five"}) || s.Clock != r.state(lost).Clock {
		t.Errorf("merged %+v", s)
	}
	r.branch(refA, made)
	next := r.add(refA, Stamp{}, words("six")...)
	if got := r.state(next).Clock; got != r.state(lost).Clock+1 {
		t.Errorf("the next operation has clock %d", got)
	}
	if err := Verify(context.Background(), r.l, tallyLaw(), next); err != nil {
		t.Errorf("verified: %v", err)
	}
}

// A history of an unknown law goes forward, and is never folded.
func TestMerge_unknownLaw(t *testing.T) {
	r := newRig(t)
	base := r.add(refA, Stamp{}, words("one")...)
	r.branch(refB, base)
	apart := r.add(refB, Stamp{}, words("two")...)
	newer := r.forge(base, func(op *operation.Operation) { op.Law = operation.Law + 1 })
	if made, how, err := r.merge(base, newer); err != nil || how != OutcomeFastForwarded || made != newer {
		t.Errorf("forward: %s, %v", how, err)
	}
	if _, _, err := r.merge(apart, newer); !errors.Is(err, ErrUnknownLaw) {
		t.Errorf("folded: %v", err)
	}
}

// Two records that began apart are never made one, whatever they are called.
func TestMerge_twoRoots(t *testing.T) {
	r := newRig(t)
	one, other := r.add(refA, Stamp{}, words("one")...), r.add(refB, Stamp{}, words("two")...)
	var unsound *UnsoundError
	if made, how, err := r.merge(one, other); !errors.As(err, &unsound) {
		t.Errorf("merged: %s, %s, %v", made.Short(), how, err)
	}
}

// forge makes a commit on parent as another program might: its operation is
// like the parent's, under an id of its own, with what edit makes of it.
func (r *rig) forge(parent gitstore.OID, edit func(*operation.Operation)) gitstore.OID {
	r.T.Helper()
	var made gitstore.OID
	r.change(func(ctx context.Context, tx *Tx) error {
		data, err := r.l.File(ctx, parent, opFile)
		if err != nil {
			return err
		}
		op, err := operation.Decode(data)
		if err != nil {
			return err
		}
		if op.ID, err = operation.NewID(nil); err != nil {
			return err
		}
		op.Clock++
		edit(&op)
		before := r.state(parent)
		after, _ := tallyLaw().Apply(before, op, tx)
		if data, err = operation.Encode(op); err != nil {
			return err
		}
		files, err := stateFiles(tallyLaw(), after, tx.Blob)
		if err != nil {
			return err
		}
		files[opFile] = tx.Blob(data)
		tree, err := tx.w.Files(files)
		if err != nil {
			return err
		}
		if made, err = tx.Stage(ctx, tree, "by another program\n", parent); err != nil {
			return err
		}
		return tx.Move(ctx, prefix+"forged", made)
	})
	return made
}

func TestContains(t *testing.T) {
	r := newRig(t)
	base := r.add(refA, Stamp{}, words("one")...)
	ahead := r.add(refA, Stamp{}, words("two")...)
	r.branch(refB, base)
	apart := r.add(refB, Stamp{}, words("three")...)
	both, _, err := r.merge(ahead, apart)
	if err != nil {
		t.Fatal(err)
	}
	again := r.commit(both, ahead, apart)
	for _, row := range []struct {
		in, tip gitstore.OID
		want    bool
	}{
		{ahead, ahead, true},
		{ahead, base, true},
		{base, ahead, false},
		{ahead, apart, false},
		{both, again, true},
		{again, both, true},
	} {
		if got, err := r.l.Contains(context.Background(), row.in, row.tip); err != nil || got != row.want {
			t.Errorf("%s has %s: %v, %v", row.in.Short(), row.tip.Short(), got, err)
		}
	}
}
