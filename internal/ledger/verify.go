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
	c, err := l.repo.Commit(ctx, commit)
	if err != nil {
		return err
	}
	return l.wholeAt(ctx, commit, c.Tree, seen)
}

func (l *Ledger) wholeAt(ctx context.Context, commit, tree gitstore.OID, seen map[gitstore.OID]bool) error {
	if err := l.wholeTree(ctx, tree, "", seen); err != nil {
		return fmt.Errorf("%w, at commit %s", err, commit.Short())
	}
	return nil
}

// wholeTree visits each tree once, however often it is there.
func (l *Ledger) wholeTree(ctx context.Context, tree gitstore.OID, path string, seen map[gitstore.OID]bool) error {
	if seen[tree] {
		return nil
	}
	if len(path) > maxPath {
		return fmt.Errorf("%.100q: %w", path, gitstore.ErrTooLarge)
	}
	entries, err := l.repo.Tree(ctx, tree)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if e.Mode == gitstore.ModeDir {
			err = l.wholeTree(ctx, e.OID, path+e.Name+"/", seen)
		} else if !seen[e.OID] {
			_, err = l.repo.Blob(ctx, e.OID)
		}
		if err != nil {
			return fmt.Errorf("%s%s: %w", path, e.Name, err)
		}
		seen[e.OID] = true
	}
	seen[tree] = true
	return nil
}

// maxPath bounds, in bytes, the paths that are followed.
const maxPath = 4096

// Verify reads a record from its root to tip, every object of it, folds it
// anew, and compares every commit's tree with what its operations make. The
// first one that differs is a *BrokenLawError.
//
// Where a shallow clone lacks a part, the state that was made from it is
// believed, and what follows is compared. From an operation of an unknown law
// on nothing can be: then ErrUnknownLaw, after all objects were read.
func Verify[S any](ctx context.Context, l *Ledger, law Law[S], tip gitstore.OID) error {
	steps, err := l.History(ctx, tip)
	if err != nil {
		return err
	}
	v := verifier[S]{
		l: l, law: law, texts: newBlobs(ctx, l.repo), g: newGraph(),
		cut: map[gitstore.OID]bool{}, children: map[gitstore.OID]int{}, states: map[gitstore.OID]S{},
	}
	seen := map[gitstore.OID]bool{}
	for _, s := range slices.Backward(steps) {
		seen[s.opBlob] = true // History read it
		if err := l.wholeAt(ctx, s.Commit, s.tree, seen); err != nil {
			return err
		}
		for _, p := range s.Parents {
			v.children[p]++
		}
	}
	for _, s := range slices.Backward(steps) {
		if err := v.step(ctx, s); err != nil {
			return err
		}
	}
	return nil
}

// verifier goes through a history, parents before children.
type verifier[S any] struct {
	l        *Ledger
	law      Law[S]
	texts    *blobs
	g        *graph
	cut      map[gitstore.OID]bool // commits some of whose history is not here
	children map[gitstore.OID]int  // how many are still to come
	states   map[gitstore.OID]S    // at commits that have children to come
}

func (v *verifier[S]) step(ctx context.Context, s Step) error {
	if err := v.g.growOne(s); err != nil {
		return err
	}
	v.cut[s.Commit] = slices.ContainsFunc(s.Parents, func(p gitstore.OID) bool {
		_, here := v.g.commits[p]
		return !here || v.cut[p]
	})
	state, onTop := v.before(s)
	switch {
	case onTop:
		// On the state before it, as it was made: no fold from the root.
		state, _ = v.law.Apply(state, *s.Op, v.texts)
	case v.cut[s.Commit]:
		var err error
		if state, err = Load(ctx, v.l, v.law, s.Commit); err != nil {
			return err
		}
	default:
		state = Fold(v.law, v.g.upTo(s.Commit), v.texts)
	}
	if v.texts.err != nil {
		return v.texts.err
	}
	if v.children[s.Commit] > 0 {
		v.states[s.Commit] = state
	}
	for _, p := range s.Parents {
		if v.children[p]--; v.children[p] == 0 {
			delete(v.states, p)
		}
	}
	if !onTop && v.cut[s.Commit] {
		return nil
	}
	return v.compare(s, state)
}

// before is the state that an operation was made on; none for a merge, and for
// what a shallow clone begins with.
func (v *verifier[S]) before(s Step) (state S, known bool) {
	switch {
	case s.Op == nil || len(s.Parents) > 1:
		return state, false
	case len(s.Parents) == 0:
		return v.law.Zero(), true
	}
	state, known = v.states[s.Parents[0]]
	return state, known
}

// compare makes the tree of the state, with the commit's own op.json, and
// compares it with the commit's.
func (v *verifier[S]) compare(s Step, state S) error {
	files, err := stateFiles(v.law, state, gitstore.HashBlob)
	if err != nil {
		return err
	}
	if s.Op != nil {
		files[opFile] = s.opBlob
	}
	want, err := v.l.repo.NewWriter().Files(files)
	if err != nil {
		return err
	}
	if s.tree != want {
		return &BrokenLawError{Commit: s.Commit, Why: "its tree is not what its operations make"}
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
