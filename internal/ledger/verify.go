package ledger

import (
	"cmp"
	"context"
	"fmt"

	"github.com/git-brew/git-brew/internal/gitstore"
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
	return VerifySince(ctx, l, law, tip)
}

// VerifySince is Verify for what leads to tip and to none of the known commits,
// whose states, and those of all before them, are believed. It costs no more
// than what is new, as long as that does not join older lines of the history.
func VerifySince[S any](ctx context.Context, l *Ledger, law Law[S], tip gitstore.OID, known ...gitstore.OID) error {
	steps, err := l.since(ctx, l.repo.UpTo(gitstore.MaxObjectSize), maxHistory, tip, known...)
	if err != nil {
		return err
	}
	seen := map[gitstore.OID]bool{}
	for i := range steps {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		s := &steps[i]
		if err := l.readOperation(ctx, s); err != nil {
			return fmt.Errorf("read the operation of %s: %w", s.Commit.Short(), err)
		}
		seen[s.opBlob] = true // it was read
		if err := l.wholeAt(ctx, s.Commit, s.tree, seen); err != nil {
			return err
		}
	}
	newer, err := compareSteps(ctx, l, law, unlimited(), tip, steps)
	return cmp.Or(err, newer)
}
