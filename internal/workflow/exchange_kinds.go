package workflow

import (
	"context"
	"strings"

	"github.com/git-brew/git-brew/internal/ledger"
	"github.com/git-brew/git-brew/internal/refsync"
	"github.com/git-brew/git-brew/internal/task"
)

// named reports whether a record of a kind can have such a name: what can't is
// left alone, here and there.
func (x *exchange) named(kind ledger.Kind, id string) bool {
	switch kind {
	case ledger.KindTask, ledger.KindLock:
		_, err := task.ParseID(id)
		return err == nil
	case ledger.KindClone:
		return len(id) == len(x.s.clone.ID) && strings.Trim(id, "abcdefghijklmnopqrstuvwxyz234567") == ""
	case ledger.KindKnowledge, ledger.KindConfig, ledger.KindNotes, ledger.KindArchive:
	}
	return id == ""
}

func (x *exchange) acceptLock(ctx context.Context, r sides) error {
	return x.s.locks.AcceptLock(ctx, task.ID(r.id), r.ours, r.theirs)
}

func (x *exchange) settleLock(ctx context.Context, tx *ledger.Tx, r sides) (refsync.Settlement, error) {
	if settled, done, err := x.s.settleArchivedLock(ctx, tx, r); done || err != nil {
		return settled, err
	}
	return x.s.locks.SettleLock(ctx, tx, r.remote, task.ID(r.id), r.ours, r.theirs)
}

func (x *exchange) acceptArchive(ctx context.Context, r sides) error {
	return x.s.acceptArchive(ctx, r.ours, r.theirs)
}

func (x *exchange) settleArchive(ctx context.Context, tx *ledger.Tx, r sides) (refsync.Settlement, error) {
	return x.s.settleArchive(ctx, tx, r.remote, r.ours, r.theirs)
}

func (x *exchange) acceptNotes(ctx context.Context, r sides) error {
	return x.s.clone.Ledger.AcceptNotes(ctx, r.ours, r.theirs)
}

// settleNotes joins the lines of both sides. git shows them from the first one
// on.
func (x *exchange) settleNotes(ctx context.Context, tx *ledger.Tx, r sides) (refsync.Settlement, error) {
	tx.After(func(ctx context.Context) {
		if shown, err := x.s.clone.Ledger.NotesShown(ctx); err == nil && !shown {
			x.s.clone.Ledger.ShowNotes(ctx)
		}
	})
	next, how, err := tx.MergeNotes(ctx, r.ours, r.theirs)
	if err != nil {
		return refsync.Settlement{}, err
	}
	settled := refsync.Settlement{Outcome: outcome(how), There: next}
	if r.ours.IsZero() && next == r.theirs {
		settled.Outcome = refsync.New
	}
	return settled, tx.Move(ctx, r.ref, next)
}

// maxCloneFile bounds a file in a clone's record, in bytes: sessions are small,
// a segment has some hundred events.
const maxCloneFile = 8 << 20

func (x *exchange) acceptClone(ctx context.Context, r sides) error {
	return x.s.clone.Ledger.AcceptChain(ctx, r.ours, r.theirs, func(string) int64 { return maxCloneFile })
}

// settleClone decides about a record that one clone alone writes: this clone's
// is only given, another one's only taken.
func (x *exchange) settleClone(ctx context.Context, tx *ledger.Tx, r sides) (refsync.Settlement, error) {
	if r.ref == x.s.clone.Ref() {
		return x.settleOwn(ctx, tx, r)
	}
	if r.theirs.IsZero() {
		return refsync.Settlement{Outcome: refsync.Unchanged}, nil
	}
	how := refsync.FastForwarded
	if r.ours.IsZero() {
		how = refsync.New
	} else if newer, err := x.s.clone.Repo.History.IsAncestor(ctx, r.theirs, r.ours); err != nil || newer {
		return refsync.Settlement{Outcome: refsync.Unchanged, There: r.theirs}, err
	}
	return refsync.Settlement{Outcome: how, There: r.theirs}, tx.Move(ctx, r.ref, r.theirs)
}

// settleOwn decides about this clone's own record. What the remote has under
// its name and is not here was written before the clone was made anew in the
// same place, or by a stranger: it is not read, for consent and trust stand in
// there, and not lost.
func (x *exchange) settleOwn(ctx context.Context, tx *ledger.Tx, r sides) (refsync.Settlement, error) {
	out := refsync.Settlement{Outcome: refsync.Ahead, There: r.ours}
	if r.theirs.IsZero() || r.ours.IsZero() {
		if r.ours.IsZero() {
			out = refsync.Settlement{Outcome: refsync.Unchanged, There: r.theirs}
		}
		return out, nil
	}
	known, err := x.s.clone.Repo.History.IsAncestor(ctx, r.theirs, r.ours)
	if err != nil || known {
		return out, err
	}
	out.There, err = tx.Graft(ctx, r.ref, r.theirs, "the record of a clone that was made anew\n")
	return out, err
}
