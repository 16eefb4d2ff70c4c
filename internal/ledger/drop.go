package ledger

import (
	"context"

	"github.com/git-brew/git-brew/internal/gitstore"
)

// Purge stages that no ref here leads to a task any more, where the notes and the
// archive, if it was in that, began anew without it: their histories led to it. Its
// own refs and those that track it go, and what tracks these; branches stop to mean
// it. It returns the refs that are gone.
func (tx *Tx) Purge(ctx context.Context, id string, archived bool) (gone []gitstore.RefName, err error) {
	seen, err := tx.l.repo.Refs.Names(ctx, AllTracking)
	if err != nil {
		return nil, err
	}
	refs := []gitstore.RefName{TaskRef(id), LockRef(id), KeepRef(id)}
	for _, tracking := range seen {
		switch of, ok := TrackedOnce(tracking); {
		case !ok:
		case of == TaskRef(id), of == LockRef(id), of == NotesRef, archived && of == ArchiveRef:
			refs = append(refs, tracking)
		}
	}
	for _, ref := range refs {
		switch tip, err := tx.Tip(ctx, ref); {
		case err != nil:
			return nil, err
		case tip.IsZero():
			continue
		}
		if err := tx.Drop(ctx, ref); err != nil {
			return nil, err
		}
		gone = append(gone, ref)
	}
	tx.Unclaim(map[string]bool{id: true})
	return gone, nil
}

// Drop stages that a ref is gone, and what is cached of it.
func (tx *Tx) Drop(ctx context.Context, ref gitstore.RefName) error {
	if err := tx.Move(ctx, ref, gitstore.OID{}); err != nil {
		return err
	}
	tx.After(func(context.Context) { _ = tx.l.Cache.Drop(ref) }) // what is left over costs nothing
	return nil
}

// Unclaim has branches stop to mean tasks right before the refs move.
func (tx *Tx) Unclaim(gone map[string]bool) {
	tx.before = append(tx.before, func(ctx context.Context) error {
		for branch, id := range tx.l.Claims(ctx) {
			if gone[id] {
				if err := tx.l.Unclaim(ctx, branch); err != nil {
					return err
				}
			}
		}
		return nil
	})
}
