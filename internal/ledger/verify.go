package ledger

import (
	"context"
	"fmt"
	"slices"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/operation"
)

// BrokenLawError names the first commit of a record whose tree is not what its
// history says.
type BrokenLawError struct {
	Commit gitstore.OID
	Why    string
}

func (e *BrokenLawError) Error() string {
	return fmt.Sprintf("commit %s: %s", e.Commit.Short(), e.Why)
}

// Whole reads every object of the state at a commit. The error names the first
// that can't be read. What is in seen is not read again.
func (l *Ledger) Whole(ctx context.Context, commit gitstore.OID, seen map[gitstore.OID]bool) error {
	files, err := l.repo.Files(ctx, commit)
	if err != nil {
		return err
	}
	for _, f := range files {
		if seen[f.OID] {
			continue
		}
		if _, err := l.repo.Blob(ctx, f.OID); err != nil {
			return fmt.Errorf("%s at %s: %w", f.Path, commit.Short(), err)
		}
		seen[f.OID] = true
	}
	return nil
}

// Verify reads a record from its root to tip, every object of it, folds it
// anew, and compares every commit's tree with what its operations make. The
// first one that differs is a *BrokenLawError.
func Verify[S any](ctx context.Context, l *Ledger, law Law[S], tip gitstore.OID) error {
	steps, err := l.History(ctx, tip)
	if err != nil {
		return err
	}
	g := newGraph()
	state, last, seen := law.Zero(), gitstore.OID{}, map[gitstore.OID]bool{}
	for _, s := range slices.Backward(steps) {
		if err := l.Whole(ctx, s.Commit, seen); err != nil {
			return err
		}
		if err := g.growOne(s); err != nil {
			return &BrokenLawError{Commit: s.Commit, Why: err.Error()}
		}
		var extra map[string][]byte
		switch {
		case s.Op != nil && len(s.Parents) < 2 && (len(s.Parents) == 0 || s.Parents[0] == last):
			// On the state before it, as it was made: no fold from the root.
			state, _ = law.Apply(state, *s.Op, l)
		default:
			state = Fold(law, g.upTo(s.Commit), l)
		}
		if s.Op != nil {
			line, err := operation.Encode(*s.Op)
			if err != nil {
				return err
			}
			extra = map[string][]byte{opFile: line}
		}
		tx := &Tx{l: l, w: l.repo.NewWriter(), texts: map[string][]byte{}}
		want, err := stageState(tx, law, state, extra)
		if err != nil {
			return err
		}
		c, err := l.repo.Commit(ctx, s.Commit)
		if err != nil {
			return err
		}
		if c.Tree != want {
			return &BrokenLawError{Commit: s.Commit, Why: "its tree is not what its operations make"}
		}
		last = s.Commit
	}
	return nil
}

// upTo is the part of the graph that a commit has.
func (g *graph) upTo(commit gitstore.OID) []operation.Node {
	has := make([]bool, len(g.nodes))
	var mark func(i int)
	mark = func(i int) {
		if has[i] {
			return
		}
		has[i] = true
		for _, p := range g.nodes[i].Parents {
			mark(p)
		}
	}
	for _, i := range g.commits[commit] {
		mark(i)
	}
	at := make([]int, len(g.nodes))
	var nodes []operation.Node
	for i, n := range g.nodes {
		if !has[i] {
			continue
		}
		at[i] = len(nodes)
		parents := make([]int, len(n.Parents))
		for k, p := range n.Parents {
			parents[k] = at[p]
		}
		nodes = append(nodes, operation.Node{Op: n.Op, Parents: parents})
	}
	return nodes
}
