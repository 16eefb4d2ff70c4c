package rules

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/operation"
	"github.com/git-brew/git-brew/internal/task"
)

// An operation is taken back by another one: what its author had seen stays in
// the history. It names commits of the record's own history, so that what the
// operation did is read there, and nobody can say that it did something else.

// maxAct is how many operations are taken back as one.
const maxAct = 1000

// UndoKind is the kind of operation that takes these back: it is guarded by the
// lock where one of them is.
func UndoKind(kinds ...operation.Kind) operation.Kind {
	if slices.ContainsFunc(kinds, Guarded) {
		return task.OpUndo
	}
	return task.OpUndoOpen
}

// Automatic reports kinds that git brew notes by itself: nobody did them, and
// nobody takes them back.
func Automatic(k operation.Kind) bool {
	return slices.Contains([]operation.Kind{
		task.OpPhaseError, task.OpPhaseLaunch, task.OpPhaseTurn, task.OpStepHook,
		task.OpLockLost,
	}, k)
}

// Lasting reports whether what made operations of these kinds is never taken back,
// and says what to do instead.
func Lasting(kinds ...operation.Kind) (instead string, lasting bool) {
	for i, k := range kinds {
		_, known := kindOf(k)
		switch {
		case !known:
			return "it was written by a newer git-brew", true
		case k == task.OpCreate:
			return "'git brew finish --status cancelled' ends a task that nobody wants", true
		case k == task.OpPhaseVerify:
			return "'git brew verify' tries again", true
		case Automatic(k) && (i == 0 || k != task.OpStepHook): // which goes with what it follows
			return "", true
		}
	}
	return "", false
}

// CheckUndo says why what p names can't be taken back from t now, and what the
// task becomes where it can. Errors are *RefusedError, or that the past can't be
// read.
func CheckUndo(t task.Task, p task.UndoPayload, texts task.Texts) (task.Task, error) {
	c, err := ReadChange(p, texts)
	if err != nil {
		return task.Task{}, err
	}
	after, err := c.TakeBack(t, texts)
	if err != nil {
		return task.Task{}, err
	}
	for _, q := range after.Phases {
		if owed, refused := errors.AsType[*task.RefusedError](CheckReports(after, q)); refused &&
			q.Status == task.PhaseCompleted && CheckReports(t, q) == nil {
			return task.Task{}, task.Refuse(task.CodeUndo, "phase "+q.ID+" was completed on "+strings.Join(owed.Findings, ", "),
				"'git brew phase reset "+q.ID+"' first")
		}
	}
	return after, nil
}

// undo takes back what p names: where something of it changed since, nothing at all.
// Check has no history to read, and leaves it to the fold; CheckUndo says what keeps it.
func undo(open bool) func(*editor, task.UndoPayload) error {
	return func(e *editor, p task.UndoPayload) error {
		if len(p.Operations) == 0 {
			return errUnnamed()
		}
		if e.texts == nil {
			return errUnloaded
		}
		c, err := ReadChange(p, e.texts)
		if err != nil {
			return err
		}
		if open != (UndoKind(c.kinds()...) == task.OpUndoOpen) {
			return errUnnamed()
		}
		after, err := c.TakeBack(e.t, e.texts)
		if err != nil {
			return err
		}
		*e = *newEditor(after, e.op, e.texts)
		return nil
	}
}

// SayUndone says that what a sentence tells was taken back: what was undone is
// done again, and the other way round.
func SayUndone(said string) string {
	const undone, redone = "undone: ", "redone: "
	if what, was := strings.CutPrefix(said, undone); was && what != "" {
		return redone + what
	}
	if what, was := strings.CutPrefix(said, redone); was && what != "" {
		return undone + what
	}
	return undone + said
}

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
