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
	if err := l.wholeTree(ctx, c.Tree, "", seen); err != nil {
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
	seen := map[gitstore.OID]bool{}
	for _, s := range slices.Backward(steps) {
		if err := l.Whole(ctx, s.Commit, seen); err != nil {
			return err
		}
	}
	v := verifier[S]{l: l, law: law, g: newGraph(), cut: map[gitstore.OID]bool{}, state: law.Zero(), texts: newBlobs(ctx, l.repo)}
	for _, s := range slices.Backward(steps) {
		if err := v.step(ctx, s); err != nil {
			return err
		}
	}
	return nil
}

// verifier goes through a history, parents before children.
type verifier[S any] struct {
	l     *Ledger
	law   Law[S]
	g     *graph
	cut   map[gitstore.OID]bool // commits some of whose history is not here
	texts *blobs
	last  gitstore.OID
	state S // at last
}

func (v *verifier[S]) step(ctx context.Context, s Step) error {
	if err := v.g.growOne(s); err != nil {
		return err
	}
	v.cut[s.Commit] = slices.ContainsFunc(s.Parents, func(p gitstore.OID) bool {
		_, here := v.g.commits[p]
		return !here || v.cut[p]
	})
	last := v.last
	v.last = s.Commit
	switch {
	case s.Op != nil && len(s.Parents) == 0:
		v.state, _ = v.law.Apply(v.law.Zero(), *s.Op, v.texts)
	case s.Op != nil && len(s.Parents) == 1 && s.Parents[0] == last:
		// On the state before it, as it was made: no fold from the root.
		v.state, _ = v.law.Apply(v.state, *s.Op, v.texts)
	case v.cut[s.Commit]:
		var err error
		v.state, err = Load(ctx, v.l, v.law, s.Commit)
		return err
	default:
		v.state = Fold(v.law, v.g.upTo(s.Commit), v.texts)
	}
	if v.texts.err != nil {
		return v.texts.err
	}
	return v.compare(ctx, s)
}

// compare makes the tree of the state, with the commit's own op.json, and
// compares it with the commit's.
func (v *verifier[S]) compare(ctx context.Context, s Step) error {
	c, err := v.l.repo.Commit(ctx, s.Commit)
	if err != nil {
		return err
	}
	entries, err := v.l.repo.Tree(ctx, c.Tree)
	if err != nil {
		return err
	}
	files, err := stateFiles(v.law, v.state, gitstore.HashBlob)
	if err != nil {
		return err
	}
	if i := slices.IndexFunc(entries, func(e gitstore.Entry) bool { return e.Name == opFile }); i >= 0 {
		files[opFile] = entries[i].OID
	}
	want, err := v.l.repo.NewWriter().Files(files)
	if err != nil {
		return err
	}
	if c.Tree != want {
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
