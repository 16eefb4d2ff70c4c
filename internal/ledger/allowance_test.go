package ledger

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/operation"
)

// countingLaw tells of each operation that is applied.
func countingLaw(applied func()) Law[tally] {
	law := tallyLaw()
	law.Apply = func(s tally, op operation.Operation, texts Texts) (tally, bool) {
		applied()
		return applyTally(s, op, texts)
	}
	return law
}

// held are operations of the holder of a lock.
func held(who string, n int) []Draft {
	drafts := make([]Draft, n)
	for i := range drafts {
		drafts[i] = Draft{Kind: opHold, Payload: wordPayload{Word: fmt.Sprint(who, i)}}
	}
	return drafts
}

// apart makes two lines of so many operations each.
func (r *rig) apart(n int) (a, b gitstore.OID) {
	r.T.Helper()
	base := r.add(refA, Stamp{}, words("one")...)
	r.branch(refB, base)
	return r.add(refA, Stamp{Fence: 1, Claim: "a"}, held("a", n)...),
		r.add(refB, Stamp{Fence: 2, Claim: "b"}, held("b", n)...)
}

// crossed makes two lines that join n times, each time beside the other one: no
// commit but the first is one that all before led to and all after had seen.
func (r *rig) crossed(n int) (tip gitstore.OID) {
	r.T.Helper()
	a, b := r.apart(1)
	for i := range n {
		joined, _, err := r.merge(a, b)
		if err != nil {
			r.T.Fatal(err)
		}
		r.branch(refA, joined)
		r.branch(refB, b)
		stamp := Stamp{Fence: 2, Claim: "b"}
		a, b = r.add(refB, stamp, held(fmt.Sprint("b ", i), 1)...), r.add(refA, stamp, held(fmt.Sprint("a ", i), 1)...)
	}
	return b
}

// refusal is an error that must be one line about a commit, for size.
func refusal(t *testing.T, err error) {
	t.Helper()
	var unsound *UnsoundError
	if !errors.As(err, &unsound) || !errors.Is(err, gitstore.ErrTooLarge) || strings.Contains(err.Error(), "\n") {
		t.Errorf("%v", err)
	}
}

// Two machines may be apart for months, and claims be given up meanwhile: a fold
// takes what each did there, 5,000 operations, within the limits.
func TestFold_monthsApart(t *testing.T) {
	const each = 5000
	c := newCommitGraph(2*each + 1)
	r := &reader{graph: c, steps: map[gitstore.OID]Step{}, may: defaultLimits().allowance()}
	for i := range 2*each + 1 {
		op := operation.Operation{
			ID: operation.ID(fmt.Sprintf("%032x", i)), Clock: uint64(i + 1), Kind: opHold,
			Fence: uint64(1 + i%2), Claim: "c",
		}
		if i%500 == 499 {
			op.Kind = opGive
		}
		s := Step{Commit: gitstore.HashBlob([]byte(op.ID)), Op: &op}
		if i > 0 {
			s.Parents = []gitstore.OID{c.commits[max(0, i-2)]}
		}
		r.steps[s.Commit] = s
		c.add(s.Commit, s.Parents, false)
	}
	base, behind := c.fork(2*each-1, 2*each)
	if base != 0 {
		t.Fatalf("the fork is %d", base)
	}
	if got, err := foldFrom(context.Background(), r, givingLaw(), base, behind, noWords, nil); err != nil ||
		got.Clock != 2*each+1 {
		t.Errorf("at clock %d, %v", got.Clock, err)
	}
}

func noWords(context.Context, gitstore.OID) (tally, error) { return tally{}, nil }

// opGive gives the claim up that it is made under.
const opGive operation.Kind = "give"

func givingLaw() Law[tally] {
	law := tallyLaw()
	law.Rules.Yield = func(op operation.Operation) (operation.Yield, bool) {
		return operation.Yield{Fence: op.Fence, Claim: op.Claim}, op.Kind == opGive
	}
	return law
}

// A history that forked may have so many operations that two tables of all of them fit
// in memory. More are refused, here too.
func TestAccept_behindOneFork(t *testing.T) {
	r := newRig(t)
	a, b := r.apart(3)
	joined, _, err := r.merge(a, b)
	if err != nil {
		t.Fatal(err)
	}
	r.l.limits.forked = 7
	if err := r.accept(gitstore.OID{}, joined); err != nil {
		t.Error(err)
	}
	r.l.limits.forked = 6
	for _, ours := range []gitstore.OID{{}, a} {
		refusal(t, Accept(context.Background(), r.l, tallyLaw(), refA, ours, joined))
	}
	if _, _, err := r.merge(a, b); !errors.Is(err, gitstore.ErrTooLarge) {
		t.Errorf("merged: %v", err)
	}
	if err := r.verify(joined); err != nil {
		t.Errorf("our own: %v", err)
	}
}

// Where no operation is ever void, how many are behind a fork costs nothing.
func TestAccept_behindOneForkWithoutRules(t *testing.T) {
	r := newRig(t)
	base := r.add(refA, Stamp{}, words("one")...)
	r.branch(refB, base)
	r.l.limits.forked = 3
	a, b := r.add(refA, Stamp{}, words("two", "three")...), r.add(refB, Stamp{}, words("four", "five")...)
	err := r.l.Change(context.Background(), func(ctx context.Context, tx *Tx) error {
		joined, _, err := Merge(ctx, tx, openLaw(), a, b)
		if err != nil {
			return err
		}
		return tx.Move(ctx, refA, joined)
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := Accept(context.Background(), r.l, openLaw(), refA, gitstore.OID{}, r.tip(refA)); err != nil {
		t.Error(err)
	}
}

// openLaw has no rules.
func openLaw() Law[tally] {
	law := tallyLaw()
	law.Rules = operation.Rules{}
	return law
}

// A history whose lines never meet costs a fold of all of it at each merge: what
// would take too long is refused.
func TestAccept_linesThatNeverMeet(t *testing.T) {
	r := newRig(t)
	tip := r.crossed(12)
	if err := r.accept(gitstore.OID{}, tip); err != nil {
		t.Error(err)
	}
	r.l.limits.folded = 100
	refusal(t, Accept(context.Background(), r.l, tallyLaw(), refA, gitstore.OID{}, tip))
	if err := r.verify(tip); err != nil {
		t.Errorf("our own: %v", err)
	}
}

// Whoever asks for it to end need not wait for a long history.
func TestFolds_endWithTheirContext(t *testing.T) {
	r := newRig(t)
	a, b := r.apart(20)
	enough := fmt.Errorf("enough")
	for name, fold := range map[string]func(ctx context.Context, law Law[tally]) error{
		"accept": func(ctx context.Context, law Law[tally]) error {
			return Accept(ctx, r.l, law, refA, gitstore.OID{}, a)
		},
		"verify": func(ctx context.Context, law Law[tally]) error { return Verify(ctx, r.l, law, a) },
		"merge": func(ctx context.Context, law Law[tally]) error {
			return r.l.Change(context.Background(), func(_ context.Context, tx *Tx) error {
				_, _, err := Merge(ctx, tx, law, a, b)
				return err
			})
		},
	} {
		ctx, cancel := context.WithCancelCause(context.Background())
		applied := 0
		err := fold(ctx, countingLaw(func() {
			if applied++; applied == 3 {
				cancel(enough)
			}
		}))
		if !errors.Is(err, enough) || applied != 3 {
			t.Errorf("%s: %d applied, %v", name, applied, err)
		}
	}
}
