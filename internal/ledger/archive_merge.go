package ledger

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/git-brew/git-brew/internal/gitstore"
)

// MergeArchive brings two archives together: each task that one of them has, at
// what both know of it. It stages a commit only where neither has it all; then
// everything about that commit follows from the two tips, as with Merge. Of two
// that have the same the one with the lower commit id stays.
func MergeArchive[S any](ctx context.Context, tx *Tx, law Law[S], ours, theirs gitstore.OID) (gitstore.OID, Outcome, error) {
	mine, err := tx.archiveAt(ctx, ours)
	if err != nil {
		return ours, "", err
	}
	other, err := tx.archiveAt(ctx, theirs)
	if err != nil {
		return ours, "", err
	}
	m := archiveMerge[S]{tx: tx, law: law, sides: [2]archiveIndex{mine, other}}
	if theirs.Compare(ours) < 0 { // whose side is whose makes no difference
		m.sides = [2]archiveIndex{other, mine}
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
	return made, OutcomeMerged, err
}

func archiveOutcome(stays, ours gitstore.OID) Outcome {
	if stays == ours {
		return OutcomeUnchanged
	}
	return OutcomeFastForwarded
}

// archiveMerge is two archives, in the order of their tips.
type archiveMerge[S any] struct {
	tx    *Tx
	law   Law[S]
	sides [2]archiveIndex
	// changed are the entries that are not as the first side has them; lacks
	// says which sides do not have all of the result.
	changed []Archived
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
			m.changed = append(m.changed, Archived{ID: id, tree: theirs})
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
	a, _, err := m.tx.archived(ctx, m.sides[0], id)
	if err != nil {
		return err
	}
	b, _, err := m.tx.archived(ctx, m.sides[1], id)
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
func join[S any](ctx context.Context, tx *Tx, law Law[S], a, b Archived) (Archived, error) {
	made := Archived{ID: a.ID, Tip: a.Tip}
	var err error
	if a.Tip != b.Tip {
		if made.Tip, _, err = Merge(ctx, tx, law, a.Tip, b.Tip); err != nil {
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

// LaterLock chooses between two tips of a task's lock: the one that goes on from
// the other; of two that went apart the one with the higher fence, then the one
// with the longer chain, then the lower id. All but the last grow along a chain,
// so that any clones, whoever met whom first, come to choose the same. How long
// a chain is that a shallow clone has cut, nobody knows: ErrShallow.
func (tx *Tx) LaterLock(ctx context.Context, a, b gitstore.OID) (gitstore.OID, error) {
	switch {
	case a == b || b.IsZero():
		return a, nil
	case a.IsZero():
		return b, nil
	}
	for _, way := range []struct{ old, tip gitstore.OID }{{a, b}, {b, a}} {
		if follows, err := tx.l.repo.History.IsAncestor(ctx, way.old, way.tip); err != nil || follows {
			return way.tip, err
		}
	}
	for _, measure := range []func(context.Context, gitstore.OID) (uint64, error){tx.l.fenceAt, tx.l.chainOf} {
		of, err := measure(ctx, a)
		if err != nil {
			return a, fmt.Errorf("read the lock: %w", err)
		}
		other, err := measure(ctx, b)
		switch {
		case err != nil:
			return a, fmt.Errorf("read the lock: %w", err)
		case of > other:
			return a, nil
		case of < other:
			return b, nil
		}
	}
	if a.Compare(b) < 0 {
		return a, nil
	}
	return b, nil
}

// fenceAt is the fence of a lock at a tip; 0 where it says none.
func (l *Ledger) fenceAt(ctx context.Context, tip gitstore.OID) (uint64, error) {
	data, err := l.File(ctx, tip, LockFile)
	if err != nil && !errors.Is(err, gitstore.ErrNotExist) {
		return 0, err
	}
	var lock struct {
		Fence uint64 `json:"fence"`
	}
	_ = json.Unmarshal(data, &lock) // what is no lock has no fence
	return lock.Fence, nil
}

// chainOf is how many states a lock had, up to a tip.
func (l *Ledger) chainOf(ctx context.Context, tip gitstore.OID) (n uint64, err error) {
	cut, err := l.repo.History.Boundary()
	if err != nil {
		return 0, err
	}
	err = l.repo.History.Walk(ctx, tip, func(oid gitstore.OID, _ gitstore.Commit) (bool, error) {
		n++
		if cut[oid] {
			return false, errCut(oid)
		}
		return true, nil
	})
	return n, err
}

// stage adds the merge commit.
func (m *archiveMerge[S]) stage(ctx context.Context) (gitstore.OID, error) {
	tree, err := m.tx.archiveTree(ctx, m.sides[0].trees, m.changed)
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
	return m.tx.stageTied(tree, "merge of two archives\n", who, parents, tips), nil
}
