package ledger

import (
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

// CheckObjects reads every object of the state at a commit. The error names the first
// that can't be read. What is in seen is not read again.
func (l *Ledger) CheckObjects(ctx context.Context, commit gitstore.OID, seen map[gitstore.OID]bool) error {
	c, err := l.repo.Objects.Commit(ctx, commit)
	if err != nil {
		return err
	}
	return l.checkObjectsAt(ctx, commit, c.Tree, gitstore.OID{}, seen)
}

// CheckObjectsSince reads every object that the states up to tip hold, but for those up
// to known (zero: none). The error names the first that can't be read.
func (l *Ledger) CheckObjectsSince(ctx context.Context, known, tip gitstore.OID) error {
	steps, err := l.since(ctx, l.repo.Objects.UpTo(gitstore.MaxObjectSize), maxHistory, tip, known)
	if err != nil {
		return err
	}
	seen, trees := map[gitstore.OID]bool{}, make(map[gitstore.OID]gitstore.OID, len(steps))
	for _, s := range steps {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		var base gitstore.OID
		if len(s.Parents) > 0 && !s.cut {
			here := false
			if base, here = trees[s.Parents[0]]; !here {
				before, err := l.repo.Objects.Commit(ctx, s.Parents[0])
				if err != nil {
					return err
				}
				base = before.Tree
			}
		}
		trees[s.Commit] = s.tree
		if err := l.checkObjectsAt(ctx, s.Commit, s.tree, base, seen); err != nil {
			return err
		}
	}
	return nil
}

// checkObjectsAt reads what a commit's tree holds and base, the tree of one that was
// read, has not.
func (l *Ledger) checkObjectsAt(ctx context.Context, commit, tree, base gitstore.OID,
	seen map[gitstore.OID]bool,
) error {
	if err := l.checkTree(ctx, tree, base, "", seen); err != nil {
		return fmt.Errorf("%w, at commit %s", err, commit.Short())
	}
	return nil
}

// checkTree visits each tree once, however often it is there.
func (l *Ledger) checkTree(ctx context.Context, tree, base gitstore.OID, path string,
	seen map[gitstore.OID]bool,
) error {
	if tree == base || seen[tree] {
		return nil
	}
	if len(path) > maxPath {
		return fmt.Errorf("%.100q: %w", path, gitstore.ErrTooLarge)
	}
	entries, err := l.repo.Objects.Tree(ctx, tree)
	if err != nil {
		return err
	}
	have, err := l.entriesOf(ctx, base)
	if err != nil {
		return err
	}
	for _, e := range entries {
		switch old := have[e.Name]; {
		case old == e, seen[e.OID]:
			continue
		case e.Mode == gitstore.ModeDir && old.Mode == gitstore.ModeDir:
			err = l.checkTree(ctx, e.OID, old.OID, path+e.Name+"/", seen)
		case e.Mode == gitstore.ModeDir:
			err = l.checkTree(ctx, e.OID, gitstore.OID{}, path+e.Name+"/", seen)
		default:
			_, err = l.repo.Objects.Blob(ctx, e.OID)
		}
		if err != nil {
			return fmt.Errorf("%s%s: %w", path, e.Name, err)
		}
		seen[e.OID] = true
	}
	seen[tree] = true
	return nil
}

// entriesOf are those of a tree, by name; none of none.
func (l *Ledger) entriesOf(ctx context.Context, tree gitstore.OID) (map[string]gitstore.Entry, error) {
	if tree.IsZero() {
		return nil, nil
	}
	entries, err := l.repo.Objects.Tree(ctx, tree)
	if err != nil {
		return nil, err
	}
	have := make(map[string]gitstore.Entry, len(entries))
	for _, e := range entries {
		have[e.Name] = e
	}
	return have, nil
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
	steps, err := l.since(ctx, l.repo.Objects.UpTo(gitstore.MaxObjectSize), maxHistory, tip, known...)
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
		if err := l.checkObjectsAt(ctx, s.Commit, s.tree, gitstore.OID{}, seen); err != nil {
			return err
		}
	}
	return compareSteps(ctx, l, law, unlimited(), ourOwn, tip, steps)
}
