package rules

import (
	"errors"
	"sync"

	"github.com/git-brew/git-brew/internal/operation"
	"github.com/git-brew/git-brew/internal/task"
)

// kind is a row of the table of kinds.
type kind struct {
	open bool // to everyone: not guarded by the lock
	// do decides about an operation, and changes the state by it. Made: it is made now.
	do func(e *editor, op operation.Operation, made bool) error
}

// rule makes a row of what decides about an operation and changes the state by it: what
// it refuses, the fold leaves out. Asks are owed besides where one is made, and not in
// the fold: histories that meet may each have seen to them.
func rule[P any](do func(*editor, P) error, asks ...func(task.Task, P) error) kind {
	return kind{do: func(e *editor, op operation.Operation, made bool) error {
		p, ok := task.Payload[P](op)
		if !ok {
			return task.Refuse(task.CodeInvalid, "the payload of "+string(op.Kind)+" can't be read", "")
		}
		if err := task.Check(p); err != nil {
			return err
		}
		before := e.t
		err := do(e, p)
		if !made {
			return err
		}
		if seen := task.CheckSeen(p); seen != nil {
			return seen
		}
		if errors.Is(err, errUnloaded) {
			return nil
		}
		for _, ask := range asks {
			if err == nil {
				err = ask(before, p)
			}
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
		task.OpFinish:          rule(finishTask, askFinish),
		task.OpDelete:          rule(deleteTask),
		task.OpStage:           rule(setStage, askStage),
		task.OpStepSkip:        rule(skipStep, askStepSkip),
		task.OpPhaseAdd:        rule(addPhase, askPhaseAdd),
		task.OpPhaseStart:      phaseRule(startPhase, askRunning, askPhaseStart),
		task.OpPhaseClaim:      phaseRule(takeOver, askRunning),
		task.OpPhaseDone:       phaseRule(donePhase, askPhaseDone),
		task.OpPhaseReview:     phaseRule(reviewPhase, askPhaseReview).opened(),
		task.OpPhaseFail:       phaseRule(failPhase),
		task.OpPhaseDrop:       phaseRule(dropPhase),
		task.OpPhaseReset:      phaseRule(resetPhase),
		task.OpPhaseEdit:       phaseRule(editPhase, askPhaseEdit),
		task.OpPhaseVerify:     phaseRule(recordRun).opened(),
		task.OpPhaseEscalate:   phaseRule(escalatePhase),
		task.OpPhaseError:      phaseRule(countError),
		task.OpPhaseLaunch:     phaseRule(launchAgent).opened(),
		task.OpDocSet:          rule(setText).opened(),
		task.OpDocResolve:      rule(resolveText, askDocResolve).opened(),
		task.OpReport:          phaseRule(addReport).opened(),
		task.OpKnowledgeAdd:    rule(addKnowledge).opened(),
		task.OpKnowledgeRemove: rule(removeKnowledge, askKnowledgeRemove).opened(),
		task.OpRemarkAdd:       rule(addRemark, askRemarkAdd).opened(),
		task.OpRemarkVote:      rule(voteRemark, askRemarkVote).opened(),
		task.OpRemarkResolve:   rule(resolveRemark).opened(),
		task.OpBoardReady:      rule(takeBoard, askBoardReady).opened(),
		task.OpDecisionAdd:     rule(addDecision, askDecisionAdd).opened(),
		task.OpDecisionRevoke:  rule(revokeDecision, askDecisionRevoke).opened(),
		task.OpStepHook:        rule(recordHooks).opened(),
		task.OpHookSkip:        rule(skipHook).opened(),
		task.OpLockLost:        rule(loseLock).opened(),
		task.OpUndo:            rule(undo(false)),
		task.OpUndoOpen:        rule(undo(true)).opened(),
	}
}
