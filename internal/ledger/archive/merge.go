package archive

import (
	"context"
	"fmt"
	"slices"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/ledger"
)

// Merge brings two archives together: each task that one of them has, at
// what both know of it. It stages a commit only where neither has it all; then
// everything about that commit follows from the two tips, as with Merge. Of two
// that have the same the one with the lower commit id stays.
func Merge[S any](ctx context.Context, tx *ledger.Tx, law ledger.Law[S], ours, theirs gitstore.OID) (gitstore.OID,
	ledger.Outcome, error,
) {
	mine, err := at(ctx, tx, ours)
	if err != nil {
		return ours, "", err
	}
	other, err := at(ctx, tx, theirs)
	if err != nil {
		return ours, "", err
	}
	m := archiveMerge[S]{tx: tx, law: law, sides: [2]listing{mine, other}}
	if theirs.Compare(ours) < 0 { // whose side is whose makes no difference
		m.sides = [2]listing{other, mine}
	}
	if err := m.decide(ctx); err != nil {
		return ours, "", err
	}
	switch first, second := m.sides[0].tip, m.sides[1].tip; {
	case !m.lacks[0]:
		return first, archiveOutcome(first, ours), nil
	case !m.lacks[1]:
		return second, archiveOutcome(second, ours), nil
	}
	made, err := m.stage(ctx)
	return made, ledger.OutcomeMerged, err
}

func archiveOutcome(stays, ours gitstore.OID) ledger.Outcome {
	if stays == ours {
		return ledger.OutcomeUnchanged
	}
	return ledger.OutcomeFastForwarded
}

// archiveMerge is two archives, in the order of their tips.
type archiveMerge[S any] struct {
	tx    *ledger.Tx
	law   ledger.Law[S]
	sides [2]listing
	// changed are the entries that are not as the first side has them; lacks
	// says which sides do not have all of the result.
	changed []Entry
	lacks   [2]bool
}

func (m *archiveMerge[S]) decide(ctx context.Context) error {
	for _, id := range m.sides[0].ids() {
		if _, both := m.sides[1].trees[id]; !both {
			m.lacks[1] = true
		}
	}
	for _, id := range m.sides[1].ids() {
		theirs := m.sides[1].trees[id]
		switch mine, both := m.sides[0].trees[id]; {
		case !both:
			m.lacks[0] = true
			m.changed = append(m.changed, Entry{ID: id, tree: theirs})
		case mine != theirs:
			if err := m.decideOne(ctx, id); err != nil {
				return fmt.Errorf("merge archived task %s: %w", id, err)
			}
		}
	}
	return nil
}

// decideOne joins the two entries of a task that differ.
func (m *archiveMerge[S]) decideOne(ctx context.Context, id string) error {
	a, _, err := find(ctx, m.tx, m.sides[0], id)
	if err != nil {
		return err
	}
	b, _, err := find(ctx, m.tx, m.sides[1], id)
	if err != nil {
		return err
	}
	joined, err := join(ctx, m.tx, m.law, a, b)
	if err != nil {
		return err
	}
	if joined.tree != a.tree {
		m.lacks[0] = true
		m.changed = append(m.changed, joined)
	}
	if joined.tree != b.tree {
		m.lacks[1] = true
	}
	return nil
}

// join makes one entry of two of the same task: all that both know of its
// history, and the later of two locks. One that has it all stays as it is.
func join[S any](ctx context.Context, tx *ledger.Tx, law ledger.Law[S], a, b Entry) (Entry, error) {
	made := Entry{ID: a.ID, Tip: a.Tip}
	var err error
	if a.Tip != b.Tip {
		if made.Tip, _, err = ledger.Merge(ctx, tx, law, a.Tip, b.Tip); err != nil {
			return made, err
		}
	}
	if made.Lock, err = tx.LaterLock(ctx, a.Lock, b.Lock); err != nil {
		return made, err
	}
	isA, isB := made.same(a), made.same(b)
	switch {
	case isA && isB: // apart in what a newer version put beside
		if b.tree.IsZero() || !a.tree.IsZero() && a.tree.Compare(b.tree) < 0 {
			return a, nil
		}
		return b, nil
	case isA:
		return a, nil
	case isB:
		return b, nil
	}
	return made, nil
}

// stage adds the merge commit.
func (m *archiveMerge[S]) stage(ctx context.Context) (gitstore.OID, error) {
	tree, err := makeTree(ctx, m.tx, m.sides[0].trees, m.changed)
	if err != nil {
		return tree, err
	}
	parents := []gitstore.OID{m.sides[0].tip, m.sides[1].tip}
	who, err := m.tx.Later(ctx, parents)
	if err != nil {
		return tree, err
	}
	var tips []gitstore.OID // those that no side leads to
	for _, e := range m.changed {
		if e.tree.IsZero() {
			tips = append(tips, e.Tip)
		}
	}
	slices.SortFunc(tips, gitstore.OID.Compare)
	return stageTied(m.tx, tree, "merge of two archives\n", who, parents, tips), nil
}
