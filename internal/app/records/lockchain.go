package records

import (
	"context"
	"errors"
	"slices"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/task/lease"
)

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
// Where one chain follows from the other, that costs what lies between them.
func (s *Records) LastCommon(ctx context.Context, ours,
	theirs gitstore.OID,
) (base gitstore.OID, since []gitstore.OID, err error) {
	place := map[gitstore.OID]int{} // in mine
	var mine []gitstore.OID
	there := map[gitstore.OID]bool{}
	found := func(at gitstore.OID) (gitstore.OID, []gitstore.OID, error) {
		since := slices.Clone(mine[:place[at]])
		slices.Reverse(since)
		return at, since, nil
	}
	for a, b := ours, theirs; !a.IsZero() || !b.IsZero(); {
		if !a.IsZero() {
			place[a] = len(mine)
			mine = append(mine, a)
			if there[a] {
				return found(a)
			}
		}
		if !b.IsZero() {
			there[b] = true
			if _, ok := place[b]; ok {
				return found(b)
			}
		}
		if len(mine) > maxLockChain || len(there) > maxLockChain {
			break
		}
		if a, err = below(ctx, s, a); err != nil {
			return base, nil, err
		}
		if b, err = below(ctx, s, b); err != nil {
			return base, nil, err
		}
	}
	slices.Reverse(mine)
	return base, mine, nil
}

// below is the commit that a lock's state was put on; zero: none that is here.
func below(ctx context.Context, s *Records, at gitstore.OID) (gitstore.OID, error) {
	if at.IsZero() {
		return at, nil
	}
	c, err := s.Clone.Repo.Objects.Commit(ctx, at)
	switch {
	case errors.Is(err, gitstore.ErrNotExist): // the boundary of a shallow clone
		return gitstore.OID{}, nil
	case err != nil:
		return gitstore.OID{}, err
	case len(c.Parents) == 0:
		return gitstore.OID{}, nil
	}
	return c.Parents[0], nil
}
