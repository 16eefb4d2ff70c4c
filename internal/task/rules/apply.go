package rules

import (
	"cmp"
	"fmt"

	"github.com/git-brew/git-brew/internal/operation"
	"github.com/git-brew/git-brew/internal/task"
)

// Apply returns the state after op, and whether op did anything. It is total:
// what no longer applies, or makes no sense, changes nothing but the clock.
// t stays as it was.
func Apply(t task.Task, op operation.Operation, texts task.Texts) (task.Task, bool) {
	e := newEditor(t, op, texts)
	k, err := admit(t, op)
	applied := err == nil && op.ID.Valid() && k.do(e, op, false) == nil
	if applied {
		e.settleFinalReviews()
		e.t.UpdatedAt = cmp.Or(e.at, e.t.UpdatedAt)
	} else {
		e.t = t
	}
	e.t.Clock, e.t.Fence = max(e.t.Clock, op.Clock), max(e.t.Fence, op.Fence)
	return e.t, applied
}

// Check reports why op must not be made now, nil if it may. Errors are
// *RefusedError, or wrap ErrNoTask, ErrNoPhase, ErrNoDocument, ErrNoEntry.
// Who holds the lock is not asked here: see Allows.
func Check(t task.Task, op operation.Operation) error {
	k, err := admit(t, op)
	if err != nil {
		return err
	}
	if uid := PhaseOf(op); uid != "" && !k.open && t.Status.Terminal() && t.PhaseIndex(uid) >= 0 {
		return ended(t)
	}
	return k.do(newEditor(t, op, nil), op, true)
}

func ended(t task.Task) error {
	return task.Refuse(task.CodeTaskState, fmt.Sprintf("the task is %s", t.Status),
		"'git brew start --restart' takes it up again")
}

// Rules returns what operation.Void has to know about the kinds.
func Rules() operation.Rules {
	return operation.Rules{
		Guarded: Guarded,
		Delete:  func(k operation.Kind) bool { return k == task.OpDelete },
		Yield:   LockYield,
	}
}

// admit finds the row of a kind that can mean something to the task. To one that was
// deleted, these may: the delete may be what they take back.
func admit(t task.Task, op operation.Operation) (kind, error) {
	k, known := kindOf(op.Kind)
	switch {
	case !known:
		return k, task.Refuse(task.CodeInvalid,
			fmt.Sprintf("%q is no kind of operation", task.Clip(string(op.Kind), task.MaxName)), "")
	case t.Root == "" && op.Kind != task.OpCreate:
		return k, task.ErrNoTask
	case t.Root != "" && op.Kind == task.OpCreate:
		return k, task.Refuse(task.CodeTaken, fmt.Sprintf("%s exists already", t.ID), "choose another title")
	case t.Deleted && op.Kind != task.OpLockLost && op.Kind != task.OpUndo:
		return k, fmt.Errorf("%w: %s was deleted", task.ErrNoTask, t.ID)
	}
	return k, nil
}

// Guarded reports whether only the holder of a held lock may make operations
// of this kind. Kinds of newer versions are taken to be guarded.
func Guarded(k operation.Kind) bool {
	row, _ := kindOf(k)
	return !row.open
}

// PhaseOf is the phase that op is about, "" for none.
func PhaseOf(op operation.Operation) task.UID {
	switch _, known := kindOf(op.Kind); {
	case !known, op.Kind == task.OpStepSkip:
		return ""
	case op.Kind == task.OpPhaseAdd:
		return op.ID
	}
	p, _ := task.Payload[struct {
		Phase task.UID       `json:"phase"`
		On    task.BoardName `json:"on"`
		Name  task.DocName   `json:"name"`
	}](op)
	if uid, work := p.On.Phase(); work {
		return uid
	}
	if uid, _, of := p.Name.Phase(); of {
		return uid
	}
	return p.Phase
}
