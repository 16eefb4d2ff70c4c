package rules

import (
	"cmp"
	"errors"
	"fmt"
	"sync"

	"github.com/git-brew/git-brew/internal/operation"
	"github.com/git-brew/git-brew/internal/task"
)

// Apply returns the state after op, and whether op did anything. It is total:
// what no longer applies, or makes no sense, changes nothing but the clock.
// t stays as it was.
func Apply(t task.Task, op operation.Operation, texts task.Texts) (task.Task, bool) {
	e := newEditor(t, op, texts)
	k, err := admit(t, op)
	applied := err == nil && op.ID.Valid() && k.do(e) == nil
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
	e := newEditor(t, op, nil)
	e.made = true
	if err := k.do(e); !errors.Is(err, errUnloaded) {
		return err
	}
	return nil
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

// kind is a row of the table of kinds.
type kind struct {
	open bool // to everyone: not guarded by the lock
	// do decides about the editor's operation, and changes the state by it.
	do func(e *editor) error
}

// rule makes a row of what decides about an operation and changes the state by it: what
// it refuses, the fold leaves out. What is owed only where one is made, it asks where
// e.made says so: histories that meet may each have seen to that.
func rule[P any](do func(*editor, P) error) kind {
	return kind{do: func(e *editor) error {
		p, ok := task.Payload[P](e.op)
		if !ok {
			return task.Refuse(task.CodeInvalid, "the payload of "+string(e.op.Kind)+" can't be read", "")
		}
		err := task.Check(p)
		if err == nil && e.made {
			err = task.CheckSeen(p)
		}
		if err == nil {
			err = do(e, p)
		}
		return err
	}}
}

// opened makes a row that anyone may use, whoever holds the lock.
func (k kind) opened() kind {
	k.open = true
	return k
}

var made struct {
	once  sync.Once
	kinds map[operation.Kind]kind
}

// kindOf is the row of a kind. The table is made when it is asked for, so that a process
// which needs none pays for none.
func kindOf(k operation.Kind) (kind, bool) {
	made.once.Do(func() { made.kinds = kindTable() })
	row, known := made.kinds[k]
	return row, known
}

// kindTable is what an operation does to the state, and when it may be made, by its
// kind. The sentences that tell operations are package report's.
func kindTable() map[operation.Kind]kind {
	return map[operation.Kind]kind{
		task.OpCreate:          rule(createTask),
		task.OpEdit:            rule(editTask).opened(),
		task.OpStart:           rule(startTask),
		task.OpPause:           rule(pauseTask),
		task.OpResume:          rule(resumeTask),
		task.OpFinish:          rule(finishTask),
		task.OpDelete:          rule(deleteTask),
		task.OpStage:           rule(setStage),
		task.OpStepSkip:        rule(skipStep),
		task.OpPhaseAdd:        rule(addPhase),
		task.OpPhaseStart:      phaseRule(startPhase),
		task.OpPhaseClaim:      phaseRule(takeOver),
		task.OpPhaseDone:       phaseRule(donePhase),
		task.OpPhaseReview:     phaseRule(reviewPhase).opened(),
		task.OpPhaseFail:       phaseRule(failPhase),
		task.OpPhaseDrop:       phaseRule(dropPhase),
		task.OpPhaseReset:      phaseRule(resetPhase),
		task.OpPhaseEdit:       phaseRule(editPhase),
		task.OpPhaseVerify:     phaseRule(recordRun).opened(),
		task.OpPhaseEscalate:   phaseRule(escalatePhase),
		task.OpPhaseError:      phaseRule(countError),
		task.OpPhaseLaunch:     phaseRule(launchAgent).opened(),
		task.OpPhaseTurn:       phaseRule(countTurn),
		task.OpDocSet:          rule(setText).opened(),
		task.OpDocResolve:      rule(resolveText).opened(),
		task.OpReport:          phaseRule(addReport).opened(),
		task.OpKnowledgeAdd:    rule(addKnowledge).opened(),
		task.OpKnowledgeRemove: rule(removeKnowledge).opened(),
		task.OpRemarkAdd:       rule(addRemark).opened(),
		task.OpRemarkVote:      rule(voteRemark).opened(),
		task.OpRemarkResolve:   rule(resolveRemark).opened(),
		task.OpBoardReady:      rule(takeBoard).opened(),
		task.OpDecisionAdd:     rule(addDecision).opened(),
		task.OpDecisionRevoke:  rule(revokeDecision).opened(),
		task.OpStepHook:        rule(recordHooks).opened(),
		task.OpHookSkip:        rule(skipHook).opened(),
		task.OpLockLost:        rule(loseLock).opened(),
		task.OpUndo:            rule(undo(false)),
		task.OpUndoOpen:        rule(undo(true)).opened(),
	}
}
