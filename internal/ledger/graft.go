package ledger

import (
	"context"

	"github.com/git-brew/git-brew/internal/gitstore"
)

// Graft stages that the record at ref, as it is, goes on from another history:
// its tree in a commit on top of that. What it was before is not below it any
// more.
func (tx *Tx) Graft(ctx context.Context, ref gitstore.RefName, onto gitstore.OID, message string) (gitstore.OID,
	error,
) {
	tip, err := tx.Tip(ctx, ref)
	if err != nil {
		return tip, err
	}
	tree, err := tx.edit(ctx, tip, nil)
	if err != nil {
		return tip, err
	}
	next, err := tx.Stage(ctx, tree, message, onto)
	if err != nil {
		return tip, err
	}
	return next, tx.Move(ctx, ref, next)
}
