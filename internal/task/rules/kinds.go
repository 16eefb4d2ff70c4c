package rules

import (
	"github.com/git-brew/git-brew/internal/operation"
	"github.com/git-brew/git-brew/internal/task"
)

// kindOf is the table of kinds: what an operation does to the state, and when it
// may be made. A row is made when it is asked for, so that a process which needs none
// pays for none. The sentences that tell operations are package report's.
func kindOf(k operation.Kind) (kind, bool) { //nolint:funlen // a table
	switch k {
	case task.OpCreate:
		return rule(createTask), true
	case task.OpEdit:
		return rule(editTask).opened(), true
	case task.OpStart:
		return rule(startTask), true
	case task.OpPause:
		return rule(pauseTask), true
	case task.OpResume:
		return rule(resumeTask), true
	case task.OpFinish:
		return rule(finishTask, askFinish), true
	case task.OpDelete:
		return rule(deleteTask), true
	case task.OpStage:
		return rule(setStage, askStage), true
	case task.OpStepSkip:
		return rule(skipStep, askStepSkip), true
	case task.OpPhaseAdd:
		return rule(addPhase, askPhaseAdd), true
	case task.OpPhaseStart:
		return rule(startPhase, askPhaseStart), true
	case task.OpPhaseClaim:
		return rule(takeOver, askPhaseClaim), true
	case task.OpPhaseDone:
		return rule(donePhase, askPhaseDone), true
	case task.OpPhaseReview:
		return rule(reviewPhase, askPhaseReview).opened(), true
	case task.OpPhaseFail:
		return rule(failPhase), true
	case task.OpPhaseDrop:
		return rule(dropPhase), true
	case task.OpPhaseReset:
		return rule(resetPhase), true
	case task.OpPhaseEdit:
		return rule(editPhase, askPhaseEdit), true
	case task.OpPhaseVerify:
		return rule(recordRun).opened(), true
	case task.OpPhaseEscalate:
		return rule(escalatePhase), true
	case task.OpPhaseError:
		return rule(countError), true
	case task.OpPhaseLaunch:
		return rule(launchAgent).opened(), true
	case task.OpDocSet:
		return rule(setText).opened(), true
	case task.OpDocResolve:
		return rule(resolveText, askDocResolve).opened(), true
	case task.OpReport:
		return rule(addReport).opened(), true
	case task.OpKnowledgeAdd:
		return rule(addKnowledge).opened(), true
	case task.OpKnowledgeRemove:
		return rule(removeKnowledge, askKnowledgeRemove).opened(), true
	case task.OpRemarkAdd:
		return rule(addRemark, askRemarkAdd).opened(), true
	case task.OpRemarkVote:
		return rule(voteRemark, askRemarkVote).opened(), true
	case task.OpRemarkResolve:
		return rule(resolveRemark).opened(), true
	case task.OpBoardReady:
		return rule(takeBoard, askBoardReady).opened(), true
	case task.OpDecisionAdd:
		return rule(addDecision, askDecisionAdd).opened(), true
	case task.OpDecisionRevoke:
		return rule(revokeDecision, askDecisionRevoke).opened(), true
	case task.OpStepHook:
		return rule(recordHooks).opened(), true
	case task.OpHookSkip:
		return rule(skipHook).opened(), true
	case task.OpLockLost:
		return rule(loseLock).opened(), true
	case task.OpUndo:
		return rule(undo(false)), true
	case task.OpUndoOpen:
		return rule(undo(true)).opened(), true
	}
	return kind{}, false
}
