package task

import "github.com/git-brew/git-brew/internal/operation"

// The kinds of operations on a task. What each does stands in the table of
// kinds (kinds.go); which of them the lock guards stands there too.
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
	ID         ID     `json:"id"`
	Title      string `json:"title"`
	Type       string `json:"type"`
	Branch     string `json:"branch"`
	Base       string `json:"base,omitempty"`
	BaseCommit string `json:"base_commit,omitempty"`
	Stage      Stage  `json:"stage"`

	Services []Service `json:"services,omitempty"`
	Issues   []string  `json:"issues,omitempty"`
	Priority Priority  `json:"priority,omitempty"`
}

// EditPayload is what OpEdit carries; empty fields stay as they are. Services and
// issues are added and taken out one by one, so that edits made apart both count.
type EditPayload struct {
	Title  string `json:"title,omitempty"`
	Branch string `json:"branch,omitempty"`
	Type   string `json:"type,omitempty"`

	AddServices  []Service `json:"add_services,omitempty"`
	DropServices []string  `json:"drop_services,omitempty"`
	AddIssues    []string  `json:"add_issues,omitempty"`
	DropIssues   []string  `json:"drop_issues,omitempty"`
	Priority     Priority  `json:"priority,omitempty"`
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
	TookFrom string `json:"took_from,omitempty"`
}

// PausePayload is what OpPause carries: why nobody works on the task now.
type PausePayload struct {
	Cause  Cause  `json:"cause"`
	Reason string `json:"reason,omitempty"`
}

// FinishPayload is what OpFinish carries: a terminal status.
type FinishPayload struct {
	Status Status `json:"status"`
	Cause  Cause  `json:"cause,omitempty"` // CauseError, of a failure
	Reason string `json:"reason,omitempty"`
	// Passed are steps that were still owed.
	Passed []Passed `json:"passed,omitempty"`
}

// EmptyPayload is what kinds carry that need nothing else.
type EmptyPayload struct{}

// StagePayload is what OpStage carries.
type StagePayload struct {
	Stage Stage `json:"stage"`
	// Passed are steps that were still owed.
	Passed []Passed `json:"passed,omitempty"`
}

// PhaseAddPayload is what OpPhaseAdd carries. The new phase's UID is the
// operation's id.
type PhaseAddPayload struct {
	Title string    `json:"title"`
	Kind  PhaseKind `json:"kind"`
	// ShownID is an id asked for (an imported story's); the fold gives the
	// next free one where it is empty or taken.
	ShownID string `json:"shown_id,omitempty"`
	Parent  UID    `json:"parent,omitempty"`
	// After places it behind a phase and what belongs to that; empty: last.
	After        UID      `json:"after,omitempty"`
	DependsOn    []UID    `json:"depends_on,omitempty"`
	Acceptance   []string `json:"acceptance,omitempty"`
	Verification []string `json:"verification,omitempty"`
	Tier         Tier     `json:"tier,omitempty"`
	Agents       []string `json:"agents,omitempty"`
}

// PhasePayload is what OpPhaseStart and OpPhaseDone carry: Commit is the
// work tree's HEAD then, empty in a repository without commits.
type PhasePayload struct {
	Phase  UID    `json:"phase"`
	Commit string `json:"commit,omitempty"`
	// Services are the commits of the task's branch in its services then. Clean:
	// the work tree had nothing beside them when the phase was handed over.
	Services Commits `json:"services,omitempty"`
	Clean    bool    `json:"clean,omitempty"`
	// Starts are new start commits, by phase: history was rewritten while the
	// phase, or what it belongs to, ran. Executed and review carry them.
	Starts map[UID]string `json:"starts,omitempty"`
	// Passed are steps that a start leaves behind. Claimed says that a worker
	// took the phase, Worker which one.
	Passed  []Passed `json:"passed,omitempty"`
	Claimed bool     `json:"claimed,omitempty"`
	Worker  string   `json:"worker,omitempty"`
}

// PhaseReviewPayload is what OpPhaseReview carries.
type PhaseReviewPayload struct {
	Phase   UID    `json:"phase"`
	Verdict Review `json:"verdict"` // approved or changes
	// Iteration is the one that was looked at: a verdict on one says nothing about
	// another; 0: whichever is in review.
	Iteration int    `json:"iteration,omitempty"`
	Reason    string `json:"reason,omitempty"`
	Commit    string `json:"commit,omitempty"`
	// Services and Starts are as in PhasePayload.
	Services Commits        `json:"services,omitempty"`
	Starts   map[UID]string `json:"starts,omitempty"`
	// Verified is the verification that an approval rests on.
	Verified UID `json:"verified,omitempty"`
	// Deviations are what the reviewer says about work that was not as planned, and
	// what was said before and still holds.
	Deviations []Deviation `json:"deviations,omitempty"`
	// User: it is the user's word, and no agent's; see Rejection.
	User bool `json:"user,omitempty"`
	// Heard is the session in which the user said it; empty: they typed it.
	Heard string `json:"heard,omitempty"`
	// MustEscalate: with this rejection the phase has had the iterations that the
	// settings allow; see Phase.MustEscalate.
	MustEscalate bool `json:"must_escalate,omitempty"`
}

// PhaseReasonPayload is what OpPhaseFail, OpPhaseDrop and OpPhaseReset carry.
type PhaseReasonPayload struct {
	Phase  UID    `json:"phase"`
	Reason string `json:"reason,omitempty"`
	// MustEscalate is as in PhaseReviewPayload, of a failure.
	MustEscalate bool `json:"must_escalate,omitempty"`
}

// PhaseLaunchPayload is what OpPhaseLaunch carries: the client started a
// sub-agent for the phase's current iteration.
type PhaseLaunchPayload struct {
	Phase UID    `json:"phase"`
	Agent string `json:"agent"`
}

// DocSetPayload is what OpDocSet carries: the text changed from the blob Base
// (empty: it did not exist) to the blob OID.
type DocSetPayload struct {
	Name DocName `json:"name"`
	Base string  `json:"base,omitempty"`
	OID  string  `json:"oid"`
}

// DocResolvePayload is what OpDocResolve carries: the conflict is settled by
// the text OID in its place.
type DocResolvePayload struct {
	Conflict operation.ID `json:"conflict"`
	OID      string       `json:"oid"`
}

// ReportPayload is what OpReport carries; Base as in DocSetPayload.
type ReportPayload struct {
	Phase     UID    `json:"phase"`
	Iteration int    `json:"iteration"`
	Verify    bool   `json:"verify,omitempty"`
	Agent     string `json:"agent"`
	Base      string `json:"base,omitempty"`
	OID       string `json:"oid"`
}

// KnowledgeAddPayload is what OpKnowledgeAdd carries; the entry's id is the
// operation's.
type KnowledgeAddPayload struct {
	TS    string   `json:"ts"`
	T     string   `json:"t"`
	Txt   string   `json:"txt"`
	Src   string   `json:"src,omitempty"`
	Paths []string `json:"paths,omitempty"`
}

// KnowledgeRemovePayload is what OpKnowledgeRemove carries.
type KnowledgeRemovePayload struct {
	IDs    []operation.ID `json:"ids"`
	Reason string         `json:"reason,omitempty"`
}

// LockLostPayload is what OpLockLost carries: the claim that a clone had made
// out of touch with the arbiter, which had given the lock to somebody else.
type LockLostPayload struct {
	Fence uint64 `json:"fence"`
	Claim string `json:"claim"`
	// To is the claim that the lock went to, ToFence the lowest fence that the
	// lock had at the arbiter meanwhile: from it on, what was made there counts
	// before what was made under Claim (operation.Yield).
	To      string `json:"to"`
	ToFence uint64 `json:"to_fence"`
	// Holder is who has the lock now, for people; empty where it is free.
	Holder string `json:"holder,omitempty"`
}
