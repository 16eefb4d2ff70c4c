package records

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/ledger"
	"github.com/git-brew/git-brew/internal/ledger/cache"
	"github.com/git-brew/git-brew/internal/operation"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/lease"
)

// UnreadLockError says that what stands where a lock should is none. Such a lock
// counts as free, so that nobody is locked out (BC-62).
type UnreadLockError struct {
	free lease.Lock // its fence is above every one that can be read below it
	why  error
}

func (e *UnreadLockError) Error() string { return e.why.Error() }
func (e *UnreadLockError) Unwrap() error { return e.why }

// FreeIfUnread takes a lock that can't be read for a free one, which says so.
func FreeIfUnread(l lease.Lock, err error) (lease.Lock, error) {
	if unread, ok := errors.AsType[*UnreadLockError](err); ok {
		return unread.free, nil
	}
	if broken, ok := errors.AsType[*gitstore.BrokenRefError](err); ok {
		return lease.Lock{Unread: broken.Error()}, nil
	}
	return l, err
}

// LockBrief reads a task's lock; a free one where it was never taken, and where
// it can't be read.
func (s *Records) LockBrief(ctx context.Context, id task.ID) (lease.Lock, error) {
	tip, err := s.Clone.Ledger.Tip(ctx, ledger.LockRef(string(id)))
	if err == nil {
		return s.LockBriefAt(ctx, id, tip)
	}
	l, err := FreeIfUnread(lease.Lock{}, err)
	if err != nil {
		return l, fmt.Errorf("read the lock of %s: %w", id, err)
	}
	return l, nil
}

// LockBriefAt is LockBrief for the tip that the lock's ref is known to have.
func (s *Records) LockBriefAt(ctx context.Context, id task.ID, tip gitstore.OID) (lease.Lock, error) {
	l, err := FreeIfUnread(cache.Brief(ctx, s.Clone.Ledger.Cache, ledger.LockRef(string(id)), tip, s.ReadLock))
	if err != nil {
		return l, fmt.Errorf("read the lock of %s: %w", id, err)
	}
	return l, nil
}

// ReadLock reads the lock at tip. What is no lock is an *UnreadLockError, and never
// a snapshot: it may be mended without its ref moving.
func (s *Records) ReadLock(ctx context.Context, tip gitstore.OID) (lease.Lock, error) {
	l, why := s.LockAt(ctx, tip)
	if why == nil {
		return l, nil
	}
	if !errors.Is(why, lease.ErrBadLock) && !ledger.Damaged(why) {
		return l, why
	}
	free := lease.Lock{Unread: why.Error()}
	for at := tip; ; {
		c, err := s.Clone.Repo.Objects.Commit(ctx, at)
		if err != nil || len(c.Parents) == 0 {
			break
		}
		at = c.Parents[0]
		if below, err := s.LockAt(ctx, at); err == nil {
			free.Fence = below.Fence + 1
			break
		}
	}
	if err := ctx.Err(); err != nil {
		return free, err
	}
	return free, &UnreadLockError{free, why}
}

func (s *Records) LockAt(ctx context.Context, commit gitstore.OID) (lease.Lock, error) {
	var l lease.Lock
	data, err := s.Clone.Ledger.File(ctx, commit, LockFile)
	switch {
	case errors.Is(err, gitstore.ErrNotExist):
		return l, fmt.Errorf("%w: no %s at %s", lease.ErrBadLock, LockFile, commit.Short())
	case err != nil:
		return l, err
	}
	if err := json.Unmarshal(data, &l); err != nil {
		return l, fmt.Errorf("%w: %s at %s: %w", lease.ErrBadLock, LockFile, commit.Short(), err)
	}
	return l, lease.CheckLock(l)
}

// NewerFormat reports whether it takes a newer git-brew to read a record.
func NewerFormat(err error) bool {
	_, other := errors.AsType[*operation.FormatError](err)
	return other || errors.Is(err, ledger.ErrUnknownLaw)
}

// LockFile holds the lock's state in the tree of its chain.
const LockFile = ledger.LockFile
