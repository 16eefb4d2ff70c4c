package workflow

import (
	"context"
	"fmt"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/ledger"
	"github.com/git-brew/git-brew/internal/refsync"
)

// exchange says what becomes of records that are not the same here and on a
// remote.
type exchange struct {
	s *Service
	// met are the sides of records that were merged, for telling of it.
	met map[gitstore.RefName]sides
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

func (x *exchange) kind(ref gitstore.RefName) (exchanged, string, error) {
	kind, id, shared := ledger.KindOf(ref)
	if shared {
		switch kind {
		case ledger.KindTask:
			return chain(x.s, taskLaw{}), id, nil
		case ledger.KindKnowledge:
			return chain(x.s, projectLaw{}), id, nil
		case ledger.KindConfig:
			return chain(x.s, configLaw{}), id, nil
		}
	}
	return exchanged{}, "", fmt.Errorf("%s is not exchanged", ref)
}

// Accept is refsync.Records's.
func (x *exchange) Accept(ctx context.Context, ref gitstore.RefName, ours, theirs gitstore.OID) error {
	of, id, err := x.kind(ref)
	if err != nil {
		return err
	}
	return of.accept(ctx, sides{ref: ref, id: id, ours: ours, theirs: theirs})
}

// Settle is refsync.Records's.
func (x *exchange) Settle(ctx context.Context, tx *ledger.Tx, remote refsync.Remote, ref gitstore.RefName, ours, theirs gitstore.OID) (refsync.Settlement, error) {
	of, id, err := x.kind(ref)
	if err != nil {
		return refsync.Settlement{}, err
	}
	r := sides{remote, ref, id, ours, theirs}
	settled, err := of.settle(ctx, tx, r)
	if _, known := x.met[ref]; settled.Outcome == refsync.Merged && !known {
		x.met[ref] = r
	}
	return settled, err
}

// chain is how a chain of operations is exchanged: both sides get all of both.
func chain[S any](s *Service, law ledger.Law[S]) exchanged {
	return exchanged{
		accept: func(ctx context.Context, r sides) error {
			_, err := ledger.Load(ctx, s.ledger, law, r.theirs)
			return err
		},
		settle: func(ctx context.Context, tx *ledger.Tx, r sides) (refsync.Settlement, error) {
			if one, done, err := oneSided(ctx, tx, r); done || err != nil {
				return one, err
			}
			next, how, err := ledger.Merge(ctx, tx, law, r.ours, r.theirs)
			if err != nil {
				return refsync.Settlement{}, err
			}
			return refsync.Settlement{Outcome: outcome(how), There: next}, tx.Move(ctx, r.ref, next)
		},
	}
}

// oneSided settles a record that one side has and the other has not.
func oneSided(ctx context.Context, tx *ledger.Tx, r sides) (refsync.Settlement, bool, error) {
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
	}
	return refsync.Ahead
}
