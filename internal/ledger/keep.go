package ledger

import (
	"context"
	"slices"

	"github.com/git-brew/git-brew/internal/gitstore"
)

// Keep stages that the user's commit stays reachable as long as the record id
// lives: a rebase and gc can't take the start of a phase away.
func (tx *Tx) Keep(ctx context.Context, id string, commit gitstore.OID) error {
	ref := KeepRef(id)
	tip, err := tx.Tip(ctx, ref)
	if err != nil {
		return err
	}
	var parents []gitstore.OID
	if !tip.IsZero() {
		c, err := tx.l.repo.Commit(ctx, tip)
		if staged, ok := tx.staged[tip]; ok {
			c, err = staged, nil
		}
		if err != nil {
			return err
		}
		parents = c.Parents
	}
	if slices.Contains(parents, commit) {
		return nil
	}
	next, err := tx.stage(ctx, tx.w.Tree(nil), "Commits that phases of "+id+" start from\n", append(slices.Clone(parents), commit)...)
	if err != nil {
		return err
	}
	return tx.Move(ctx, ref, next)
}
