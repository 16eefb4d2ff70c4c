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
// everything about that commit follows from the two tips, as with ledger.Merge.
func Merge[S any](ctx context.Context, tx *ledger.Tx, law ledger.Law[S], ours,
	theirs gitstore.OID,
) (gitstore.OID, ledger.Outcome, error) {
	mine, err := at(ctx, tx, ours)
	if err != nil {
		return ours, "", err
	}
	other, err := at(ctx, tx, theirs)
	if err != nil {
		return ours, "", err
	}
	var oursLacks, theirsLacks bool
	for id := range mine {
		_, both := other[id]
		theirsLacks = theirsLacks || !both
	}
	var changed []Entry     // that are not as ours has them
	var made []gitstore.OID // tips that neither leads to
	for _, id := range idsOf(other) {
		e := Entry{ID: id, tree: other[id]}
		tree, both := mine[id]
		if both && tree != e.tree {
			if e, err = joinAt(ctx, tx, law, id, mine, other); err != nil {
				return ours, "", fmt.Errorf("merge archived task %s: %w", id, err)
			}
		}
		if e.tree != tree {
			oursLacks, changed = true, append(changed, e)
		}
		if e.tree != other[id] {
			theirsLacks = true
		}
		if e.tree.IsZero() {
			made = append(made, e.Tip)
		}
	}
	if tip, how, ok := ledger.Choose(ours, theirs, oursLacks, theirsLacks); ok {
		return tip, how, nil
	}
	tree, err := makeTree(ctx, tx, mine, changed)
	if err != nil {
		return ours, "", err
	}
	parents := []gitstore.OID{ours, theirs}
	slices.SortFunc(parents, gitstore.OID.Compare)
	slices.SortFunc(made, gitstore.OID.Compare)
	who, err := tx.Later(ctx, parents)
	return stageTied(tx, tree, "merge of two archives\n", who, parents, made), ledger.OutcomeMerged, err
}

// joinAt is join for a task that two archives have.
func joinAt[S any](
	ctx context.Context, tx *ledger.Tx, law ledger.Law[S], id string, mine, other map[string]gitstore.OID,
) (Entry, error) {
	a, _, err := find(ctx, tx, mine, id)
	if err != nil {
		return a, err
	}
	b, _, err := find(ctx, tx, other, id)
	if err != nil {
		return b, err
	}
	return join(ctx, tx, law, a, b)
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
