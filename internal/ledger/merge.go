package ledger

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/operation"
)

// ErrUnknownLaw: a history holds operations made under rules that this program
// does not know. It may be fast-forwarded, never folded anew.
var ErrUnknownLaw = errors.New("it was written by a newer git-brew")

// Outcome is how two histories of one record relate.
type Outcome string

// The outcomes of Merge. All but OutcomeMerged make no commit.
const (
	OutcomeUnchanged     Outcome = "unchanged"      // ours has all that theirs has
	OutcomeFastForwarded Outcome = "fast-forwarded" // theirs has all that ours has
	OutcomeMerged        Outcome = "merged"
)

// graph is the operations of one or more histories, each with what its author
// had seen.
type graph struct {
	nodes   []operation.Node
	index   map[operation.ID]int
	commits map[gitstore.OID][]int // the operations at a commit: its own, or its parents' for a merge
}

// grow adds the history of tip. Operations that are there already stay one.
func (g *graph) grow(ctx context.Context, l *Ledger, tip gitstore.OID) error {
	steps, err := l.History(ctx, tip)
	if err != nil {
		return err
	}
	for _, s := range slices.Backward(steps) {
		if err := g.growOne(s); err != nil {
			return err
		}
	}
	return nil
}

// growOne adds a commit whose parents were added before.
func (g *graph) growOne(s Step) error {
	if _, known := g.commits[s.Commit]; known {
		return nil
	}
	var seen []int
	for _, p := range s.Parents {
		seen = append(seen, g.commits[p]...)
	}
	slices.Sort(seen)
	seen = slices.Compact(seen)
	if s.Op == nil {
		g.commits[s.Commit] = seen
		return nil
	}
	if s.Op.Law > operation.Law {
		return fmt.Errorf("operation %s at %s has law %d: %w", s.Op.ID, s.Commit.Short(), s.Op.Law, ErrUnknownLaw)
	}
	i, known := g.index[s.Op.ID]
	if !known {
		i = len(g.nodes)
		g.index[s.Op.ID] = i
		g.nodes = append(g.nodes, operation.Node{Op: *s.Op, Parents: seen})
	}
	g.commits[s.Commit] = []int{i}
	return nil
}

func newGraph() *graph {
	return &graph{index: map[operation.ID]int{}, commits: map[gitstore.OID][]int{}}
}

// Graph reads the operations of a record's history, parents before children.
func (l *Ledger) Graph(ctx context.Context, tip gitstore.OID) ([]operation.Node, error) {
	g := newGraph()
	if err := g.grow(ctx, l, tip); err != nil {
		return nil, err
	}
	return g.nodes, nil
}

// operations are the ids of the operations that a tip has.
func (l *Ledger) operations(ctx context.Context, tip gitstore.OID) (map[operation.ID]bool, error) {
	steps, err := l.History(ctx, tip)
	if err != nil {
		return nil, err
	}
	ids := make(map[operation.ID]bool, len(steps))
	for _, s := range steps {
		if s.Op != nil {
			ids[s.Op.ID] = true
		}
	}
	return ids, nil
}

// Fold computes the state that a history of operations makes.
func Fold[S any](law Law[S], nodes []operation.Node, texts Texts) S {
	state := law.Zero()
	for _, op := range operation.Ordered(nodes, law.Rules()) {
		state, _ = law.Apply(state, op, texts)
	}
	return state
}

// Merge brings two histories of one record together. It stages a commit only
// where each has what the other has not; then everything about that commit
// follows from the two tips, so that every clone makes the same one.
func Merge[S any](ctx context.Context, tx *Tx, law Law[S], ours, theirs gitstore.OID) (gitstore.OID, Outcome, error) {
	mine, err := tx.l.operations(ctx, ours)
	if err != nil {
		return ours, "", err
	}
	other, err := tx.l.operations(ctx, theirs)
	if err != nil {
		return ours, "", err
	}
	switch inOurs, inTheirs := contains(mine, other), contains(other, mine); {
	case inOurs && inTheirs:
		// The same operations on both sides: the lower commit id wins,
		// whatever the trees, so that a ring of clones comes to rest.
		if bytes.Compare([]byte(theirs.String()), []byte(ours.String())) < 0 {
			return theirs, OutcomeFastForwarded, nil
		}
		return ours, OutcomeUnchanged, nil
	case inOurs:
		return ours, OutcomeUnchanged, nil
	case inTheirs:
		return theirs, OutcomeFastForwarded, nil
	}
	g := newGraph()
	for _, tip := range []gitstore.OID{ours, theirs} {
		if err := g.grow(ctx, tx.l, tip); err != nil {
			return ours, "", err
		}
	}
	tree, err := stageState(tx, law, Fold(law, g.nodes, tx), nil)
	if err != nil {
		return ours, "", err
	}
	oid, err := tx.stageMerge(ctx, tree, ours, theirs)
	return oid, OutcomeMerged, err
}

func contains(all, some map[operation.ID]bool) bool {
	for id := range some {
		if !all[id] {
			return false
		}
	}
	return true
}

// stageMerge adds the merge commit of two tips: parents in the order of their
// names, author and times those of the parent that was committed later.
func (tx *Tx) stageMerge(ctx context.Context, tree, a, b gitstore.OID) (gitstore.OID, error) {
	parents := []gitstore.OID{a, b}
	slices.SortFunc(parents, func(x, y gitstore.OID) int { return bytes.Compare([]byte(x.String()), []byte(y.String())) })
	var late gitstore.Commit
	for _, p := range parents {
		c, err := tx.l.repo.Commit(ctx, p)
		if err != nil {
			return a, err
		}
		if late.Tree.IsZero() || c.Committer.When.After(late.Committer.When) {
			late = c
		}
	}
	c := gitstore.Commit{
		Tree: tree, Parents: parents, Author: late.Committer, Committer: late.Committer,
		Message: "merge of two histories\n",
	}
	oid := tx.w.Commit(c)
	tx.staged[oid] = c
	return oid, nil
}
