package app

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/git-brew/git-brew/internal/app/records"
	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/gitstore/gitstoretest"
	"github.com/git-brew/git-brew/internal/knowledge"
	"github.com/git-brew/git-brew/internal/ledger"
	"github.com/git-brew/git-brew/internal/operation"
	"github.com/git-brew/git-brew/internal/task"
)

// fleet is a few machines that share one task through merges: a ref for each.
type fleet struct {
	t      *rapid.T
	l      *ledger.Ledger
	refs   []gitstore.RefName
	merges int // commits that merges made
}

// step lets a machine make an operation that its state allows; what is refused
// is no step.
func (f *fleet) step(m int) {
	op := rapid.SampledFrom(moves).Draw(f.t, "move")
	err := f.l.Change(context.Background(), func(ctx context.Context, tx *ledger.Tx) error {
		tip, err := tx.Tip(ctx, f.refs[m])
		if err != nil {
			return err
		}
		state, err := ledger.Load(ctx, f.l, records.TaskLaw(), tip)
		if err != nil {
			return err
		}
		draft, ok := op(f.t, tx, state)
		if !ok {
			return nil
		}
		_, err = ledger.Append(ctx, tx, records.TaskLaw(), f.refs[m], state, ledger.Stamp{}, draft)
		return err
	})
	var refused *task.RefusedError
	if err != nil && !errors.As(err, &refused) && !errors.Is(err, ledger.ErrSuperseded) &&
		!errors.Is(err, task.ErrNoTask) {
		f.t.Fatalf("machine %d: %v", m, err)
	}
}

// sync merges another machine's tip into a machine's.
func (f *fleet) sync(m, other int) ledger.Outcome {
	var how ledger.Outcome
	err := f.l.Change(context.Background(), func(ctx context.Context, tx *ledger.Tx) error {
		ours, err := tx.Tip(ctx, f.refs[m])
		if err != nil {
			return err
		}
		theirs, err := f.l.Tip(ctx, f.refs[other])
		if err != nil {
			return err
		}
		var next gitstore.OID
		if next, how, err = ledger.Merge(ctx, tx, records.TaskLaw(), ours, theirs); err != nil {
			return err
		}
		return tx.Move(ctx, f.refs[m], next)
	})
	if err != nil {
		f.t.Fatalf("merge %d into %d: %v", other, m, err)
	}
	if how == ledger.OutcomeMerged {
		f.merges++
	}
	return how
}

func (f *fleet) tip(m int) gitstore.OID {
	oid, err := f.l.Tip(context.Background(), f.refs[m])
	if err != nil {
		f.t.Fatal(err)
	}
	return oid
}

type move func(t *rapid.T, tx *ledger.Tx, s task.Task) (ledger.Draft, bool)

func onPhase(kind operation.Kind, payload func(t *rapid.T, p task.Phase) any) move {
	return func(t *rapid.T, _ *ledger.Tx, s task.Task) (ledger.Draft, bool) {
		if len(s.Phases) == 0 {
			return ledger.Draft{}, false
		}
		p := rapid.SampledFrom(s.Phases).Draw(t, "phase")
		return ledger.Draft{Kind: kind, Payload: payload(t, p)}, true
	}
}

func anyTime(kind operation.Kind, payload func(t *rapid.T) any) move {
	return func(t *rapid.T, _ *ledger.Tx, _ task.Task) (ledger.Draft, bool) {
		return ledger.Draft{Kind: kind, Payload: payload(t)}, true
	}
}

func word(t *rapid.T) string {
	return rapid.SampledFrom([]string{"alpha", "beta", "gamma", "delta"}).Draw(t, "word")
}

var moves = []move{
	anyTime(task.OpStart, func(*rapid.T) any { return task.StartPayload{} }),
	anyTime(task.OpPause, func(*rapid.T) any { return task.PausePayload{Cause: task.CauseHandoff} }),
	anyTime(task.OpResume, func(*rapid.T) any { return task.EmptyPayload{} }),
	anyTime(task.OpEdit, func(t *rapid.T) any { return task.EditPayload{Title: word(t)} }),
	anyTime(task.OpDelete, func(*rapid.T) any { return task.EmptyPayload{} }),
	anyTime(task.OpPhaseAdd, func(t *rapid.T) any {
		return task.PhaseAddPayload{Title: word(t), Kind: task.KindExecution}
	}),
	anyTime(task.OpKnowledgeAdd, func(t *rapid.T) any {
		return task.KnowledgeAddPayload{TS: "2026-03-01T12:00:00Z", T: "fact", Txt: word(t)}
	}),
	onPhase(task.OpPhaseAdd, func(t *rapid.T, p task.Phase) any {
		return task.PhaseAddPayload{Title: word(t), Kind: task.KindFix, Parent: p.UID}
	}),
	onPhase(task.OpPhaseStart, func(_ *rapid.T, p task.Phase) any { return task.PhasePayload{Phase: p.UID} }),
	onPhase(task.OpPhaseDone, func(_ *rapid.T, p task.Phase) any { return task.PhasePayload{Phase: p.UID} }),
	onPhase(task.OpPhaseReview, func(t *rapid.T, p task.Phase) any {
		return task.PhaseReviewPayload{
			Phase: p.UID, Reason: "because",
			Verdict: rapid.SampledFrom([]task.Review{task.ReviewApproved, task.ReviewChanges}).Draw(t, "verdict"),
		}
	}),
	func(t *rapid.T, tx *ledger.Tx, s task.Task) (ledger.Draft, bool) {
		lines := rapid.SliceOfN(rapid.SampledFrom([]string{"one\n", "two\n", "three\n", "four\n"}), 1, 6).Draw(t, "text")
		text := ""
		for _, l := range lines {
			text += l
		}
		oid := tx.Blob([]byte(text)).String()
		return ledger.Draft{
			Kind:    task.OpDocSet,
			Payload: task.DocSetPayload{Name: "plan", Base: s.Docs["plan"].OID, OID: oid},
		}, oid != s.Docs["plan"].OID
	},
	func(t *rapid.T, _ *ledger.Tx, s task.Task) (ledger.Draft, bool) {
		if len(s.Knowledge) == 0 {
			return ledger.Draft{}, false
		}
		e := rapid.SampledFrom(s.Knowledge).Draw(t, "entry")
		return ledger.Draft{Kind: knowledge.OpRemove, Payload: knowledge.RemovePayload{IDs: []operation.ID{e.ID}}}, true
	},
}

// Machines that worked apart come to the same commit, whoever met whom first,
// and then rest (S-1, S-2, S-3, S-5, S-6, S-8, S-9). -rapid.checks sets how many
// histories are tried.
func TestMerge_S1_S9_everyCloneComesToTheSameTip(t *testing.T) {
	repo := gitstoretest.New(t)
	rounds := 0
	at := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	l := ledger.New(repo.Open(), func() time.Time { at = at.Add(time.Second); return at }, nil)
	rapid.Check(t, func(rt *rapid.T) { rounds++; converge(rt, l, rounds) })
}

func converge(t *rapid.T, l *ledger.Ledger, round int) {
	ctx := context.Background()
	f := &fleet{t: t, l: l}
	machines := rapid.IntRange(2, 4).Draw(t, "machines")
	for m := range machines {
		f.refs = append(f.refs, gitstore.RefName(fmt.Sprintf("%sremotes/m%d/tasks/round-%d", ledger.Prefix, m, round)))
	}
	err := l.Change(ctx, func(ctx context.Context, tx *ledger.Tx) error {
		if _, err := ledger.Append(ctx, tx, records.TaskLaw(), f.refs[0], task.Task{}, ledger.Stamp{},
			ledger.Draft{Kind: task.OpCreate, Payload: task.CreatePayload{
				ID: "shared-abcdefg", Title: "Shared", Type: "feature", Branch: "feature/shared", Stage: task.StageExecute,
			}}); err != nil {
			return err
		}
		tip, err := tx.Tip(ctx, f.refs[0])
		for _, r := range f.refs[1:] {
			err = errors.Join(err, tx.Move(ctx, r, tip))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for range rapid.IntRange(1, 15).Draw(t, "steps") {
		m := rapid.IntRange(0, machines-1).Draw(t, "machine")
		if other := rapid.IntRange(0, machines*3).Draw(t, "meets"); other < machines && other != m {
			f.sync(m, other)
			continue
		}
		f.step(m)
	}
	// Everybody meets everybody, in any order, twice: then all are one.
	for range 2 {
		for _, m := range rapid.Permutation(numbers(machines)).Draw(t, "order") {
			for _, other := range rapid.Permutation(numbers(machines)).Draw(t, "others") {
				if m != other {
					f.sync(m, other)
				}
			}
		}
	}
	made := f.merges
	for m := range machines {
		for other := range machines {
			if m != other {
				if how := f.sync(m, other); how != ledger.OutcomeUnchanged {
					t.Fatalf("machine %d meets %d again: %s", m, other, how)
				}
			}
		}
	}
	if f.merges != made {
		t.Fatalf("one more round made %d commits", f.merges-made)
	}
	for m := range machines {
		if f.tip(m) != f.tip(0) {
			t.Fatalf("machine %d is at %s, machine 0 at %s", m, f.tip(m), f.tip(0))
		}
	}
	if err := ledger.Verify(ctx, l, records.TaskLaw(), f.tip(0)); err != nil {
		t.Fatalf("the tip is not what its history says: %v", err)
	}
}

func numbers(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}
