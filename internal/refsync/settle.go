package refsync

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/ledger"
)

// One change of the records settles at most so many of them, and takes no new
// one on after so long: hooks of agents queue behind it.
const (
	maxSettle  = 500
	settleTime = 300 * time.Millisecond
)

// settle brings the records of a kind together. Of those that are new it takes over so
// many, and leaves the rest to the next exchange.
func (x *exchange) settle(ctx context.Context, kind ledger.Kind, batch []*item) error {
	room := x.o.maxNew() - x.took[kind]
	if x.o.Seen && countNew(batch) > room {
		room = 0
	}
	for len(batch) > 0 {
		if room <= 0 {
			all := len(batch)
			batch = slices.DeleteFunc(batch, func(it *item) bool {
				it.left = it.isNew()
				return it.left
			})
			x.done += all - len(batch)
		}
		some := batch[:min(len(batch), maxSettle)]
		accepted, err := x.accept(ctx, some)
		if err != nil {
			return err
		}
		for left := accepted; len(left) > 0; {
			n, err := x.settleSome(ctx, left)
			if err != nil {
				return err
			}
			left = left[n:]
		}
		n := countNew(accepted)
		room -= n
		x.took[kind] += n
		batch = batch[len(some):]
		x.done += len(some)
		x.tell(Settling)
	}
	return nil
}

func countNew(batch []*item) (n int) {
	for _, it := range batch {
		if it.isNew() {
			n++
		}
	}
	return n
}

// defaultNew is how many new records of a kind one exchange takes over, in some
// ten seconds. Few projects have so many, but whoever may push can make them.
const defaultNew = 10_000

func (o Options) maxNew() int { return cmp.Or(o.MaxNew, defaultNew) }

// accept asks for each record what a stranger sent, and gives those that may be
// settled.
func (x *exchange) accept(ctx context.Context, batch []*item) ([]*item, error) {
	accepted := make([]*item, 0, len(batch))
	for _, it := range batch {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if !it.theirs.IsZero() && it.theirs != it.ours {
			if err := x.records.Accept(ctx, it.Ref, it.ours, it.theirs); err != nil {
				if ctx.Err() != nil {
					return nil, context.Cause(ctx)
				}
				it.setAside(err)
				continue
			}
		}
		accepted = append(accepted, it)
	}
	return accepted, nil
}

// settleSome settles the first of a batch in one change, and says how many. A
// record that can't be settled is set aside when it comes first: those before
// it are settled without it, for nobody knows what it had staged.
func (x *exchange) settleSome(ctx context.Context, batch []*item) (int, error) {
	change := x.ledger.Change
	if x.o.DryRun {
		change = x.ledger.RunDry
	}
	for {
		var decided []Settlement
		var failed error
		err := change(ctx, func(ctx context.Context, tx *ledger.Tx) error {
			decided, failed = x.decide(ctx, tx, batch)
			return cmp.Or(context.Cause(ctx), failed)
		})
		switch {
		case err == nil:
			for i, s := range decided {
				batch[i].take(s)
				switch it := batch[i]; {
				case it.kind == ledger.KindClone && it.Ref != x.o.Own:
					it.Pending = false // its own clone shares it, if it wants to
				case it.Pending && it.goes() && x.o.Keeps:
					it.Pending, it.Outcome = false, Unchanged
				}
			}
			return len(decided), nil
		case ctx.Err() != nil:
			return 0, context.Cause(ctx)
		case failed == nil && !unreadable(err):
			return 0, err
		case failed != nil && len(decided) > 0:
			batch = batch[:len(decided)]
		case failed == nil && len(batch) > 1:
			batch = batch[:len(batch)/2] // an object of one of them is damaged
		default:
			batch[0].setAside(cmp.Or(failed, err))
			return 1, nil
		}
	}
}

// decide settles one record after the other, until one fails, the context ends
// or others have waited long enough.
func (x *exchange) decide(ctx context.Context, tx *ledger.Tx, batch []*item) ([]Settlement, error) {
	enough := time.NewTimer(settleTime)
	defer enough.Stop()
	decided := make([]Settlement, 0, len(batch))
	for _, it := range batch {
		s, err := x.settleOne(ctx, tx, it)
		if err != nil {
			return decided, err
		}
		decided = append(decided, s)
		select {
		case <-ctx.Done():
			return decided, context.Cause(ctx)
		case <-enough.C:
			return decided, nil
		default:
		}
	}
	return decided, nil
}

func (x *exchange) settleOne(ctx context.Context, tx *ledger.Tx, it *item) (Settlement, error) {
	ours, err := tx.Tip(ctx, it.Ref)
	if err != nil {
		return Settlement{}, err
	}
	if ours == it.theirs { // somebody else has settled it meanwhile
		return Settlement{Outcome: Unchanged, There: it.theirs}, nil
	}
	return x.records.Settle(ctx, tx, x.o.Remote, it.Ref, ours, it.theirs)
}

// unreadable tells whether an error is of what is stored, not of the disk or of
// another writer.
func unreadable(err error) bool {
	var corrupt *gitstore.CorruptError
	return errors.As(err, &corrupt) || errors.Is(err, gitstore.ErrNotExist) || errors.Is(err, gitstore.ErrTooLarge) ||
		errors.Is(err, gitstore.ErrKind)
}
