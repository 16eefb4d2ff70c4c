package task

import (
	"encoding/json"

	"github.com/git-brew/git-brew/internal/operation"
)

// lockYield is operation.Rules.Yield: a claim that lost the lock gives way.
func LockYield(op operation.Operation) (operation.Yield, bool) {
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
