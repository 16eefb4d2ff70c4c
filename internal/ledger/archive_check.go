package ledger

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/git-brew/git-brew/internal/gitstore"
)

// Contains reports whether the record at in has all operations of the one at
// tip. Of a history that a shallow clone has only a part of, it sees no more
// than which commits follow from which.
func (l *Ledger) Contains(ctx context.Context, in, tip gitstore.OID) (bool, error) {
	if follows, err := l.repo.History.IsAncestor(ctx, tip, in); err != nil || follows {
		return follows, err
	}
	steps, err := l.complete(ctx, in)
	if err != nil {
		return false, unless(err, ErrShallow)
	}
	all := operations(steps)
	if steps, err = l.complete(ctx, tip); err != nil {
		return false, unless(err, ErrShallow)
	}
	return contains(all, operations(steps)), nil
}

// unless is the error, none where it is that one.
func unless(err, that error) error {
	if errors.Is(err, that) {
		return nil
	}
	return err
}

// maxArchiveTree bounds the tree of an archive, in bytes: two hundred thousand
// tasks.
const maxArchiveTree = 16 << 20

// AcceptArchive checks an archive that a stranger sent, as far as it is not
// ours: directories alone, each the tree of a task's tip with the file that
// names it, histories that the archive itself leads to, and commits of its own
// that are made as records' are. What goes on from ours must have all that ours
// has. Accept decides about each task that ours has not like this: the zero
// entry where it has not got it at all. Of no history more is read than its tip
// before that.
func (l *Ledger) AcceptArchive(ctx context.Context, ours, theirs gitstore.OID, accept func(ctx context.Context, ours, theirs Archived) error) error {
	tx := newTx(ctx, l)
	mine, err := tx.archiveAt(ctx, ours)
	if err != nil {
		return err
	}
	other, err := tx.strangersArchive(ctx, theirs)
	if err != nil {
		return Unsound(ctx, theirs, err)
	}
	goesOn, err := l.goesOn(ctx, mine, other)
	if err != nil {
		return err
	}
	var fresh []Archived
	for _, id := range other.ids() {
		if mine.trees[id] == other.trees[id] {
			continue
		}
		e, err := tx.soundly(ctx, id, other.trees[id])
		if err != nil {
			return archivedError(id, err)
		}
		fresh = append(fresh, e)
	}
	apart, err := l.Unreached(ctx, tipsOf(fresh), theirs)
	if err != nil {
		return err
	}
	for _, e := range fresh {
		if apart[e.Tip] || apart[e.Lock] {
			return archivedError(e.ID, fmt.Errorf("%w: its history is not in there", ErrArchive))
		}
	}
	if err := l.acceptTies(ctx, theirs, append(tipsOf(fresh), ours)); err != nil {
		return err
	}
	for _, e := range fresh {
		old, was, err := tx.archived(ctx, mine, e.ID)
		if err != nil {
			return err
		}
		err = accept(ctx, old, e)
		if err == nil && was && goesOn {
			err = l.keeps(ctx, old, e)
		}
		if err != nil {
			return archivedError(e.ID, err)
		}
	}
	return nil
}

// strangersArchive is archiveAt within limits.
func (tx *Tx) strangersArchive(ctx context.Context, tip gitstore.OID) (archiveIndex, error) {
	if tip.IsZero() {
		return archiveIndex{}, nil
	}
	c, err := tx.l.repo.Objects.UpTo(tx.l.limits.commit).Commit(ctx, tip)
	if err != nil {
		return archiveIndex{}, err
	}
	if tx.trees[tip], err = tx.l.repo.Objects.UpTo(maxArchiveTree).Tree(ctx, c.Tree); err != nil {
		return archiveIndex{}, err
	}
	return tx.archiveAt(ctx, tip)
}

// acceptTies looks at the commits that lead to an archive and to none of the
// known ones, the tips in it among them: its own, which tie it together.
func (l *Ledger) acceptTies(ctx context.Context, archive gitstore.OID, known []gitstore.OID) error {
	steps, err := l.since(ctx, l.repo.Objects.UpTo(l.limits.commit), l.limits.commits, archive, known...)
	if err != nil {
		return Unsound(ctx, archive, err)
	}
	for _, s := range steps {
		if why := commitFault(*s.made); why != "" {
			return &UnsoundError{Commit: s.Commit, Why: why}
		}
	}
	return nil
}

func archivedError(id string, err error) error {
	return fmt.Errorf("archived task %.100q: %w", id, err)
}

// goesOn reports whether an archive goes on from ours, and refuses one that does
// and lacks a task of it.
func (l *Ledger) goesOn(ctx context.Context, mine, other archiveIndex) (bool, error) {
	if mine.tip.IsZero() {
		return false, nil
	}
	if follows, err := l.repo.History.IsAncestor(ctx, mine.tip, other.tip); err != nil || !follows {
		return false, err
	}
	for _, id := range mine.ids() {
		if _, there := other.trees[id]; !there {
			return true, archivedError(id, fmt.Errorf("%w: it was taken away", ErrArchive))
		}
	}
	return true, nil
}

// keeps refuses an entry that has not all of the one before it.
func (l *Ledger) keeps(ctx context.Context, old, now Archived) error {
	has, err := l.Contains(ctx, now.Tip, old.Tip)
	if err == nil && !has {
		err = fmt.Errorf("%w: a part of its history was taken away", ErrArchive)
	}
	return err
}

// soundly reads an entry, and compares its tree with what its tip makes of it.
func (tx *Tx) soundly(ctx context.Context, id string, tree gitstore.OID) (Archived, error) {
	commits, trees := tx.l.repo.Objects.UpTo(tx.l.limits.commit), tx.l.repo.Objects.UpTo(tx.l.limits.tree)
	have, err := trees.Tree(ctx, tree)
	if err != nil {
		return Archived{ID: id}, err
	}
	tx.trees[tree] = have
	e, err := tx.archivedIn(ctx, id, tree)
	if err != nil {
		return e, err
	}
	c, err := commits.Commit(ctx, e.Tip)
	if err != nil {
		return e, err
	}
	if !e.Lock.IsZero() {
		if _, err := commits.Commit(ctx, e.Lock); err != nil {
			return e, fmt.Errorf("its lock: %w", err)
		}
	}
	want, err := trees.Tree(ctx, c.Tree)
	if err != nil {
		return e, err
	}
	have = slices.DeleteFunc(slices.Clone(have), func(e gitstore.Entry) bool { return e.Name == archiveFile })
	if !slices.Equal(have, want) {
		return e, fmt.Errorf("%w: its files are not those of its tip", ErrArchive)
	}
	return e, nil
}

func tipsOf(entries []Archived) []gitstore.OID {
	tips := make([]gitstore.OID, 0, 2*len(entries))
	for _, e := range entries {
		tips = append(tips, e.Tip)
		if !e.Lock.IsZero() {
			tips = append(tips, e.Lock)
		}
	}
	return tips
}

// Unreached are those of many commits that no history leads to from others. It
// is a process or two, however many they are.
func (l *Ledger) Unreached(ctx context.Context, tips []gitstore.OID, from ...gitstore.OID) (map[gitstore.OID]bool, error) {
	if len(tips) == 0 {
		return nil, nil
	}
	apart, err := l.repo.History.Outside(ctx, tips, from)
	if err != nil {
		return nil, fmt.Errorf("compare histories: %w", err)
	}
	return apart, nil
}

// VerifyArchive reads the archive at tip, every object that it leads to, and
// verifies each task as Verify does. Broken is told what is wrong with which
// task; the error is one of the archive as a whole.
func VerifyArchive[S any](ctx context.Context, l *Ledger, law Law[S], tip gitstore.OID, broken func(id string, err error)) error {
	tx := newTx(ctx, l)
	index, err := tx.archiveAt(ctx, tip)
	if err != nil {
		return err
	}
	var sound []Archived
	for _, id := range index.ids() {
		e, err := tx.soundly(ctx, id, index.trees[id])
		if err != nil {
			broken(id, err)
			continue
		}
		sound = append(sound, e)
	}
	apart, err := l.Unreached(ctx, tipsOf(sound), tip)
	if err != nil {
		return err
	}
	for _, e := range sound {
		err := Verify(ctx, l, law, e.Tip)
		if err == nil && !e.Lock.IsZero() {
			err = l.CheckObjects(ctx, e.Lock, map[gitstore.OID]bool{})
		}
		if err == nil && (apart[e.Tip] || apart[e.Lock]) {
			err = fmt.Errorf("%w: its history is not in there", ErrArchive)
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
