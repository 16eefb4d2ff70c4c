package archive

import (
	"context"
	"fmt"
	"slices"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/ledger"
)

// Accept checks an archive that a stranger sent, as far as it is not
// ours: directories alone, each the tree of a task's tip with the file that
// names it, histories that the archive itself leads to, and commits of its own
// that are made as records' are. What goes on from ours must have all that ours
// has. Accept decides about each task that ours has not like this: the zero
// entry where it has not got it at all. Of no history more is read than its tip
// before that.
func Accept(ctx context.Context, l *ledger.Ledger, ours, theirs gitstore.OID,
	accept func(ctx context.Context, ours, theirs Entry) error,
) error {
	tx := l.Reading(ctx)
	mine, err := at(ctx, tx, ours)
	if err != nil {
		return err
	}
	other, err := at(ctx, tx, theirs)
	if err != nil {
		return ledger.Unsound(ctx, theirs, err)
	}
	goesOn := false
	if !ours.IsZero() {
		if goesOn, err = l.Repo().History.IsAncestor(ctx, ours, theirs); err != nil {
			return err
		}
	}
	for _, id := range idsOf(mine) {
		if _, there := other[id]; goesOn && !there {
			return archivedError(id, fmt.Errorf("%w: it was taken away", ErrArchive))
		}
	}
	fresh, err := sound(ctx, tx, theirs, other, mine, archivedError)
	if err != nil {
		return err
	}
	if err := l.AcceptCommits(ctx, theirs, append(tipsOf(fresh), ours)...); err != nil {
		return err
	}
	for _, e := range fresh {
		old, was, err := find(ctx, tx, mine, e.ID)
		if err != nil {
			return err
		}
		has := true
		if err = accept(ctx, old, e); err == nil && was && goesOn {
			has, err = l.Contains(ctx, e.Tip, old.Tip)
		}
		if err == nil && !has {
			err = fmt.Errorf("%w: a part of its history was taken away", ErrArchive)
		}
		if err != nil {
			return archivedError(e.ID, err)
		}
	}
	return nil
}

func archivedError(id string, err error) error {
	return fmt.Errorf("archived task %.100q: %w", id, err)
}

// sound reads the entries of an archive at a tip, but for those that are the same in
// another: each must be what its tip makes of it, and its histories in there. Broken is
// told what is wrong with which task, and says with an error that this is enough.
func sound(ctx context.Context, tx *ledger.Tx, tip gitstore.OID, trees, but map[string]gitstore.OID,
	broken func(id string, err error) error,
) ([]Entry, error) {
	var all []Entry
	for _, id := range idsOf(trees) {
		if trees[id] == but[id] {
			continue
		}
		e, err := soundly(ctx, tx, id, trees[id])
		if err == nil {
			all = append(all, e)
		} else if err := broken(id, err); err != nil {
			return nil, err
		}
	}
	apart, err := tx.Ledger().Repo().History.Outside(ctx, tipsOf(all), []gitstore.OID{tip})
	if err != nil {
		return nil, err
	}
	for _, e := range all {
		if apart[e.Tip] || apart[e.Lock] {
			if err := broken(e.ID, fmt.Errorf("%w: its history is not in there", ErrArchive)); err != nil {
				return nil, err
			}
		}
	}
	return all, nil
}

// soundly reads an entry, and compares its tree with what its tip makes of it.
func soundly(ctx context.Context, tx *ledger.Tx, id string, tree gitstore.OID) (Entry, error) {
	e, err := read(ctx, tx, id, tree)
	if err != nil {
		return e, err
	}
	if !e.Lock.IsZero() {
		if _, err := tx.Ledger().Repo().Objects.Commit(ctx, e.Lock); err != nil {
			return e, fmt.Errorf("its lock: %w", err)
		}
	}
	c, err := tx.Ledger().Repo().Objects.Commit(ctx, e.Tip)
	if err != nil {
		return e, err
	}
	have, err := tx.Tree(ctx, tree)
	if err != nil {
		return e, err
	}
	want, err := tx.Tree(ctx, c.Tree)
	if err != nil {
		return e, err
	}
	have = slices.DeleteFunc(slices.Clone(have), func(e gitstore.Entry) bool { return e.Name == archiveFile })
	if !slices.Equal(have, want) {
		return e, fmt.Errorf("%w: its files are not those of its tip", ErrArchive)
	}
	return e, nil
}

func tipsOf(entries []Entry) []gitstore.OID {
	tips := make([]gitstore.OID, 0, 2*len(entries))
	for _, e := range entries {
		tips = append(tips, e.Tip)
		if !e.Lock.IsZero() {
			tips = append(tips, e.Lock)
		}
	}
	return tips
}

// Verify reads the archive at tip, every object that it leads to, and
// verifies each task as Verify does. Broken is told what is wrong with which
// task; the error is one of the archive as a whole.
func Verify[S any](ctx context.Context, l *ledger.Ledger, law ledger.Law[S], tip gitstore.OID,
	broken func(id string, err error),
) error {
	tx := l.Reading(ctx)
	trees, err := at(ctx, tx, tip)
	if err != nil {
		return err
	}
	all, err := sound(ctx, tx, tip, trees, nil, func(id string, err error) error {
		broken(id, err)
		return nil
	})
	if err != nil {
		return err
	}
	for _, e := range all {
		err := ledger.Verify(ctx, l, law, e.Tip)
		if err == nil && !e.Lock.IsZero() {
			err = l.CheckObjects(ctx, e.Lock)
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if err != nil {
			broken(e.ID, err)
		}
	}
	return nil
}
