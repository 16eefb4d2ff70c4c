package rules

import (
	"encoding/json"
	"fmt"

	"github.com/git-brew/git-brew/internal/operation"
	"github.com/git-brew/git-brew/internal/task"
)

// LockYield is operation.Rules.Yield: a claim that lost the lock gives way.
func LockYield(op operation.Operation) (operation.Yield, bool) {
	if op.Kind != task.OpLockLost {
		return operation.Yield{}, false
	}
	var p task.LockLostPayload
	err := json.Unmarshal(op.Payload, &p)
	return operation.Yield{Fence: p.Fence, Claim: p.Claim, To: p.ToFence}, err == nil
}

// loseLock changes nothing: what it means is the fold's, before anything
// is applied. It applies to a task that was deleted, too: the delete may be
// what it takes back.
func loseLock(_ *editor, p task.LockLostPayload) error {
	if p.Fence == 0 || !task.EmptyOrOID(p.To) {
		return task.Refuse(task.CodeInvalid, fmt.Sprintf("claim %q of fence %d can't be one that was lost", p.Claim, p.Fence),
			"")
	}
	return nil
}
