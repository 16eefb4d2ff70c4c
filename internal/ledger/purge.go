package ledger

import (
	"context"
	"maps"

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
		if err := tx.Move(ctx, ref, gitstore.OID{}); err != nil {
			return nil, err
		}
		tx.After(func(context.Context) { tx.l.forget(ref) })
		gone = append(gone, ref)
	}
	tx.unclaimBefore(map[string]bool{id: true})
	return gone, nil
}

// PurgeArchive begins the archive anew without a task.
func (tx *Tx) PurgeArchive(ctx context.Context, id string) (archived bool, err error) {
	before, err := tx.Tip(ctx, ArchiveRef)
	if err != nil {
		return false, err
	}
	index, err := tx.archiveAt(ctx, before)
	if _, archived = index.trees[id]; err != nil || !archived {
		return false, err
	}
	left := maps.Clone(index.trees)
	delete(left, id)
	if len(left) == 0 {
		return true, tx.Move(ctx, ArchiveRef, gitstore.OID{})
	}
	var tips []gitstore.OID
	for id, tree := range left {
		e, err := tx.archivedIn(ctx, id, tree)
		if err != nil {
			return true, err
		}
		tips = append(tips, e.Tip, e.Lock)
	}
	tree, err := tx.archiveTree(ctx, left, nil)
	if err != nil {
		return true, err
	}
	who, err := tx.author(ctx)
	if err != nil {
		return true, err
	}
	who.When = tx.l.now()
	return true, tx.Move(ctx, ArchiveRef, tx.stageTied(tree, "archive: begun anew\n", who, nil, tips))
}
