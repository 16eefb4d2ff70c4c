package records

import (
	"context"

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
