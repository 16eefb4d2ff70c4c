package ledger

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/gitstore"
)

// Purge stages that no ref here leads to a task any more: its own refs and those
// that track it go, and branches stop to mean it. The notes and the archive, where
// it is in that, begin anew without it, since their histories lead to it; what
// tracks these goes, too. It returns the refs that led to it.
func (tx *Tx) Purge(ctx context.Context, id string) (gone []gitstore.RefName, err error) {
	archived, err := tx.purgeArchive(ctx, id)
	if err != nil {
		return nil, err
	}
	noted, err := tx.purgeNotes(ctx, id)
	if err != nil {
		return nil, err
	}
	seen, err := tx.l.repo.Refs.Names(ctx, AllTracking)
	if err != nil {
		return nil, err
	}
	if archived {
		gone = append(gone, ArchiveRef)
	}
	if noted {
		gone = append(gone, NotesRef)
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

// purgeArchive begins the archive anew without a task.
func (tx *Tx) purgeArchive(ctx context.Context, id string) (archived bool, err error) {
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

// purgeNotes begins the notes anew without the lines of a task; false: there are none.
func (tx *Tx) purgeNotes(ctx context.Context, id string) (bool, error) {
	tip, err := tx.Tip(ctx, NotesRef)
	if err != nil || tip.IsZero() {
		return false, err
	}
	notes, err := tx.notesAt(ctx, tip)
	if err != nil {
		return false, err
	}
	left := make(map[gitstore.OID]gitstore.OID, len(notes))
	for on, blob := range notes {
		text, err := tx.blob(ctx, blob)
		if err != nil {
			return false, err
		}
		lines := slices.DeleteFunc(noteLines(text), func(line string) bool { return strings.HasPrefix(line, id+": ") })
		if len(lines) > 0 {
			left[on] = tx.Blob(noteText(lines))
		}
	}
	tree, err := tx.noteTree(left)
	if err != nil {
		return false, err
	}
	next, err := tx.stage(ctx, tree, "Notes begun anew by 'git brew'\n")
	if err != nil {
		return false, err
	}
	return true, tx.Move(ctx, NotesRef, next)
}
