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
// a person. For one thing all wait: a person who signs commits has to unlock the key.
func (l *Ledger) Change(ctx context.Context, fn func(ctx context.Context, tx *Tx) error) error {
	if err := l.mayChange(ctx); err != nil {
		return err
	}
	if l.DryRun {
		return l.RunDry(ctx, fn)
	}
	for range attempts {
		tx := newTx(ctx, l)
		err := l.repo.Locked(ctx, func() error {
			if err := tx.decide(ctx, fn); err != nil {
				return err
			}
			return tx.commit(ctx)
		})
		if err == nil {
			for _, f := range append(tx.snapshots, tx.after...) {
				f(ctx)
			}
		}
		if !errors.Is(err, gitstore.ErrRefMoved) {
			return err
		}
	}
	return fmt.Errorf("change the records: %w for %d attempts", ErrBusy, attempts)
}

// RunDry runs fn as Change does, and writes nothing of what it staged: what the
// rules refuse is refused, what would be made is told. It waits for nobody.
func (l *Ledger) RunDry(ctx context.Context, fn func(ctx context.Context, tx *Tx) error) error {
	tx := newTx(ctx, l)
	tx.dryRun = true
	return tx.decide(ctx, fn)
}

// Stage runs fn as Change does and writes the objects of what it staged, but moves no
// ref: what is made may be given to somebody else before it counts here. It waits for
// nobody, and what fn read may have moved by now.
func (l *Ledger) Stage(ctx context.Context, fn func(ctx context.Context, tx *Tx) error) error {
	if err := l.mayChange(ctx); err != nil {
		return err
	}
	tx := newTx(ctx, l)
	if err := tx.decide(ctx, fn); err != nil {
		return err
	}
	return tx.w.Flush(ctx)
}

func (l *Ledger) mayChange(ctx context.Context) error {
	if l.May == nil {
		return nil
	}
	return l.May(ctx)
}

func (tx *Tx) decide(ctx context.Context, fn func(ctx context.Context, tx *Tx) error) error {
	err := fn(ctx, tx)
	if tx.blobs.err != nil { // what fn decided, it decided without a text
		return tx.blobs.err
	}
	return err
}
