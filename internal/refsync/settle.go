package refsync

import (
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

// settle brings the records of each kind together, what decides about others
// first.
func (x *exchange) settle(ctx context.Context, items []*item) error {
	done := 0
	for _, kind := range ledger.Kinds() {
		var batch []*item
		for _, it := range items {
			if it.kind == kind && it.settled.Outcome != SetAside {
				batch = append(batch, it)
			}
		}
		if x.o.Seen && x.tooMany(batch) {
			batch = slices.DeleteFunc(batch, x.later)
		}
		taken := 0
		for len(batch) > 0 {
			if taken >= x.maxNew() {
				before := len(batch)
				if batch = slices.DeleteFunc(batch, x.later); len(batch) == 0 {
					break
				}
				done += before - len(batch)
			}
			n := min(len(batch), maxSettle)
			accepted, err := x.accept(ctx, batch[:n])
			if err != nil {
				return err
			}
			if err := x.settleAll(ctx, accepted); err != nil {
				return err
			}
			for _, it := range accepted {
				if it.isNew() {
					taken++
				}
			}
			batch = batch[n:]
			done += n
			x.tell(Settling, done, len(items))
		}
		if kind == ledger.KindLock {
			items = x.withTasks(ctx, items)
		}
	}
	return nil
}

// withTasks adds the tasks whose locks were settled: a lock that is lost leaves
// its trace in the task.
func (x *exchange) withTasks(ctx context.Context, items []*item) []*item {
	if x.o.DryRun {
		return items
	}
	listed := map[gitstore.RefName]bool{}
	for _, it := range items {
		listed[it.ref] = true
	}
	for _, it := range slices.Clone(items) {
		ref := ledger.TaskRef(it.id)
		if it.kind != ledger.KindLock || it.settled.Outcome == SetAside || listed[ref] || x.items[ref] != nil {
			continue
		}
		seen, err := x.repo.Refs.Get(ctx, x.o.Remote.Seen(ref))
		if err != nil {
			continue // the remote has none, or nobody can tell
		}
		ours, err := x.repo.Refs.Get(ctx, ref)
		if err != nil && !errors.Is(err, gitstore.ErrNotExist) {
			continue // doctor tells
		}
		task := &item{ref: ref, kind: ledger.KindTask, id: it.id, ours: ours, theirs: seen}
		x.items[ref] = task
		items = append(items, task)
		x.unchanged--
	}
	return items
}

// accept asks for each record what a stranger sent, and gives those that may be
// settled.
func (x *exchange) accept(ctx context.Context, batch []*item) ([]*item, error) {
	accepted := make([]*item, 0, len(batch))
	var tips, known []gitstore.OID
	for _, it := range batch {
		tips, known = append(tips, it.theirs), append(known, it.ours)
	}
	x.repo.Objects.Preload(ctx, tips, known)
	for _, it := range batch {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if !it.theirs.IsZero() && it.theirs != it.ours {
			if err := x.records.Accept(ctx, it.ref, it.ours, it.theirs); err != nil {
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

func (x *exchange) settleAll(ctx context.Context, batch []*item) error {
	for len(batch) > 0 {
		done, err := x.settleSome(ctx, batch)
		if err != nil {
			return err
		}
		batch = batch[done:]
	}
	return nil
}

// Reasons to end a change without an effect.
var (
	errRollBack = errors.New("only tried")
	errOneLess  = errors.New("one of them can't be settled")
)

// settleSome settles the first of a batch in one change, and says how many. A
// record that can't be settled is set aside when it comes first: those before
// it are settled without it, for nobody knows what it had staged.
func (x *exchange) settleSome(ctx context.Context, batch []*item) (int, error) {
	for {
		var decided []Settlement
		var failed error
		err := x.ledger.Change(ctx, func(ctx context.Context, tx *ledger.Tx) error {
			decided, failed = x.decide(ctx, tx, batch)
			switch {
			case ctx.Err() != nil:
				return context.Cause(ctx)
			case failed != nil:
				return errOneLess
			case x.o.DryRun:
				return errRollBack
			}
			return nil
		})
		switch {
		case err == nil, errors.Is(err, errRollBack):
			for i, s := range decided {
				batch[i].take(s)
				if batch[i].kind == ledger.KindClone && batch[i].ref != x.o.Own {
					batch[i].pending = false // its own clone shares it, if it wants to
				}
			}
			return len(decided), nil
		case errors.Is(err, errOneLess) && len(decided) > 0:
			batch = batch[:len(decided)]
		case errors.Is(err, errOneLess):
			batch[0].setAside(failed)
			return 1, nil
		case !unreadable(err):
			return 0, err
		case len(batch) > 1:
			batch = batch[:len(batch)/2] // an object of one of them is damaged
		default:
			batch[0].setAside(err)
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
	ours, err := tx.Tip(ctx, it.ref)
	if err != nil {
		return Settlement{}, err
	}
	if ours == it.theirs { // somebody else has settled it meanwhile
		return Settlement{Outcome: Unchanged, There: it.theirs}, nil
	}
	return x.records.Settle(ctx, tx, x.o.Remote, it.ref, ours, it.theirs)
}

// unreadable tells whether an error is of what is stored, not of the disk or of
// another writer.
func unreadable(err error) bool {
	var corrupt *gitstore.CorruptError
	return errors.As(err, &corrupt) || errors.Is(err, gitstore.ErrNotExist) || errors.Is(err, gitstore.ErrTooLarge) ||
		errors.Is(err, gitstore.ErrKind)
}
