package ledger

import (
	"context"
	"slices"

	"github.com/git-brew/git-brew/internal/gitstore"
)

// Keep stages that the user's commit stays reachable as long as the record id
// lives: a rebase and gc can't take the start of a phase away. Each commit of
// the chain keeps one, beside the commit before it in the chain.
func (tx *Tx) Keep(ctx context.Context, id string, commit gitstore.OID) error {
	ref := KeepRef(id)
	tip, err := tx.Tip(ctx, ref)
	if err != nil {
		return err
	}
	kept, err := tx.keeps(ctx, tip, commit)
	if err != nil || kept {
		return err
	}
	next, err := tx.Stage(ctx, tx.w.Tree(nil), "A commit of the user's that "+id+" refers to\n", tip, commit)
	if err != nil {
		return err
	}
	return tx.Move(ctx, ref, next)
}

// keeps looks for commit in the chain of kept ones: its first parents lead to
// the chain's start, which has only the commit that it keeps.
func (tx *Tx) keeps(ctx context.Context, tip, commit gitstore.OID) (bool, error) {
	for at := tip; !at.IsZero(); {
		c, staged := tx.staged[at]
		if !staged {
			var err error
			if c, err = tx.l.repo.Objects.Commit(ctx, at); err != nil {
				return false, err
			}
		}
		if slices.Contains(c.Parents, commit) {
			return true, nil
		}
		if len(c.Parents) < 2 {
			break
		}
		at = c.Parents[0]
	}
	return false, nil
}
