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

// freeOf is FreeIfUnread for a task's lock, which an error names.
func freeOf(id task.ID, l lease.Lock, err error) (lease.Lock, error) {
	if l, err = FreeIfUnread(l, err); err != nil {
		err = fmt.Errorf("read the lock of %s: %w", id, err)
	}
	return l, err
}

// LockBrief reads a task's lock; a free one where it was never taken, and where
// it can't be read.
func (s *Records) LockBrief(ctx context.Context, id task.ID) (lease.Lock, error) {
	tip, err := s.Clone.Ledger.Tip(ctx, ledger.LockRef(string(id)))
	if err != nil {
		return freeOf(id, lease.Lock{}, err)
	}
	return s.LockBriefAt(ctx, id, tip)
}

// LockBriefAt is LockBrief for the tip that the lock's ref is known to have.
func (s *Records) LockBriefAt(ctx context.Context, id task.ID, tip gitstore.OID) (lease.Lock, error) {
	l, err := cache.Brief(ctx, s.Clone.Ledger.Cache, ledger.LockRef(string(id)), tip, s.ReadLock)
	return freeOf(id, l, err)
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
	data, err := s.Clone.Ledger.File(ctx, commit, ledger.LockFile)
	switch {
	case errors.Is(err, gitstore.ErrNotExist):
		return l, fmt.Errorf("%w: no %s at %s", lease.ErrBadLock, ledger.LockFile, commit.Short())
	case err != nil:
		return l, err
	}
	if err := json.Unmarshal(data, &l); err != nil {
		return l, fmt.Errorf("%w: %s at %s: %w", lease.ErrBadLock, ledger.LockFile, commit.Short(), err)
	}
	return l, lease.CheckLock(l)
}

// NewerFormat reports whether it takes a newer git-brew to read a record.
func NewerFormat(err error) bool {
	_, other := errors.AsType[*operation.FormatError](err)
	return other || errors.Is(err, ledger.ErrUnknownLaw)
}

// NewClaim reports that a lock's state is the one that its claim is named by.
func NewClaim(l lease.Lock) bool { return l.Event == lease.LockAcquired || l.Event == lease.LockStolen }

// ClaimOf names the claim of a lock at a tip.
func ClaimOf(l lease.Lock, tip gitstore.OID) string {
	if NewClaim(l) {
		return tip.String()
	}
	return l.Claim
}

// SameClaim reports whether two states of a lock are of one claim, whatever
// became of it.
func SameClaim(a, b lease.Lock) bool { return a.Fence == b.Fence && a.Nonce == b.Nonce }

// maxLockChain bounds how far back two chains are compared: a renewal an hour
// for years.
const maxLockChain = 100_000

// LastCommon finds the latest commit that is in both chains of a lock, zero
// where there is none, and the commits of ours since then, the oldest first.
func (s *Records) LastCommon(ctx context.Context, ours,
	theirs gitstore.OID,
) (base gitstore.OID, since []gitstore.OID, err error) {
	list, err := s.Clone.Repo.History.Between(ctx, maxLockChain, []gitstore.OID{ours}, []gitstore.OID{theirs})
	if err != nil || len(list) == 0 {
		return ours, nil, err
	}
	for _, c := range list {
		since = append(since, c.OID)
	}
	if len(list[0].Parents) > 0 {
		base = list[0].Parents[0]
	}
	return base, since, nil
}
