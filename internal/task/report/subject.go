package report

import (
	"github.com/git-brew/git-brew/internal/operation"
	"github.com/git-brew/git-brew/internal/task"
)

// Subject tells in one line what op did: the subject of its commit.
func Subject(op operation.Operation, before, after task.Task) string {
	return task.SubjectLine(sentence(op, before, after))
}

// sentence tells what op did.
func sentence(op operation.Operation, before, after task.Task) string {
	tell, known := sentences()[op.Kind]
	if !known {
		return string(op.Kind) + ": unknown here"
	}
	return tell(op, before, after)
}

// teller is a sentence on operations of a kind.
type teller func(op operation.Operation, before, after task.Task) string

// told is a sentence about an operation whose payload is a P.
func told[P any](say func(op operation.Operation, p P, before, after task.Task) string) teller {
	return func(op operation.Operation, before, after task.Task) string {
		p, _ := task.Payload[P](op)
		return say(op, p, before, after)
	}
}

// sentences is the table of the sentences, by kind.
func sentences() map[operation.Kind]teller {
	return map[operation.Kind]teller{
		task.OpCreate:          told(sayCreate),
		task.OpEdit:            told(sayEdit),
		task.OpStart:           told(sayStart),
		task.OpPause:           told(sayPause),
		task.OpResume:          told(sayTask[task.EmptyPayload]),
		task.OpFinish:          told(sayFinish),
		task.OpDelete:          told(sayDelete),
		task.OpStage:           told(sayStage),
		task.OpStepSkip:        told(saySkip),
		task.OpPhaseAdd:        told(sayPhaseAdd),
		task.OpPhaseStart:      told(sayPhaseStart),
		task.OpPhaseClaim:      told(sayPhaseClaim),
		task.OpPhaseDone:       told(sayPhase[task.PhasePayload]),
		task.OpPhaseReview:     told(sayPhaseReview),
		task.OpPhaseFail:       told(sayPhaseReason),
		task.OpPhaseDrop:       told(sayPhaseReason),
		task.OpPhaseReset:      told(sayPhase[task.PhaseReasonPayload]),
		task.OpPhaseEdit:       told(sayPhaseEdit),
		task.OpPhaseVerify:     told(sayPhaseVerify),
		task.OpPhaseEscalate:   told(sayEscalate),
		task.OpPhaseError:      told(sayPhaseError),
		task.OpPhaseLaunch:     told(sayPhaseLaunch),
		task.OpDocSet:          told(sayDocSet),
		task.OpDocResolve:      told(sayDocResolve),
		task.OpReport:          told(sayReport),
		task.OpKnowledgeAdd:    told(sayKnowledgeAdd),
		task.OpKnowledgeRemove: told(sayKnowledgeRemove),
		task.OpRemarkAdd:       told(sayRemarkAdd),
		task.OpRemarkVote:      told(sayRemarkVote),
		task.OpRemarkResolve:   told(sayRemarkResolve),
		task.OpBoardReady:      told(sayBoardReady),
		task.OpDecisionAdd:     told(sayDecisionAdd),
		task.OpDecisionRevoke:  told(sayDecisionRevoke),
		task.OpStepHook:        told(sayStepHook),
		task.OpHookSkip:        told(sayHookSkip),
		task.OpLockLost:        told(sayLockLost),
		task.OpUndo:            told(sayUndo),
		task.OpUndoOpen:        told(sayUndo),
	}
}
