package ledger

import (
	"context"
	"errors"
	"fmt"

	"github.com/git-brew/git-brew/internal/gitstore"
)

// attempts bounds how often a change starts again because somebody who does
// not queue on our lock (plain git, for example) moved a ref meanwhile.
const attempts = 20

// ErrBusy is returned when a change lost every one of its attempts.
var ErrBusy = errors.New("the refs kept moving")

// Change runs fn until what it staged could be written: fn reads, decides and
// stages; it runs again, on fresh values, when a ref had moved. All writers of
// git brew in this repository queue here, so fn must not wait for a network or
// a person. Where what it staged has to be signed it runs once more before its
// turn, and what it read is looked at again when it is.
func (l *Ledger) Change(ctx context.Context, fn func(ctx context.Context, tx *Tx) error) error {
	if l.may != nil {
		if err := l.may(ctx); err != nil {
			return err
		}
	}
	if l.rehearsing {
		return l.Rehearse(ctx, fn)
	}
	signed := 0 // how often it was signed ahead of its turn
	for range attempts {
		tx := newTx(ctx, l)
		if signed > 0 {
			tx.turn = ahead
		}
		if signed > aheadTries {
			tx.turn = inTurn
		}
		err := tx.run(ctx, fn)
		switch {
		case errors.Is(err, errSignAhead):
			signed = 1
			continue
		case errors.Is(err, gitstore.ErrRefMoved):
			if signed > 0 {
				signed++
			}
			continue
		case err != nil && tx.turn == ahead && ctx.Err() == nil && !errors.Is(err, gitstore.ErrNotSigned):
			// What it read may not have been of one moment.
			signed = aheadTries + 1
			continue
		case err != nil:
			return err
		}
		tx.done(ctx)
		return nil
	}
	return fmt.Errorf("change the records: %w for %d attempts", ErrBusy, attempts)
}

// Rehearse runs fn as Change does, and writes nothing of what it staged: what the
// rules refuse is refused, what would be made is told. It waits for nobody.
func (l *Ledger) Rehearse(ctx context.Context, fn func(ctx context.Context, tx *Tx) error) error {
	err := newTx(ctx, l).decide(ctx, fn)
	if errors.Is(err, errSignAhead) {
		return nil
	}
	return err
}

// Stage runs fn as Change does and writes the objects of what it staged, but moves no
// ref: what is made may be given to somebody else before it counts here. It waits for
// nobody, and what fn read may have moved by now.
func (l *Ledger) Stage(ctx context.Context, fn func(ctx context.Context, tx *Tx) error) error {
	if l.may != nil {
		if err := l.may(ctx); err != nil {
			return err
		}
	}
	tx := newTx(ctx, l)
	tx.turn = ahead
	if err := tx.decide(ctx, fn); err != nil {
		return err
	}
	return tx.w.Flush(ctx)
}

// RehearseOnly makes every change of this ledger a rehearsal, for dry runs.
func (l *Ledger) RehearseOnly() { l.rehearsing = true }

// Rehearses reports whether every change is a rehearsal.
func (l *Ledger) Rehearses() bool { return l.rehearsing }

// run lets fn decide, and writes what it staged: in our turn, or for the writing
// alone.
func (tx *Tx) run(ctx context.Context, fn func(ctx context.Context, tx *Tx) error) error {
	if tx.turn != ahead {
		return tx.l.repo.Locked(ctx, func() error {
			if err := tx.decide(ctx, fn); err != nil {
				return err
			}
			return tx.commit(ctx)
		})
	}
	if err := tx.decide(ctx, fn); err != nil {
		return err
	}
	return tx.l.repo.Locked(ctx, func() error {
		for _, ref := range tx.order {
			now, err := tx.l.Tip(ctx, ref)
			if err != nil {
				return err
			}
			if now != tx.old[ref] {
				return fmt.Errorf("ref %q: %w", ref, gitstore.ErrRefMoved)
			}
		}
		return tx.commit(ctx)
	})
}

func (tx *Tx) decide(ctx context.Context, fn func(ctx context.Context, tx *Tx) error) error {
	err := fn(ctx, tx)
	switch {
	case tx.texts.err != nil: // what fn decided, it decided without a text
		return tx.texts.err
	case err == nil && tx.toSign && tx.turn == notNow:
		return errSignAhead
	}
	return err
}

// turn is when a change may wait for a signature.
type turn int

const (
	// notNow: it is decided without. Where a signature is needed, the change
	// begins again, ahead of its turn.
	notNow turn = iota
	// ahead: before it is our turn to write. A person may have to unlock the
	// key, and nobody else's change waits for that. What was read meanwhile is
	// looked at again.
	ahead
	// inTurn: others wrote whenever we were ahead; now they wait.
	inTurn
)

// aheadTries is how often a change is signed ahead of its turn.
const aheadTries = 3

// errSignAhead ends a change that has to begin again, ahead of its turn.
var errSignAhead = errors.New("it has to be signed")
