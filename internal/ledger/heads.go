package ledger

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/gitstore"
)

// BindBranch makes branch mean the task id here. The task's ref must exist: a
// symbolic ref to nothing makes git fsck fail.
func (l *Ledger) BindBranch(ctx context.Context, branch, id string) error {
	ref, err := HeadRef(branch)
	if err != nil {
		return err
	}
	if have, err := l.repo.Refs.Symbolic(ref); l.DryRun || err == nil && have == TaskRef(id) {
		return nil
	}
	err = l.repo.Refs.SetSymbolic(ctx, ref, TaskRef(id))
	if err != nil && l.clearWay(ctx, branch) {
		err = l.repo.Refs.SetSymbolic(ctx, ref, TaskRef(id))
	}
	if err != nil {
		return fmt.Errorf("record the task of branch %s: %w", branch, err)
	}
	return nil
}

// clearWay unbinds branches that are gone and whose names are a
// directory of branch's, or the other way round: git lets no such pair of refs
// be. It reports whether there were any.
func (l *Ledger) clearWay(ctx context.Context, branch string) (cleared bool) {
	for bound := range l.BoundBranches(ctx) {
		if !strings.HasPrefix(branch, bound+"/") && !strings.HasPrefix(bound, branch+"/") {
			continue
		}
		if exists, err := l.repo.Branches.Exists(ctx, bound); err != nil || exists {
			continue
		}
		cleared = l.UnbindBranch(ctx, bound) == nil || cleared
	}
	return cleared
}

// UnbindBranch takes back what branch means here. It goes before the task's ref.
func (l *Ledger) UnbindBranch(ctx context.Context, branch string) error {
	ref, err := HeadRef(branch)
	if err != nil {
		return err
	}
	if _, err := l.repo.Refs.Symbolic(ref); l.DryRun || errors.Is(err, gitstore.ErrNotExist) {
		return nil
	}
	return l.repo.Refs.DeleteSymbolic(ctx, ref)
}

// TaskOfBranch returns the id of the task that branch means here; empty where
// nothing is recorded, or what is recorded is gone.
func (l *Ledger) TaskOfBranch(branch string) (string, error) {
	ref, err := HeadRef(branch)
	if err != nil {
		return "", nil //nolint:nilerr // a branch that can't be bound is not
	}
	target, err := l.repo.Refs.Symbolic(ref)
	if errors.Is(err, gitstore.ErrNotExist) {
		return "", nil
	}
	id, ok := TaskOf(target)
	if err != nil || !ok || !l.HasTask(context.Background(), id) {
		return "", err
	}
	return id, nil
}

// HasTask reports whether there is a ref of the task id. One that can't be read
// is there.
func (l *Ledger) HasTask(ctx context.Context, id string) bool {
	tip, err := l.Tip(ctx, TaskRef(id))
	return err != nil || !tip.IsZero()
}

// BoundBranches returns what is recorded of branches here, by the branch's short name,
// whether or not the task still exists.
func (l *Ledger) BoundBranches(ctx context.Context) map[string]string {
	bound := map[string]string{}
	refs, err := l.repo.Refs.List(ctx, headsPrefix)
	if err != nil {
		return bound // what can't be read means nothing
	}
	for _, r := range refs {
		if id, ok := TaskOf(r.Symbolic); ok {
			bound[strings.TrimPrefix(string(r.Name), headsPrefix)] = id
		}
	}
	return bound
}

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
	tx.UnbindBranches(map[string]bool{id: true})
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

// UnbindBranches has branches stop to mean tasks right before the refs move.
func (tx *Tx) UnbindBranches(gone map[string]bool) {
	tx.before = append(tx.before, func(ctx context.Context) error {
		for branch, id := range tx.l.BoundBranches(ctx) {
			if gone[id] {
				if err := tx.l.UnbindBranch(ctx, branch); err != nil {
					return err
				}
			}
		}
		return nil
	})
}
