package task

import "github.com/git-brew/git-brew/internal/operation"

// kindOf is the table of kinds: what an operation does to the state, when it
// may be made, and the sentence that tells it. A row is made when it is asked
// for, so that a process which needs none pays for none.
func kindOf(k operation.Kind) (kind, bool) {
	switch k {
	case OpCreate:
		return row(applyCreate, checkCreate, sayCreate).quotes("base", "path").lasts("'git brew finish --status cancelled' ends a task that nobody wants"), true
	case OpEdit:
		return row(applyEdit, checkEdit, sayEdit).quotes("base", "path", "drop_services", "drop_issues").opened(), true
	case OpStart:
		return row(applyStart, checkStart, sayStart).quotes("took_from"), true
	case OpPause:
		return row(applyPause, checkPause, sayPause), true
	case OpResume:
		return row(applyResume, checkResume, sayTask[EmptyPayload]), true
	case OpFinish:
		return row(applyFinish, checkFinish, sayFinish), true
	case OpDelete:
		return row(applyDelete, checkDelete, sayDelete), true
	case OpStage:
		return row(applyStage, checkStage, sayStage), true
	case OpStepSkip:
		return row(applyStepSkip, checkStepSkip, saySkip).quotes("questions"), true
	case OpPhaseAdd:
		return row(applyPhaseAdd, checkPhaseAdd, sayPhaseAdd), true
	case OpPhaseStart:
		return row(applyPhaseStart, checkPhaseStart, sayPhaseStart), true
	case OpPhaseClaim:
		return row(applyPhaseClaim, checkPhaseClaim, sayPhaseClaim), true
	case OpPhaseDone:
		return row(applyPhaseDone, checkPhaseDone, sayPhase[PhasePayload]), true
	case OpPhaseReview:
		return row(applyPhaseReview, checkPhaseReview, sayPhaseReview).quotes("what").opened(), true
	case OpPhaseFail:
		return row(applyPhaseFail, checkPhaseFail, sayPhaseReason), true
	case OpPhaseDrop:
		return row(applyPhaseDrop, checkPhaseDrop, sayPhaseReason), true
	case OpPhaseReset:
		return row(applyPhaseReset, checkPhaseReset, sayPhase[PhaseReasonPayload]), true
	case OpPhaseEdit:
		return row(applyPhaseEdit, checkPhaseEdit, sayPhaseEdit).quotes("drop_acceptance", "drop_verification"), true
	case OpPhaseVerify:
		return row(applyPhaseVerify, checkPhaseVerify, sayPhaseVerify).quotes("text").opened().lasts("'git brew verify' tries again"), true
	case OpPhaseEscalate:
		return row(applyEscalate, checkEscalate, sayEscalate), true
	case OpPhaseError:
		return row(applyPhaseError, checkPhaseError, sayPhaseError).quotes("text").lasts(""), true
	case OpPhaseLaunch:
		return row(applyPhaseLaunch, checkPhaseLaunch, sayPhaseLaunch).opened().lasts(""), true
	case OpDocSet:
		return row(applyDocSet, checkDocSet, sayDocSet).opened(), true
	case OpDocResolve:
		return row(applyDocResolve, checkDocResolve, sayDocResolve).opened(), true
	case OpReport:
		return row(applyReport, checkReport, sayReport).opened(), true
	case OpKnowledgeAdd:
		return row(applyKnowledgeAdd, checkKnowledgeAdd, sayKnowledgeAdd).opened(), true
	case OpKnowledgeRemove:
		return row(applyKnowledgeRemove, checkKnowledgeRemove, sayKnowledgeRemove).opened(), true
	case OpRemarkAdd:
		return row(applyRemarkAdd, checkRemarkAdd, sayRemarkAdd).quotes("file").opened(), true
	case OpRemarkVote:
		return row(applyRemarkVote, checkRemarkVote, sayRemarkVote).opened(), true
	case OpRemarkResolve:
		return row(applyRemarkResolve, checkRemarkResolve, sayRemarkResolve).opened(), true
	case OpBoardReady:
		return row(applyBoardReady, checkBoardReady, sayBoardReady).opened(), true
	case OpDecisionAdd:
		return row(applyDecisionAdd, checkDecisionAdd, sayDecisionAdd).opened(), true
	case OpDecisionRevoke:
		return row(applyDecisionRevoke, checkDecisionRevoke, sayDecisionRevoke).opened(), true
	case OpStepHook:
		return row(applyStepHook, checkStepHook, sayStepHook).quotes("hook", "detail").opened().lasts(""), true
	case OpHookSkip:
		return row(applyHookSkip, checkHookSkip, sayHookSkip).opened(), true
	case OpLockLost:
		return row(applyLockLost, checkLockLost, sayLockLost).quotes("holder").opened().lasts(""), true
	case OpUndo:
		return row(applyUndo(false), checkUndo, sayUndo).quotes("said"), true
	case OpUndoOpen:
		return row(applyUndo(true), checkUndo, sayUndo).quotes("said").opened(), true
	}
	return kind{}, false
}

func (p PhasePayload) phase() UID       { return p.Phase }
func (p PhaseReviewPayload) phase() UID { return p.Phase }
func (p PhaseReasonPayload) phase() UID { return p.Phase }

// phase is the phase that a document is of: its plan, or a summary.
func (p DocSetPayload) phase() UID {
	uid, _, _ := p.Name.phase()
	return uid
}
func (p PhaseLaunchPayload) phase() UID { return p.Phase }
func (p ReportPayload) phase() UID      { return p.Phase }
