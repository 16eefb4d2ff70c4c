package task

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/git-brew/git-brew/internal/operation"
)

// lockYield is operation.Rules.Yield: a claim that lost the lock gives way.
func lockYield(op operation.Operation) (operation.Yield, bool) {
	if op.Kind != OpLockLost {
		return operation.Yield{}, false
	}
	var p LockLostPayload
	err := json.Unmarshal(op.Payload, &p)
	return operation.Yield{Fence: p.Fence, Claim: p.Claim, To: p.ToFence}, err == nil
}

// loseLock changes nothing: what it means is the fold's, before anything
// is applied. It applies to a task that was deleted, too: the delete may be
// what it takes back.
func loseLock(*editor, operation.Operation, LockLostPayload) error { return nil }

func sayLockLost(_ operation.Operation, p LockLostPayload, _, _ Task) string {
	s := fmt.Sprintf("lock: claim of fence %d lost", p.Fence)
	if p.Holder != "" {
		s += " to " + p.Holder
	}
	return s
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
