package rules

import (
	"cmp"
	"errors"
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
	applied := err == nil && op.ID.Valid() && k.apply(e, op)
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
	return k.check(t, op)
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

// kind is a row of the table of kinds.
type kind struct {
	open  bool // to everyone: not guarded by the lock
	apply func(*editor, operation.Operation) bool
	check func(task.Task, operation.Operation) error
}

// rule makes a row of what decides about an operation and changes the state by it: what
// it refuses, the fold leaves out. Asks are owed besides where one is made, and not in
// the fold: histories that meet may each have seen to them.
func rule[P any](do func(*editor, P) error, asks ...func(task.Task, P) error) kind {
	decide := func(e *editor, op operation.Operation) (P, error) {
		p, ok := task.Payload[P](op)
		if !ok {
			return p, task.Refuse(task.CodeInvalid, "the payload of "+string(op.Kind)+" can't be read", "")
		}
		if err := task.Check(p); err != nil {
			return p, err
		}
		return p, do(e, p)
	}
	return kind{
		apply: func(e *editor, op operation.Operation) bool {
			_, err := decide(e, op)
			return err == nil
		},
		check: func(t task.Task, op operation.Operation) error {
			p, err := decide(newEditor(t, op, nil), op)
			if seen := task.CheckSeen(p); seen != nil {
				return seen
			}
			if errors.Is(err, errUnloaded) {
				return nil
			}
			for _, ask := range asks {
				if err == nil {
					err = ask(t, p)
				}
			}
			return err
		},
	}
}

func (k kind) opened() kind {
	k.open = true
	return k
}

// Guarded reports whether only the holder of a held lock may make operations
// of this kind. Kinds of newer versions are taken to be guarded.
func Guarded(k operation.Kind) bool {
	row, _ := kindOf(k)
	return !row.open
}

// PhaseOf is the phase that op is about, "" for none.
func PhaseOf(op operation.Operation) task.UID {
	_, known := kindOf(op.Kind)
	switch {
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
