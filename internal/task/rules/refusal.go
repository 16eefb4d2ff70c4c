package rules

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/git-brew/git-brew/internal/operation"
	"github.com/git-brew/git-brew/internal/task"
)

// nextHint is what takes p on from where it stands, said where something else was
// refused: a command that would not be refused in its turn, or where that is told
// which comes first.
func nextHint(t task.Task, p task.Phase) string {
	above := droppedAbove(t, p)
	switch {
	case t.Status.Terminal():
	case above != nil:
		return takeUp(*above)
	case p.Status == task.PhaseCompleted:
		return "'git brew phase reset " + p.ID + "' does it again"
	case p.Status == task.PhaseDropped:
		return takeUp(p)
	case t.Status != task.InProgress && p.Status != task.PhaseInReview:
		return "'git brew start' first"
	case p.Status == task.PhaseInProgress && DoneBlocked(t, p) == nil:
		return "git brew phase done " + p.ID + " when the work is done"
	}
	return "see 'git brew next'"
}

// wrongStatus refuses what a phase is not ready for where it stands.
func wrongStatus(t task.Task, p task.Phase, why string) error {
	return task.Refuse(task.CodeTransition, fmt.Sprintf("phase %s is %s: %s", p.ID, p.Status, why), nextHint(t, p))
}

// full refuses more of what there is as much as fits.
func full(have, most int, what, hint string) error {
	if have < most {
		return nil
	}
	return task.Refuse(task.CodeTaskState, fmt.Sprintf("there are %d %s, no more fit", have, what), hint)
}

// noReason refuses what nobody says why of.
func noReason(what, reason string) error {
	if strings.TrimSpace(reason) != "" {
		return nil
	}
	return task.Refuse(task.CodeInvalid, what+" needs a reason", "say why, with -m")
}

// errNoID refuses an operation whose id is another one's.
func errNoID() error { return task.Refuse(task.CodeInvalid, "the operation has no id of its own", "") }

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
