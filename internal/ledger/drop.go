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
