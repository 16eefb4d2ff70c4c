package workflow

import (
	"context"
	"errors"
	"fmt"

	"github.com/git-brew/git-brew/internal/app/config"
	"github.com/git-brew/git-brew/internal/app/records"
	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/ledger"
	"github.com/git-brew/git-brew/internal/refsync"
)

// exchange says what becomes of records that are not the same here and on a
// remote.
type exchange struct {
	s *Exchange
	// met are the sides of records that were merged, for telling of it.
	met map[gitstore.RefName]sides
	// forwarded are those of tasks that took what the other side had; nil: nobody
	// is told of them.
	forwarded map[gitstore.RefName]sides
	refused   *refused // nil before it is asked for
}

var _ refsync.Records = (*exchange)(nil)

// sides are the tips of a record that is not the same here and on a remote;
// zero: absent.
type sides struct {
	remote       refsync.Remote
	ref          gitstore.RefName
	id           string // of the task or the clone, "" for others
	ours, theirs gitstore.OID
}

// exchanged is how a kind of record is exchanged.
type exchanged struct {
	// accept checks what the remote has.
	accept func(ctx context.Context, r sides) error
	// settle stages what becomes of the record here.
	settle func(ctx context.Context, tx *ledger.Tx, r sides) (refsync.Settlement, error)
}

// of is how the record at a ref is exchanged.
func (x *exchange) of(ref gitstore.RefName) (how exchanged, id string, err error) {
	kind, id, shared := ledger.KindOf(ref)
	if !shared {
		return how, id, fmt.Errorf("%s is not shared", ref)
	}
	if !x.named(kind, id) {
		return how, id, fmt.Errorf("%s: %w", ref, refsync.ErrForeign)
	}
	switch kind {
	case ledger.KindTask:
		how = exchanged{x.acceptTask, x.settleTask}
	case ledger.KindLock:
		how = exchanged{x.acceptLock, x.settleLock}
	case ledger.KindKnowledge:
		how = chain(x.s, records.ProjectLaw{})
	case ledger.KindConfig:
		how = chain(x.s, config.Law{})
	case ledger.KindNotes:
		how = exchanged{x.acceptNotes, x.settleNotes}
	case ledger.KindArchive:
		how = exchanged{x.acceptArchive, x.settleArchive}
	case ledger.KindClone:
		how = exchanged{x.acceptClone, x.settleClone}
	}
	return how, id, nil
}

// Accept is refsync.Records's.
func (x *exchange) Accept(ctx context.Context, ref gitstore.RefName, ours, theirs gitstore.OID) error {
	how, id, err := x.of(ref)
	if err != nil || theirs.IsZero() {
		return err
	}
	err = how.accept(ctx, sides{ref: ref, id: id, ours: ours, theirs: theirs})
	if err != nil {
		x.refuse(ctx, ref, ours, theirs, err)
	}
	if err == nil || ours.IsZero() {
		return err
	}
	if _, unread := x.s.clone.Repo.Objects.Commit(ctx, ours); ledger.Damaged(unread) {
		return fmt.Errorf("what is here is damaged: %w", unread)
	}
	return err
}

// Sendable is refsync.Records's: whoever has what the remote has must be able to
// take ours. What can't be told here, since it is a newer program's or not all
// here, goes as it is.
func (x *exchange) Sendable(ctx context.Context, ref gitstore.RefName, theirs, there gitstore.OID) error {
	err := x.Accept(ctx, ref, theirs, there)
	if err == nil {
		err = x.s.clone.Ledger.CheckObjectsSince(ctx, theirs, there) // git sends all of it, or nothing at all
	}
	if err == nil || records.NewerFormat(err) || errors.Is(err, ledger.ErrShallow) || errors.Is(err, gitstore.ErrPromised) {
		return nil
	}
	return &UnsentError{err}
}

// UnsentError says why a record of ours is not sent: nobody else would take it.
type UnsentError struct{ Err error }

func (e *UnsentError) Error() string {
	return fmt.Sprintf("not sent, for nobody else would take it: %v; 'git brew doctor' says what can be done", e.Err)
}

func (e *UnsentError) Unwrap() error { return e.Err }

// Settle is refsync.Records's. What became of other records before may have
// moved this one here.
func (x *exchange) Settle(ctx context.Context, tx *ledger.Tx, remote refsync.Remote, ref gitstore.RefName, _, theirs gitstore.OID) (refsync.Settlement, error) {
	how, id, err := x.of(ref)
	if err != nil {
		return refsync.Settlement{}, err
	}
	ours, err := tx.Tip(ctx, ref)
	if err != nil {
		return refsync.Settlement{}, err
	}
	r := sides{remote, ref, id, ours, theirs}
	settled, err := how.settle(ctx, tx, r)
	if _, known := x.met[ref]; err == nil && settled.Outcome == refsync.Merged && !known {
		x.met[ref] = r
	}
	if _, known := x.forwarded[ref]; err == nil && x.forwarded != nil && settled.Outcome == refsync.FastForwarded && !known {
		x.forwarded[ref] = r
	}
	return settled, err
}

// chain is how a chain of operations is exchanged: both sides get all of both.
func chain[S any](s *Exchange, law ledger.Law[S]) exchanged {
	return exchanged{
		accept: func(ctx context.Context, r sides) error { return acceptChain(ctx, s, law, r) },
		settle: func(ctx context.Context, tx *ledger.Tx, r sides) (refsync.Settlement, error) {
			return settleChain(ctx, tx, law, r)
		},
	}
}

// acceptChain checks a chain of operations. What a newer git-brew wrote is
// taken as far as it goes on from ours: settleChain folds nothing of it.
func acceptChain[S any](ctx context.Context, s *Exchange, law ledger.Law[S], r sides) error {
	return ledger.Accept(ctx, s.clone.Ledger, law, r.ref, r.ours, r.theirs)
}

func settleChain[S any](ctx context.Context, tx *ledger.Tx, law ledger.Law[S], r sides) (refsync.Settlement, error) {
	if one, done, err := oneSided(ctx, tx, r); done || err != nil {
		return one, err
	}
	next, how, err := ledger.Merge(ctx, tx, law, r.ours, r.theirs)
	if err != nil {
		return refsync.Settlement{}, err
	}
	return refsync.Settlement{Outcome: outcome(how), There: next}, tx.Move(ctx, r.ref, next)
}

// oneSided settles a record that one side has and the other has not.
func oneSided(ctx context.Context, tx *ledger.Tx, r sides) (settled refsync.Settlement, done bool, err error) {
	switch {
	case r.theirs.IsZero():
		return refsync.Settlement{Outcome: refsync.Ahead, There: r.ours}, true, nil
	case r.ours.IsZero():
		return refsync.Settlement{Outcome: refsync.New, There: r.theirs}, true, tx.Move(ctx, r.ref, r.theirs)
	}
	return refsync.Settlement{}, false, nil
}

// outcome is how two histories relate, in the words of an exchange.
func outcome(how ledger.Outcome) refsync.Outcome {
	switch how {
	case ledger.OutcomeFastForwarded:
		return refsync.FastForwarded
	case ledger.OutcomeMerged:
		return refsync.Merged
	case ledger.OutcomeUnchanged:
	}
	return refsync.Ahead
}

// acceptTask is acceptChain for tasks: one that is only in the archive here goes
// on from there.
func (x *exchange) acceptTask(ctx context.Context, r sides) error {
	if r.ours.IsZero() {
		e, _, err := x.s.clone.Ledger.Archived(ctx, r.id)
		if err != nil {
			return err
		}
		r.ours = e.Tip
	}
	return acceptChain(ctx, x.s, records.TaskLaw{}, r)
}

// settleTask is settleChain for tasks, of which the archive may know more.
func (x *exchange) settleTask(ctx context.Context, tx *ledger.Tx, r sides) (refsync.Settlement, error) {
	if settled, done, err := x.s.settleArchived(ctx, tx, r); done || err != nil {
		return settled, err
	}
	return settleChain(ctx, tx, records.TaskLaw{}, r)
}
