package archive

import (
	"context"
	"maps"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/ledger"
)

// Purge begins the archive anew without a task.
func Purge(ctx context.Context, tx *ledger.Tx, id string) (archived bool, err error) {
	index, err := current(ctx, tx)
	if _, archived = index.trees[id]; err != nil || !archived {
		return false, err
	}
	left := maps.Clone(index.trees)
	delete(left, id)
	if len(left) == 0 {
		return true, tx.Move(ctx, ledger.ArchiveRef, gitstore.OID{})
	}
	var tips []gitstore.OID
	for id, tree := range left {
		e, err := read(ctx, tx, id, tree)
		if err != nil {
			return true, err
		}
		tips = append(tips, e.Tip, e.Lock)
	}
	tree, err := makeTree(ctx, tx, left, nil)
	if err != nil {
		return true, err
	}
	who, err := tx.Author(ctx)
	if err != nil {
		return true, err
	}
	return true, tx.Move(ctx, ledger.ArchiveRef, stageTied(tx, tree, "archive: begun anew\n", who, nil, tips))
}
