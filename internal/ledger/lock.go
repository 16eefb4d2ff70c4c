package ledger

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/git-brew/git-brew/internal/gitstore"
)

// LaterLock chooses between two tips of a task's lock: the one that goes on from
// the other; of two that went apart the one with the higher fence, then the one
// with the longer chain, then the lower id. All but the last grow along a chain,
// so that any clones, whoever met whom first, come to choose the same. How long
// a chain is that a shallow clone has cut, nobody knows: ErrShallow.
func (tx *Tx) LaterLock(ctx context.Context, a, b gitstore.OID) (gitstore.OID, error) {
	switch {
	case a == b || b.IsZero():
		return a, nil
	case a.IsZero():
		return b, nil
	}
	for _, way := range []struct{ old, tip gitstore.OID }{{a, b}, {b, a}} {
		if follows, err := tx.l.repo.History.IsAncestor(ctx, way.old, way.tip); err != nil || follows {
			return way.tip, err
		}
	}
	for _, measure := range []func(context.Context, *Ledger, gitstore.OID) (uint64, error){fenceAt, chainOf} {
		of, err := measure(ctx, tx.l, a)
		var other uint64
		if err == nil {
			other, err = measure(ctx, tx.l, b)
		}
		switch {
		case err != nil:
			return a, fmt.Errorf("read the lock: %w", err)
		case of > other:
			return a, nil
		case of < other:
			return b, nil
		}
	}
	if a.Compare(b) < 0 {
		return a, nil
	}
	return b, nil
}

// fenceAt is the fence of a lock at a tip; 0 where it says none.
func fenceAt(ctx context.Context, l *Ledger, tip gitstore.OID) (uint64, error) {
	data, err := l.File(ctx, tip, LockFile)
	if err != nil && !errors.Is(err, gitstore.ErrNotExist) {
		return 0, err
	}
	var lock struct {
		Fence uint64 `json:"fence"`
	}
	_ = json.Unmarshal(data, &lock) // what is no lock has no fence
	return lock.Fence, nil
}

// chainOf is how many states a lock had, up to a tip.
func chainOf(ctx context.Context, l *Ledger, tip gitstore.OID) (n uint64, err error) {
	cut, err := l.repo.History.Boundary()
	if err != nil {
		return 0, err
	}
	err = l.repo.History.Walk(ctx, tip, func(oid gitstore.OID, _ gitstore.Commit) (bool, error) {
		n++
		if cut[oid] {
			return false, ErrShallow
		}
		return true, nil
	})
	return n, err
}
