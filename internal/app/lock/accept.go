package lock

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/lease"
)

// AcceptLock checks a lock that a remote has, before it is taken for one: what
// its chain is made of, as far as it is not known here, and what it says. The
// error says in one line what is wrong.
func (s *Locks) AcceptLock(ctx context.Context, id task.ID, ours, theirs gitstore.OID) error {
	return s.Clone.Ledger.AcceptLock(ctx, ours, theirs, func(file []byte) (fence uint64, err error) {
		l, err := parseLock(file, id)
		return l.Fence, err
	}, func(ctx context.Context) uint64 {
		b, _, err := s.Records.Brief(ctx, id)
		if err != nil {
			return 0 // it says nothing
		}
		return b.Task.Fence
	})
}

// parseLock reads a lock that has to be the task's.
func parseLock(data []byte, id task.ID) (lease.Lock, error) {
	var l lease.Lock
	if err := json.Unmarshal(data, &l); err != nil {
		return l, fmt.Errorf("%w: %w", lease.ErrBadLock, err)
	}
	if err := lease.CheckLock(l); err != nil {
		return l, err
	}
	if l.Task != id {
		return l, fmt.Errorf("it is the lock of %.100q", string(l.Task))
	}
	return l, nil
}
