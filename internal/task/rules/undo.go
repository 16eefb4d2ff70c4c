package rules

import (
	"errors"
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
	return slices.Contains([]operation.Kind{task.OpPhaseError, task.OpPhaseLaunch, task.OpStepHook, task.OpLockLost}, k)
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
