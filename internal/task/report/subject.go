package report

import (
	"github.com/git-brew/git-brew/internal/operation"
	"github.com/git-brew/git-brew/internal/task"
)

// Subject tells in one line what op did: the subject of its commit.
func Subject(op operation.Operation, before, after task.Task) string {
	return task.SubjectLine(sentence(op, before, after))
}

// sentence is the table of the sentences, by kind.
func sentence(op operation.Operation, before, after task.Task) string {
	switch op.Kind {
	case task.OpCreate:
		return told(sayCreate, op, before, after)
	case task.OpEdit:
		return told(sayEdit, op, before, after)
	case task.OpStart:
		return told(sayStart, op, before, after)
	case task.OpPause:
		return told(sayPause, op, before, after)
	case task.OpResume:
		return told(sayTask[task.EmptyPayload], op, before, after)
	case task.OpFinish:
		return told(sayFinish, op, before, after)
	case task.OpDelete:
		return told(sayDelete, op, before, after)
	case task.OpStage:
		return told(sayStage, op, before, after)
	case task.OpStepSkip:
		return told(saySkip, op, before, after)
	case task.OpPhaseAdd:
		return told(sayPhaseAdd, op, before, after)
	case task.OpPhaseStart:
		return told(sayPhaseStart, op, before, after)
	case task.OpPhaseClaim:
		return told(sayPhaseClaim, op, before, after)
	case task.OpPhaseDone:
		return told(sayPhase[task.PhasePayload], op, before, after)
	case task.OpPhaseReview:
		return told(sayPhaseReview, op, before, after)
	case task.OpPhaseFail:
		return told(sayPhaseReason, op, before, after)
	case task.OpPhaseDrop:
		return told(sayPhaseReason, op, before, after)
	case task.OpPhaseReset:
		return told(sayPhase[task.PhaseReasonPayload], op, before, after)
	case task.OpPhaseEdit:
		return told(sayPhaseEdit, op, before, after)
	case task.OpPhaseVerify:
		return told(sayPhaseVerify, op, before, after)
	case task.OpPhaseEscalate:
		return told(sayEscalate, op, before, after)
	case task.OpPhaseError:
		return told(sayPhaseError, op, before, after)
	case task.OpPhaseLaunch:
		return told(sayPhaseLaunch, op, before, after)
	case task.OpDocSet:
		return told(sayDocSet, op, before, after)
	case task.OpDocResolve:
		return told(sayDocResolve, op, before, after)
	case task.OpReport:
		return told(sayReport, op, before, after)
	case task.OpKnowledgeAdd:
		return told(sayKnowledgeAdd, op, before, after)
	case task.OpKnowledgeRemove:
		return told(sayKnowledgeRemove, op, before, after)
	case task.OpRemarkAdd:
		return told(sayRemarkAdd, op, before, after)
	case task.OpRemarkVote:
		return told(sayRemarkVote, op, before, after)
	case task.OpRemarkResolve:
		return told(sayRemarkResolve, op, before, after)
	case task.OpBoardReady:
		return told(sayBoardReady, op, before, after)
	case task.OpDecisionAdd:
		return told(sayDecisionAdd, op, before, after)
	case task.OpDecisionRevoke:
		return told(sayDecisionRevoke, op, before, after)
	case task.OpStepHook:
		return told(sayStepHook, op, before, after)
	case task.OpHookSkip:
		return told(sayHookSkip, op, before, after)
	case task.OpLockLost:
		return told(sayLockLost, op, before, after)
	case task.OpUndo, task.OpUndoOpen:
		return told(sayUndo, op, before, after)
	}
	return string(op.Kind) + ": unknown here"
}

// told is a sentence about an operation whose payload is a P.
func told[P any](say func(op operation.Operation, p P, before, after task.Task) string, op operation.Operation, before, after task.Task) string {
	p, _ := task.Payload[P](op)
	return say(op, p, before, after)
}
