package lease

import (
	"time"

	"github.com/git-brew/git-brew/internal/operation"
	"github.com/git-brew/git-brew/internal/task"
)

// Lock is the state of a task's lock: lock.json at the tip of its chain. The
// chain is never deleted, so fences never restart.
type Lock struct {
	Schema string  `json:"schema"`
	Task   task.ID `json:"task"`
	Held   bool    `json:"held"`
	// Session holds the lock; empty: not bound yet, held by the person User
	// on Clone.
	Session string `json:"session,omitempty"`
	Host    string `json:"host,omitempty"`
	User    string `json:"user,omitempty"`
	Clone   string `json:"clone,omitempty"`
	// WorkTree is the absolute path of the work tree it was taken in.
	WorkTree string `json:"worktree,omitempty"`
	PID      int    `json:"pid,omitempty"` // shown, never used to judge
	// Times are RFC 3339 in UTC. TTLSeconds is the lease, from RenewedAt.
	AcquiredAt string `json:"acquired_at,omitempty"`
	BoundAt    string `json:"bound_at,omitempty"`
	RenewedAt  string `json:"renewed_at,omitempty"`
	TTLSeconds int64  `json:"ttl_seconds,omitempty"`
	// Fence grows with every change of holder. Nonce makes every claim's
	// commit unique. Claim is the commit that acquired the lock; empty in
	// that commit itself.
	Fence uint64 `json:"fence"`
	Nonce string `json:"nonce,omitempty"`
	Claim string `json:"claim,omitempty"`
	// StolenFrom is the session that it was stolen from, which can't bind it
	// again.
	StolenFrom string `json:"stolen_from,omitempty"`
	// Event is what the last change was: acquired, bound, renewed, released,
	// unbound, stolen.
	Event string `json:"event"`
	// Unread says why what is recorded could not be read; such a lock counts
	// as free (BC-62). It is told, never recorded.
	Unread string `json:"-"`
}

// Reclaim takes a lock that the arbiter has as free for whoever holds ours, a
// claim that the arbiter has not seen: the same holder, under a fence above
// both, and a claim of its own.
func Reclaim(theirs, ours Lock, nonce string, now time.Time) (Lock, error) {
	highest := max(theirs.Fence, ours.Fence)
	if highest >= operation.MaxClock {
		return theirs, noHigherFence(highest)
	}
	next := ours
	next.Schema = operation.Format
	next.RenewedAt, next.Fence, next.Nonce, next.Claim, next.Event = stamp(now), 1+highest, nonce, "", LockAcquired
	return next, nil
}
