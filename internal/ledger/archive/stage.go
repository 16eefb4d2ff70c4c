package archive

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/ledger"
)

// maxParents bounds the parents of a commit in the archive: git has no limit,
// but whoever draws or walks a history is glad of one.
const maxParents = 100

// Add stages that tasks go to the archive: their tips, and those of their
// locks, as the tasks' refs have them. Their refs, their locks' and what was
// kept for them are gone with that; branches that mean them here are forgotten
// first, since a symbolic ref to nothing makes git fsck fail. A task that was
// archived before, and went on, has all of both there.
func Add[S any](ctx context.Context, tx *ledger.Tx, law ledger.Law[S], ids ...string) error {
	tip, err := tx.Tip(ctx, ledger.ArchiveRef)
	if err != nil {
		return err
	}
	trees, err := at(ctx, tx, tip)
	if err != nil {
		return err
	}
	all := make([]Entry, 0, len(ids))
	var entries []Entry
	var tips []gitstore.OID
	for _, id := range ids {
		e := Entry{ID: id}
		if e.Tip, err = tx.Tip(ctx, ledger.TaskRef(id)); err != nil {
			return err
		}
		if e.Tip.IsZero() {
			return fmt.Errorf("archive %s: its ref is gone: %w", id, gitstore.ErrNotExist)
		}
		if e.Lock, err = tx.Tip(ctx, ledger.LockRef(id)); err != nil {
			return err
		}
		old, was, err := find(ctx, tx, trees, id)
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
		tree, err := makeTree(ctx, tx, trees, entries)
		if err != nil {
			return err
		}
		who, err := tx.Author(ctx)
		if err != nil {
			return err
		}
		next := stageTied(tx, tree, archiveSubject(entries), who, []gitstore.OID{tip}, tips)
		if err := tx.Move(ctx, ledger.ArchiveRef, next); err != nil {
			return err
		}
	}
	return Retire(ctx, tx, all...)
}

func archiveSubject(entries []Entry) string {
	if len(entries) == 1 {
		return "archive: " + entries[0].ID + "\n"
	}
	text := fmt.Sprintf("archive: %d tasks\n\n", len(entries))
	for _, e := range entries {
		text += e.ID + "\n"
	}
	return text
}

// makeTree stages the archive's tree with some entries changed or added.
func makeTree(ctx context.Context, tx *ledger.Tx, trees map[string]gitstore.OID,
	changed []Entry,
) (gitstore.OID, error) {
	all := maps.Clone(trees)
	if all == nil {
		all = map[string]gitstore.OID{}
	}
	for _, e := range changed {
		tree, err := makeEntry(ctx, tx, e)
		if err != nil {
			return tree, err
		}
		all[e.ID] = tree
	}
	list := make([]gitstore.Entry, 0, len(all))
	for _, id := range idsOf(all) {
		list = append(list, gitstore.Entry{Name: id, Mode: gitstore.ModeDir, OID: all[id]})
	}
	return tx.Writer().Tree(list), nil
}

// makeEntry stages the tree of one archived task: that of its tip, and the file
// that names it.
func makeEntry(ctx context.Context, tx *ledger.Tx, e Entry) (gitstore.OID, error) {
	if !e.tree.IsZero() {
		return e.tree, nil
	}
	entries, err := tx.Tree(ctx, e.Tip)
	if err != nil {
		return gitstore.OID{}, fmt.Errorf("archive %s: %w", e.ID, err)
	}
	list := append(slices.Clone(entries), gitstore.Entry{
		Name: archiveFile, Mode: gitstore.ModeFile,
		OID: tx.Blob(e.encode()),
	})
	return tx.Writer().Tree(list), nil
}

// stageTied stages a commit of the archive that leads to tips, behind the
// parents it goes on from. Where they are many, commits in between hold them
// together, which have no files.
func stageTied(tx *ledger.Tx, tree gitstore.OID, message string, who gitstore.Signature, parents,
	tips []gitstore.OID,
) gitstore.OID {
	tips = slices.DeleteFunc(slices.Clone(tips), gitstore.OID.IsZero)
	for len(tips) > maxParents-len(parents) {
		var tied []gitstore.OID
		for part := range slices.Chunk(tips, maxParents) {
			tied = append(tied, tx.StageBy(who, tx.Writer().Tree(nil), "archive: holds histories together\n", part))
		}
		tips = tied
	}
	parents = slices.DeleteFunc(slices.Clone(parents), gitstore.OID.IsZero)
	return tx.StageBy(who, tree, message, append(parents, tips...))
}

// Retire stages that the refs of tasks in the archive are gone, and what was
// kept for them. The ref of a lock goes where the archive has what it had; one
// that went on since stays, for whoever took it. Branches stop to mean the tasks
// right before that.
func Retire(ctx context.Context, tx *ledger.Tx, entries ...Entry) error {
	if len(entries) == 0 {
		return nil
	}
	gone := make(map[string]bool, len(entries))
	for _, e := range entries {
		gone[e.ID] = true
		refs := []gitstore.RefName{ledger.TaskRef(e.ID), ledger.KeepRef(e.ID)}
		if known, err := hasLockOf(ctx, tx, e); err != nil {
			return err
		} else if known {
			refs = append(refs, ledger.LockRef(e.ID))
		}
		for _, ref := range refs {
			if err := tx.Drop(ctx, ref); err != nil {
				return err
			}
		}
	}
	tx.UnbindBranches(gone)
	return nil
}

// hasLockOf reports whether the archive's entry has all that the ref of the
// task's lock has. Of what can't be read nobody knows.
func hasLockOf(ctx context.Context, tx *ledger.Tx, e Entry) (bool, error) {
	tip, err := tx.Tip(ctx, ledger.LockRef(e.ID))
	known := false
	if err == nil && !tx.Staged(tip) { // what this change made goes on
		known, err = HasLock(ctx, tx.Ledger(), e, tip)
	}
	if _, broken := errors.AsType[*gitstore.BrokenRefError](err); broken || ledger.Damaged(err) {
		return false, nil
	}
	return known, err
}

// HasLock reports whether an archived task's lock is, or goes on from, the one at
// a tip; zero: none, which every lock goes on from.
func HasLock(ctx context.Context, l *ledger.Ledger, e Entry, tip gitstore.OID) (bool, error) {
	if e.Lock.IsZero() || tip.IsZero() || tip == e.Lock {
		return tip.IsZero() || tip == e.Lock, nil
	}
	return l.Repo().History.IsAncestor(ctx, tip, e.Lock)
}

// Restore stages that an archived task has its refs again, to be changed: the
// archive keeps what it has. False: it is not in the archive.
func Restore(ctx context.Context, tx *ledger.Tx, id string) (Entry, bool, error) {
	e, ok, err := Find(ctx, tx, id)
	if err != nil || !ok {
		return e, false, err
	}
	if err := tx.Move(ctx, ledger.TaskRef(id), e.Tip); err != nil {
		return e, false, err
	}
	lock, err := tx.Tip(ctx, ledger.LockRef(id))
	if err != nil || !lock.IsZero() || e.Lock.IsZero() {
		return e, true, err
	}
	return e, true, tx.Move(ctx, ledger.LockRef(id), e.Lock)
}

// Purge begins the archive anew without a task.
func Purge(ctx context.Context, tx *ledger.Tx, id string) (archived bool, err error) {
	trees, err := current(ctx, tx)
	if _, archived = trees[id]; err != nil || !archived {
		return false, err
	}
	left := maps.Clone(trees)
	delete(left, id)
	if len(left) == 0 {
		return true, tx.Move(ctx, ledger.ArchiveRef, gitstore.OID{})
	}
	var tips []gitstore.OID
	for id := range left {
		e, _, err := find(ctx, tx, left, id)
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
