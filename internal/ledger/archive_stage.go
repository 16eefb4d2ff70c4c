package ledger

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"

	"github.com/git-brew/git-brew/internal/gitstore"
)

// maxParents bounds the parents of a commit in the archive: git has no limit,
// but whoever draws or walks a history is glad of one.
const maxParents = 100

// Archive stages that tasks go to the archive: their tips, and those of their
// locks, as the tasks' refs have them. Their refs, their locks' and what was
// kept for them are gone with that; branches that mean them here are forgotten
// first, since a symbolic ref to nothing makes git fsck fail. A task that was
// archived before, and went on, has all of both there.
func Archive[S any](ctx context.Context, tx *Tx, law Law[S], ids ...string) error {
	before, err := tx.Tip(ctx, ArchiveRef)
	if err != nil {
		return err
	}
	index, err := tx.archiveAt(ctx, before)
	if err != nil {
		return err
	}
	all := make([]Archived, 0, len(ids))
	var entries []Archived
	var tips []gitstore.OID
	for _, id := range ids {
		e := Archived{ID: id}
		if e.Tip, err = tx.Tip(ctx, TaskRef(id)); err != nil {
			return err
		}
		if e.Tip.IsZero() {
			return fmt.Errorf("archive %s: its ref is gone: %w", id, gitstore.ErrNotExist)
		}
		if e.Lock, err = tx.Tip(ctx, LockRef(id)); err != nil {
			return err
		}
		old, was, err := tx.archived(ctx, index, id)
		if err != nil {
			return err
		}
		if was {
			if e, err = join(ctx, tx, law, old, e); err != nil {
				return err
			}
		}
		all = append(all, e)
		if !was || !e.same(old) {
			entries = append(entries, e)
			tips = append(tips, e.Tip, e.Lock)
		}
	}
	if len(entries) > 0 {
		tree, err := tx.archiveTree(ctx, index.trees, entries)
		if err != nil {
			return err
		}
		who, err := tx.author(ctx)
		if err != nil {
			return err
		}
		who.When = tx.l.now()
		next := tx.stageTied(tree, archiveSubject(entries), who, []gitstore.OID{before}, tips)
		if err := tx.Move(ctx, ArchiveRef, next); err != nil {
			return err
		}
	}
	return tx.Retire(ctx, all...)
}

func archiveSubject(entries []Archived) string {
	if len(entries) == 1 {
		return "archive: " + entries[0].ID + "\n"
	}
	text := fmt.Sprintf("archive: %d tasks\n\n", len(entries))
	for _, e := range entries {
		text += e.ID + "\n"
	}
	return text
}

// archiveTree is the archive's tree with some entries changed or added.
func (tx *Tx) archiveTree(ctx context.Context, trees map[string]gitstore.OID, changed []Archived) (gitstore.OID, error) {
	all := maps.Clone(trees)
	if all == nil {
		all = map[string]gitstore.OID{}
	}
	for _, e := range changed {
		tree, err := tx.archivedTree(ctx, e)
		if err != nil {
			return tree, err
		}
		all[e.ID] = tree
	}
	list := make([]gitstore.Entry, 0, len(all))
	for _, id := range slices.Sorted(maps.Keys(all)) {
		list = append(list, gitstore.Entry{Name: id, Mode: gitstore.ModeDir, OID: all[id]})
	}
	made := tx.w.Tree(list)
	tx.trees[made] = list
	return made, nil
}

// archivedTree is the tree of one archived task: that of its tip, and the file
// that names it.
func (tx *Tx) archivedTree(ctx context.Context, e Archived) (gitstore.OID, error) {
	if !e.tree.IsZero() {
		return e.tree, nil
	}
	entries, err := tx.Tree(ctx, e.Tip)
	if err != nil {
		return gitstore.OID{}, fmt.Errorf("archive %s: %w", e.ID, err)
	}
	list := append(slices.Clone(entries), gitstore.Entry{Name: archiveFile, Mode: gitstore.ModeFile, OID: tx.Blob(e.encode())})
	made := tx.w.Tree(list)
	tx.trees[made] = list
	return made, nil
}

// stageTied stages a commit of the archive that leads to tips, behind the
// parents it goes on from. Where they are many, commits in between hold them
// together, which have no files.
func (tx *Tx) stageTied(tree gitstore.OID, message string, who gitstore.Signature, parents, tips []gitstore.OID) gitstore.OID {
	tips = slices.DeleteFunc(slices.Clone(tips), gitstore.OID.IsZero)
	for len(tips) > maxParents-len(parents) {
		var tied []gitstore.OID
		for part := range slices.Chunk(tips, maxParents) {
			tied = append(tied, tx.StageBy(who, tx.w.Tree(nil), "archive: holds histories together\n", part))
		}
		tips = tied
	}
	parents = slices.DeleteFunc(slices.Clone(parents), gitstore.OID.IsZero)
	return tx.StageBy(who, tree, message, append(parents, tips...))
}

// StageBy adds a commit in the name of who, at that time.
func (tx *Tx) StageBy(who gitstore.Signature, tree gitstore.OID, message string, parents []gitstore.OID) gitstore.OID {
	c := gitstore.Commit{Tree: tree, Parents: parents, Author: who, Committer: who, Message: message}
	oid := tx.w.Commit(c)
	tx.staged[oid] = c
	return oid
}

// Retire stages that the refs of tasks in the archive are gone, and what was
// kept for them. The ref of a lock goes where the archive has what it had; one
// that went on since stays, for whoever took it. Branches stop to mean the tasks
// right before that.
func (tx *Tx) Retire(ctx context.Context, entries ...Archived) error {
	if len(entries) == 0 {
		return nil
	}
	gone := make(map[string]bool, len(entries))
	for _, e := range entries {
		gone[e.ID] = true
		refs := []gitstore.RefName{TaskRef(e.ID), KeepRef(e.ID)}
		if known, err := tx.hasLockOf(ctx, e); err != nil {
			return err
		} else if known {
			refs = append(refs, LockRef(e.ID))
		}
		for _, ref := range refs {
			if err := tx.Move(ctx, ref, gitstore.OID{}); err != nil {
				return err
			}
			tx.After(func(context.Context) { tx.l.forget(ref) })
		}
	}
	tx.unclaimBefore(gone)
	return nil
}

// unclaimBefore has branches stop to mean tasks right before the refs move.
func (tx *Tx) unclaimBefore(gone map[string]bool) {
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

// hasLockOf reports whether the archive's entry has all that the ref of the
// task's lock has. Of what can't be read nobody knows.
func (tx *Tx) hasLockOf(ctx context.Context, e Archived) (bool, error) {
	tip, err := tx.Tip(ctx, LockRef(e.ID))
	known := false
	if err == nil {
		known, err = tx.l.HasLock(ctx, e, tip)
	}
	if _, broken := errors.AsType[*gitstore.BrokenRefError](err); broken || Damaged(err) {
		return false, nil
	}
	return known, err
}

// HasLock reports whether an archived task's lock is, or goes on from, the one at
// a tip; zero: none, which every lock goes on from.
func (l *Ledger) HasLock(ctx context.Context, e Archived, tip gitstore.OID) (bool, error) {
	if e.Lock.IsZero() || tip.IsZero() || tip == e.Lock {
		return tip.IsZero() || tip == e.Lock, nil
	}
	return l.repo.History.IsAncestor(ctx, tip, e.Lock)
}

// forget removes the snapshot of a ref that is gone.
func (l *Ledger) forget(ref gitstore.RefName) {
	delete(l.briefs, ref)
	_ = os.Remove(l.snapshotPath(ref)) // a cache: what is left over costs nothing
}

// Wake stages that an archived task has its refs again, to be changed: the
// archive keeps what it has. False: it is not in the archive.
func (tx *Tx) Wake(ctx context.Context, id string) (Archived, bool, error) {
	e, ok, err := tx.Archived(ctx, id)
	if err != nil || !ok {
		return e, false, err
	}
	if err := tx.Move(ctx, TaskRef(id), e.Tip); err != nil {
		return e, false, err
	}
	lock, err := tx.Tip(ctx, LockRef(id))
	if err != nil || !lock.IsZero() || e.Lock.IsZero() {
		return e, true, err
	}
	return e, true, tx.Move(ctx, LockRef(id), e.Lock)
}
