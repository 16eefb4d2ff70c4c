package task

import "github.com/git-brew/git-brew/internal/operation"

// Subject tells in one line what op did: the subject of its commit.
func Subject(op operation.Operation, before, after Task) string {
	return subjectLine(sentence(op, before, after))
}

// sentence is the table of the sentences, by kind.
func sentence(op operation.Operation, before, after Task) string {
	switch op.Kind {
	case OpCreate:
		return told(sayCreate, op, before, after)
	case OpEdit:
		return told(sayEdit, op, before, after)
	case OpStart:
		return told(sayStart, op, before, after)
	case OpPause:
		return told(sayPause, op, before, after)
	case OpResume:
		return told(sayTask[EmptyPayload], op, before, after)
	case OpFinish:
		return told(sayFinish, op, before, after)
	case OpDelete:
		return told(sayDelete, op, before, after)
	case OpStage:
		return told(sayStage, op, before, after)
	case OpStepSkip:
		return told(saySkip, op, before, after)
	case OpPhaseAdd:
		return told(sayPhaseAdd, op, before, after)
	case OpPhaseStart:
		return told(sayPhaseStart, op, before, after)
	case OpPhaseClaim:
		return told(sayPhaseClaim, op, before, after)
	case OpPhaseDone:
		return told(sayPhase[PhasePayload], op, before, after)
	case OpPhaseReview:
		return told(sayPhaseReview, op, before, after)
	case OpPhaseFail:
		return told(sayPhaseReason, op, before, after)
	case OpPhaseDrop:
		return told(sayPhaseReason, op, before, after)
	case OpPhaseReset:
		return told(sayPhase[PhaseReasonPayload], op, before, after)
	case OpPhaseEdit:
		return told(sayPhaseEdit, op, before, after)
	case OpPhaseVerify:
		return told(sayPhaseVerify, op, before, after)
	case OpPhaseEscalate:
		return told(sayEscalate, op, before, after)
	case OpPhaseError:
		return told(sayPhaseError, op, before, after)
	case OpPhaseLaunch:
		return told(sayPhaseLaunch, op, before, after)
	case OpDocSet:
		return told(sayDocSet, op, before, after)
	case OpDocResolve:
		return told(sayDocResolve, op, before, after)
	case OpReport:
		return told(sayReport, op, before, after)
	case OpKnowledgeAdd:
		return told(sayKnowledgeAdd, op, before, after)
	case OpKnowledgeRemove:
		return told(sayKnowledgeRemove, op, before, after)
	case OpRemarkAdd:
		return told(sayRemarkAdd, op, before, after)
	case OpRemarkVote:
		return told(sayRemarkVote, op, before, after)
	case OpRemarkResolve:
		return told(sayRemarkResolve, op, before, after)
	case OpBoardReady:
		return told(sayBoardReady, op, before, after)
	case OpDecisionAdd:
		return told(sayDecisionAdd, op, before, after)
	case OpDecisionRevoke:
		return told(sayDecisionRevoke, op, before, after)
	case OpStepHook:
		return told(sayStepHook, op, before, after)
	case OpHookSkip:
		return told(sayHookSkip, op, before, after)
	case OpLockLost:
		return told(sayLockLost, op, before, after)
	case OpUndo, OpUndoOpen:
		return told(sayUndo, op, before, after)
	}
	return string(op.Kind) + ": unknown here"
}

// told is a sentence about an operation whose payload is a P.
func told[P any](say func(op operation.Operation, p P, before, after Task) string, op operation.Operation, before, after Task) string {
	p, _ := Payload[P](op)
	return say(op, p, before, after)
}
