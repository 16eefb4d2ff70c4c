package task

import "github.com/git-brew/git-brew/internal/operation"

// kinds is the table of kinds: what an operation does to the state, when it
// may be made, and the sentence that tells it.
var kinds = map[operation.Kind]kind{
	OpCreate:  row(applyCreate, checkCreate, sayCreate),
	OpEdit:    row(applyEdit, checkEdit, sayEdit),
	OpStart:   row(applyStart, checkStart, sayTask[StartPayload]),
	OpBlock:   row(applyBlock, checkBlock, sayBlock),
	OpHandoff: row(applyHandoff, checkHandoff, sayTask[EmptyPayload]),
	OpResume:  row(applyResume, checkResume, sayTask[EmptyPayload]),
	OpFinish:  row(applyFinish, checkFinish, sayFinish),
	OpDelete:  row(applyDelete, checkDelete, sayDelete),
	OpStage:   row(applyStage, checkStage, sayStage),

	OpPhaseAdd:      row(applyPhaseAdd, checkPhaseAdd, sayPhaseAdd),
	OpPhaseStart:    row(applyPhaseStart, checkPhaseStart, sayPhaseStart),
	OpPhaseExecuted: row(applyPhaseExecuted, checkPhaseExecuted, sayPhase[PhasePayload]),
	OpPhaseReview:   row(applyPhaseReview, checkPhaseReview, sayPhaseReview),
	OpPhaseFail:     row(applyPhaseFail, checkPhaseFail, sayPhaseFail),
	OpPhaseReset:    row(applyPhaseReset, checkPhaseReset, sayPhase[PhaseReasonPayload]),
	OpPhaseLaunch:   row(applyPhaseLaunch, checkPhaseLaunch, sayPhaseLaunch).opened(),

	OpDocSet:          row(applyDocSet, checkDocSet, sayDocSet).opened(),
	OpDocResolve:      row(applyDocResolve, checkDocResolve, sayDocResolve).opened(),
	OpReport:          row(applyReport, checkReport, sayReport).opened(),
	OpKnowledgeAdd:    row(applyKnowledgeAdd, checkKnowledgeAdd, sayKnowledgeAdd).opened(),
	OpKnowledgeRemove: row(applyKnowledgeRemove, checkKnowledgeRemove, sayKnowledgeRemove).opened(),
}

func (p PhasePayload) phase() UID       { return p.Phase }
func (p PhaseReviewPayload) phase() UID { return p.Phase }
func (p PhaseReasonPayload) phase() UID { return p.Phase }
func (p PhaseLaunchPayload) phase() UID { return p.Phase }
func (p ReportPayload) phase() UID      { return p.Phase }
