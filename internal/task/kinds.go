package task

import "github.com/git-brew/git-brew/internal/operation"

// kindOf is the table of kinds: what an operation does to the state, and when it
// may be made. A row is made when it is asked for, so that a process which needs none
// pays for none. The sentences that tell operations are package report's.
func kindOf(k operation.Kind) (kind, bool) {
	switch k {
	case OpCreate:
		return row(applyCreate, checkCreate).quotes("base", "path").lasts("'git brew finish --status cancelled' ends a task that nobody wants"), true
	case OpEdit:
		return row(applyEdit, checkEdit).quotes("base", "path", "drop_services", "drop_issues").opened(), true
	case OpStart:
		return row(applyStart, checkStart).quotes("took_from"), true
	case OpPause:
		return row(applyPause, checkPause), true
	case OpResume:
		return row(applyResume, checkResume), true
	case OpFinish:
		return row(applyFinish, checkFinish), true
	case OpDelete:
		return row(applyDelete, checkDelete), true
	case OpStage:
		return row(applyStage, checkStage), true
	case OpStepSkip:
		return row(applyStepSkip, checkStepSkip).quotes("questions"), true
	case OpPhaseAdd:
		return row(applyPhaseAdd, checkPhaseAdd), true
	case OpPhaseStart:
		return row(applyPhaseStart, checkPhaseStart), true
	case OpPhaseClaim:
		return row(applyPhaseClaim, checkPhaseClaim), true
	case OpPhaseDone:
		return row(applyPhaseDone, checkPhaseDone), true
	case OpPhaseReview:
		return row(applyPhaseReview, checkPhaseReview).quotes("what").opened(), true
	case OpPhaseFail:
		return row(applyPhaseFail, checkPhaseFail), true
	case OpPhaseDrop:
		return row(applyPhaseDrop, checkPhaseDrop), true
	case OpPhaseReset:
		return row(applyPhaseReset, checkPhaseReset), true
	case OpPhaseEdit:
		return row(applyPhaseEdit, checkPhaseEdit).quotes("drop_acceptance", "drop_verification"), true
	case OpPhaseVerify:
		return row(applyPhaseVerify, checkPhaseVerify).quotes("text").opened().lasts("'git brew verify' tries again"), true
	case OpPhaseEscalate:
		return row(applyEscalate, checkEscalate), true
	case OpPhaseError:
		return row(applyPhaseError, checkPhaseError).quotes("text").lasts(""), true
	case OpPhaseLaunch:
		return row(applyPhaseLaunch, checkPhaseLaunch).opened().lasts(""), true
	case OpDocSet:
		return row(applyDocSet, checkDocSet).opened(), true
	case OpDocResolve:
		return row(applyDocResolve, checkDocResolve).opened(), true
	case OpReport:
		return row(applyReport, checkReport).opened(), true
	case OpKnowledgeAdd:
		return row(applyKnowledgeAdd, checkKnowledgeAdd).opened(), true
	case OpKnowledgeRemove:
		return row(applyKnowledgeRemove, checkKnowledgeRemove).opened(), true
	case OpRemarkAdd:
		return row(applyRemarkAdd, checkRemarkAdd).quotes("file").opened(), true
	case OpRemarkVote:
		return row(applyRemarkVote, checkRemarkVote).opened(), true
	case OpRemarkResolve:
		return row(applyRemarkResolve, checkRemarkResolve).opened(), true
	case OpBoardReady:
		return row(applyBoardReady, checkBoardReady).opened(), true
	case OpDecisionAdd:
		return row(applyDecisionAdd, checkDecisionAdd).opened(), true
	case OpDecisionRevoke:
		return row(applyDecisionRevoke, checkDecisionRevoke).opened(), true
	case OpStepHook:
		return row(applyStepHook, checkStepHook).quotes("hook", "detail").opened().lasts(""), true
	case OpHookSkip:
		return row(applyHookSkip, checkHookSkip).opened(), true
	case OpLockLost:
		return row(applyLockLost, checkLockLost).quotes("holder").opened().lasts(""), true
	case OpUndo:
		return row(applyUndo(false), checkUndo).quotes("said"), true
	case OpUndoOpen:
		return row(applyUndo(true), checkUndo).quotes("said").opened(), true
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
