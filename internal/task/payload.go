package task

import (
	"encoding/json"

	"github.com/git-brew/git-brew/internal/operation"
)

// Payload is what an operation carries; it is false where that is no P.
func Payload[P any](op operation.Operation) (P, bool) {
	var p P
	err := json.Unmarshal(op.Payload, &p)
	return p, err == nil
}

// The kinds of operations on a task. What each does stands in the table of
// kinds (package rules); which of them the lock guards stands there too.
const (
	OpCreate          operation.Kind = "task.create"
	OpEdit            operation.Kind = "task.edit"
	OpStart           operation.Kind = "task.start"
	OpPause           operation.Kind = "task.pause"
	OpResume          operation.Kind = "task.resume"
	OpFinish          operation.Kind = "task.finish"
	OpDelete          operation.Kind = "task.delete"
	OpStage           operation.Kind = "stage.set"
	OpStepSkip        operation.Kind = "step.skip"
	OpPhaseAdd        operation.Kind = "phase.add"
	OpPhaseStart      operation.Kind = "phase.start"
	OpPhaseClaim      operation.Kind = "phase.claim"
	OpPhaseDone       operation.Kind = "phase.done"
	OpPhaseReview     operation.Kind = "phase.review"
	OpPhaseFail       operation.Kind = "phase.fail"
	OpPhaseDrop       operation.Kind = "phase.drop"
	OpPhaseReset      operation.Kind = "phase.reset"
	OpPhaseEdit       operation.Kind = "phase.edit"
	OpPhaseVerify     operation.Kind = "phase.verify"
	OpPhaseEscalate   operation.Kind = "phase.escalate"
	OpPhaseError      operation.Kind = "phase.error"
	OpPhaseLaunch     operation.Kind = "phase.launch"
	OpPhaseTurn       operation.Kind = "phase.turn"
	OpDocSet          operation.Kind = "doc.set"
	OpDocResolve      operation.Kind = "doc.resolve"
	OpReport          operation.Kind = "report.add"
	OpKnowledgeAdd    operation.Kind = "knowledge.add"
	OpKnowledgeRemove operation.Kind = "knowledge.remove"
	OpLockLost        operation.Kind = "lock.lost"
	OpUndo            operation.Kind = "task.undo"
	OpUndoOpen        operation.Kind = "open.undo"
	OpRemarkAdd       operation.Kind = "remark.add"
	OpRemarkVote      operation.Kind = "remark.vote"
	OpRemarkResolve   operation.Kind = "remark.resolve"
	OpBoardReady      operation.Kind = "board.ready"
	OpDecisionAdd     operation.Kind = "decision.add"
	OpDecisionRevoke  operation.Kind = "decision.revoke"
	OpStepHook        operation.Kind = "step.hook"
	OpHookSkip        operation.Kind = "hook.skip"
)

// CreatePayload is what OpCreate carries.
type CreatePayload struct {
	ID         ID     `json:"id" is:"id"`
	Title      string `json:"title" is:"title"`
	Type       string `json:"type" is:"type"`
	Branch     string `json:"branch" is:"branch"`
	Base       string `json:"base,omitempty" is:"base"`
	BaseCommit string `json:"base_commit,omitempty" is:"oid"`
	Stage      Stage  `json:"stage" is:"stage"`

	Services []Service `json:"services,omitempty" len:"100"`
	Issues   []string  `json:"issues,omitempty" is:"issue" len:"50"`
	Priority Priority  `json:"priority,omitempty" is:"priority"`
}

// EditPayload is what OpEdit carries; empty fields stay as they are. Services and
// issues are added and taken out one by one, so that edits made apart both count.
type EditPayload struct {
	Title  string `json:"title,omitempty" is:"title"`
	Branch string `json:"branch,omitempty" is:"branch"`
	Type   string `json:"type,omitempty" is:"type"`

	AddServices  []Service `json:"add_services,omitempty" len:"100"`
	DropServices []string  `json:"drop_services,omitempty"`
	AddIssues    []string  `json:"add_issues,omitempty" is:"issue" len:"50"`
	DropIssues   []string  `json:"drop_issues,omitempty"`
	Priority     Priority  `json:"priority,omitempty" is:"priority"`
}

// Empty: it would change nothing.
func (p EditPayload) Empty() bool {
	return p.Title == "" && p.Branch == "" && p.Type == "" && p.Priority == "" &&
		len(p.AddServices) == 0 && len(p.DropServices) == 0 && len(p.AddIssues) == 0 && len(p.DropIssues) == 0
}

// StartPayload is what OpStart carries.
type StartPayload struct {
	// Restart leaves a terminal status.
	Restart bool `json:"restart,omitempty"`
	// TookFrom is whose lock was taken over for it, for people.
	TookFrom string `json:"took_from,omitempty" is:"quote"`
}

// PausePayload is what OpPause carries: why nobody works on the task now.
type PausePayload struct {
	Cause  Cause  `json:"cause" is:"cause of a pause"`
	Reason string `json:"reason,omitempty" is:"reason"`
}

// FinishPayload is what OpFinish carries: a terminal status.
type FinishPayload struct {
	Status Status `json:"status" is:"end of a task"`
	Cause  Cause  `json:"cause,omitempty" is:"cause"` // CauseError, of a failure
	Reason string `json:"reason,omitempty" is:"reason"`
	// Passed are steps that were still owed.
	Passed []Passed `json:"passed,omitempty"`
}

// EmptyPayload is what kinds carry that need nothing else.
type EmptyPayload struct{}

// StagePayload is what OpStage carries.
type StagePayload struct {
	Stage Stage `json:"stage" is:"stage"`
	// Passed are steps that were still owed.
	Passed []Passed `json:"passed,omitempty"`
}

// LockLostPayload is what OpLockLost carries: the claim that a clone had made
// out of touch with the arbiter, which had given the lock to somebody else.
type LockLostPayload struct {
	Fence uint64 `json:"fence"`
	Claim string `json:"claim" is:"oid"`
	// To is the claim that the lock went to, ToFence the lowest fence that the
	// lock had at the arbiter meanwhile: from it on, what was made there counts
	// before what was made under Claim (operation.Yield).
	To      string `json:"to"`
	ToFence uint64 `json:"to_fence"`
	// Holder is who has the lock now, for people; empty where it is free.
	Holder string `json:"holder,omitempty" is:"quote"`
}
