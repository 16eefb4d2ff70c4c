package task

import "github.com/git-brew/git-brew/internal/operation"

// kindOf is the table of kinds: what an operation does to the state, and when it
// may be made. A row is made when it is asked for, so that a process which needs none
// pays for none. The sentences that tell operations are package report's.
func kindOf(k operation.Kind) (kind, bool) {
	switch k {
	case OpCreate:
		return rule(createTask).quotes("base", "path"), true
	case OpEdit:
		return rule(editTask).quotes("base", "path", "drop_services", "drop_issues").opened(), true
	case OpStart:
		return rule(startTask).quotes("took_from"), true
	case OpPause:
		return rule(pauseTask), true
	case OpResume:
		return rule(resumeTask), true
	case OpFinish:
		return rule(finishTask, askFinish), true
	case OpDelete:
		return rule(deleteTask), true
	case OpStage:
		return rule(setStage, askStage), true
	case OpStepSkip:
		return rule(skipStep, askStepSkip).quotes("questions"), true
	case OpPhaseAdd:
		return rule(addPhase, askPhaseAdd), true
	case OpPhaseStart:
		return rule(startPhase, askPhaseStart), true
	case OpPhaseClaim:
		return rule(takeOver, askPhaseClaim), true
	case OpPhaseDone:
		return rule(donePhase, askPhaseDone), true
	case OpPhaseReview:
		return rule(reviewPhase, askPhaseReview).quotes("what").opened(), true
	case OpPhaseFail:
		return rule(failPhase), true
	case OpPhaseDrop:
		return rule(dropPhase), true
	case OpPhaseReset:
		return rule(resetPhase), true
	case OpPhaseEdit:
		return rule(editPhase, askPhaseEdit).quotes("drop_acceptance", "drop_verification"), true
	case OpPhaseVerify:
		return rule(recordRun).quotes("command").opened(), true
	case OpPhaseEscalate:
		return rule(escalatePhase), true
	case OpPhaseError:
		return rule(countError).quotes("text"), true
	case OpPhaseLaunch:
		return rule(launchAgent).opened(), true
	case OpDocSet:
		return rule(setText).opened(), true
	case OpDocResolve:
		return rule(resolveText, askDocResolve).opened(), true
	case OpReport:
		return rule(addReport).opened(), true
	case OpKnowledgeAdd:
		return rule(addKnowledge).opened(), true
	case OpKnowledgeRemove:
		return rule(removeKnowledge, askKnowledgeRemove).opened(), true
	case OpRemarkAdd:
		return rule(addRemark, askRemarkAdd).quotes("file").opened(), true
	case OpRemarkVote:
		return rule(voteRemark, askRemarkVote).opened(), true
	case OpRemarkResolve:
		return rule(resolveRemark).opened(), true
	case OpBoardReady:
		return rule(takeBoard, askBoardReady).opened(), true
	case OpDecisionAdd:
		return rule(addDecision, askDecisionAdd).opened(), true
	case OpDecisionRevoke:
		return rule(revokeDecision, askDecisionRevoke).opened(), true
	case OpStepHook:
		return row(applyStepHook, checked(checkStepHook)).quotes("hook", "detail").opened(), true
	case OpHookSkip:
		return row(applyHookSkip, checked(checkHookSkip)).opened(), true
	case OpLockLost:
		return rule(loseLock).quotes("holder").opened(), true
	case OpUndo:
		return row(applyUndo(false), checked(checkUndo)).quotes("said"), true
	case OpUndoOpen:
		return row(applyUndo(true), checked(checkUndo)).quotes("said").opened(), true
	}
	return kind{}, false
}
