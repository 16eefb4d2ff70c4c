// Package exchange settles the records here with those of a remote, and takes over what
// plain git fetched.
package exchange

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/git-brew/git-brew/internal/app/archive"
	"github.com/git-brew/git-brew/internal/app/change"
	"github.com/git-brew/git-brew/internal/app/config"
	"github.com/git-brew/git-brew/internal/app/records"
	"github.com/git-brew/git-brew/internal/app/steps"
	"github.com/git-brew/git-brew/internal/app/trust"
	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/ledger"
	archived "github.com/git-brew/git-brew/internal/ledger/archive"
	"github.com/git-brew/git-brew/internal/refsync"
)

// Exchange settles records with those of a remote.
type Exchange struct {
	*change.Engine
	// on is the same on another repository.
	On        func(repo *gitstore.Repo) *Exchange
	Archive   *archive.Archive
	Pipelines *steps.Pipelines
	Trust     *trust.Trust
}

// Settler says what becomes of records that are not the same here and on a
// remote.
type Settler struct {
	S *Exchange
	// met are the sides of records that took what the other side had; nil: nobody is
	// told of them.
	met map[gitstore.RefName]sides
}

var _ refsync.Records = (*Settler)(nil)

// sides are the tips of a record that is not the same here and on a remote;
// zero: absent.
type sides struct {
	Remote       refsync.Remote
	Ref          gitstore.RefName
	ID           string // of the task or the clone, "" for others
	Ours, Theirs gitstore.OID
}

type exchanged struct {
	// accept checks what the remote has.
	accept func(ctx context.Context, r sides) error
	// settle stages what becomes of the record here.
	settle func(ctx context.Context, tx *ledger.Tx, r sides) (refsync.Settlement, error)
}

// of is how the record at a ref is exchanged. A name that none of its kind can have is
// left alone, here and there.
func (x *Settler) of(ref gitstore.RefName) (how exchanged, id string, err error) {
	kind, id, shared := ledger.KindOf(ref)
	if !shared {
		return how, id, fmt.Errorf("%s is not shared", ref)
	}
	named := id == ""
	switch kind {
	case ledger.KindTask:
		named, how = isTask(id), exchanged{x.acceptTask, x.settleTask}
	case ledger.KindLock:
		named, how = isTask(id), exchanged{x.acceptLock, x.settleLock}
	case ledger.KindClone:
		named = len(id) == len(x.S.Clone.ID) && strings.Trim(id, "abcdefghijklmnopqrstuvwxyz234567") == ""
		how = exchanged{x.acceptClone, x.settleClone}
	case ledger.KindKnowledge:
		how = chain(x.S, records.ProjectLaw())
	case ledger.KindConfig:
		how = chain(x.S, config.Law())
	case ledger.KindNotes:
		how = exchanged{x.acceptNotes, x.settleNotes}
	case ledger.KindArchive:
		how = exchanged{x.acceptArchive, x.settleArchive}
	}
	if !named {
		err = fmt.Errorf("%s: %w", ref, refsync.ErrForeign)
	}
	return how, id, err
}

// Accept is refsync.Records's.
func (x *Settler) Accept(ctx context.Context, ref gitstore.RefName, ours, theirs gitstore.OID) error {
	how, id, err := x.of(ref)
	if err != nil || theirs.IsZero() {
		return err
	}
	err = how.accept(ctx, sides{Ref: ref, ID: id, Ours: ours, Theirs: theirs})
	if err == nil || ours.IsZero() {
		return err
	}
	if _, unread := x.S.Clone.Repo.Objects.Commit(ctx, ours); ledger.Damaged(unread) {
		return fmt.Errorf("what is here is damaged: %w", unread)
	}
	return err
}

// Sendable is refsync.Records's: whoever has what the remote has must be able to
// take ours. What can't be told here, since it is a newer program's or not all
// here, goes as it is.
func (x *Settler) Sendable(ctx context.Context, ref gitstore.RefName, theirs, there gitstore.OID) error {
	err := x.Accept(ctx, ref, theirs, there)
	if err == nil {
		err = x.S.Clone.Ledger.CheckObjectsSince(ctx, theirs, there) // git sends all of it, or nothing at all
	}
	if err == nil || records.NewerFormat(err) || errors.Is(err, ledger.ErrShallow) ||
		errors.Is(err, gitstore.ErrPromised) {
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
func (x *Settler) Settle(ctx context.Context, tx *ledger.Tx, remote refsync.Remote, ref gitstore.RefName, _,
	theirs gitstore.OID,
) (refsync.Settlement, error) {
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
	if err != nil {
		return settled, err
	}
	if _, known := x.met[ref]; !known && x.met != nil &&
		(settled.Outcome == refsync.Merged || settled.Outcome == refsync.FastForwarded) {
		x.met[ref] = r
	}
	return settled, nil
}

// chain is how a chain of operations is exchanged: both sides get all of both. What a
// newer git-brew wrote is taken as far as it goes on from ours: settleChain folds
// nothing of it.
func chain[S any](s *Exchange, law ledger.Law[S]) exchanged {
	return exchanged{
		accept: func(ctx context.Context, r sides) error {
			return ledger.Accept(ctx, s.Clone.Ledger, law, r.Ref, r.Ours, r.Theirs)
		},
		settle: func(ctx context.Context, tx *ledger.Tx, r sides) (refsync.Settlement, error) {
			return settleChain(ctx, tx, law, r)
		},
	}
}

func settleChain[S any](ctx context.Context, tx *ledger.Tx, law ledger.Law[S], r sides) (refsync.Settlement, error) {
	if one, done, err := oneSided(ctx, tx, r); done || err != nil {
		return one, err
	}
	next, how, err := ledger.Merge(ctx, tx, law, r.Ours, r.Theirs)
	if err != nil {
		return refsync.Settlement{}, err
	}
	return refsync.Settlement{Outcome: outcome(how), There: next}, tx.Move(ctx, r.Ref, next)
}

// oneSided settles a record that one side has and the other has not.
func oneSided(ctx context.Context, tx *ledger.Tx, r sides) (settled refsync.Settlement, done bool, err error) {
	switch {
	case r.Theirs.IsZero():
		return refsync.Settlement{Outcome: refsync.Ahead, There: r.Ours}, true, nil
	case r.Ours.IsZero():
		return refsync.Settlement{Outcome: refsync.New, There: r.Theirs}, true, tx.Move(ctx, r.Ref, r.Theirs)
	}
	return refsync.Settlement{}, false, nil
}

// outcome is how two histories relate, in the words of an exchange: the same, but where
// the remote lacks what is here.
func outcome(how ledger.Outcome) refsync.Outcome {
	if how == ledger.OutcomeUnchanged {
		return refsync.Ahead
	}
	return refsync.Outcome(how)
}

// acceptTask checks a task as chain does: one that is only in the archive here goes
// on from there.
func (x *Settler) acceptTask(ctx context.Context, r sides) error {
	if r.Ours.IsZero() {
		e, _, err := archived.Find(ctx, x.S.Clone.Ledger.Reading(ctx), r.ID)
		if err != nil {
			return err
		}
		r.Ours = e.Tip
	}
	return ledger.Accept(ctx, x.S.Clone.Ledger, records.TaskLaw(), r.Ref, r.Ours, r.Theirs)
}

// settleTask is settleChain for tasks, of which the archive may know more.
func (x *Settler) settleTask(ctx context.Context, tx *ledger.Tx, r sides) (refsync.Settlement, error) {
	if settled, done, err := x.settleArchived(ctx, tx, r); done || err != nil {
		return settled, err
	}
	return settleChain(ctx, tx, records.TaskLaw(), r)
}
