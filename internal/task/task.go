package task

import (
	"strings"

	"github.com/git-brew/git-brew/internal/knowledge"
	"github.com/git-brew/git-brew/internal/operation"
)

// ID names a task for good: its slug, a dash, and 7 random base32 characters.
type ID string

// UID names what an operation made inside a task: that operation's id.
type UID = operation.ID

// Status is where a task stands.
type Status string

// The task statuses. The last three are terminal: only a restart leaves them.
const (
	Pending    Status = "pending"
	InProgress Status = "in_progress"
	Paused     Status = "paused"
	Finished   Status = "finished"
	Failed     Status = "failed"
	Cancelled  Status = "cancelled"
)

// Cause says why a task is paused, or failed.
type Cause string

// The causes. CauseNone is of a failure that its reason, or a phase's, tells.
const (
	CauseNone Cause = ""
	// CauseWaiting: it waits for a person, or for something outside; its reason says
	// for what.
	CauseWaiting Cause = "waiting"
	// CauseHandoff: somebody stopped, and whoever likes goes on.
	CauseHandoff Cause = "handoff"
	// CauseCompaction: an agent's context is compacted, and its session goes on.
	CauseCompaction Cause = "compaction"
	// CauseError: a failure of what worked on it, not of the work.
	CauseError Cause = "error"
)

// Stage is how far the thinking is; phases are worked on in StageExecute.
type Stage string

// The stages, in their usual order.
const (
	StageClarify  Stage = "clarify"
	StageResearch Stage = "research"
	StagePlan     Stage = "plan"
	StageExecute  Stage = "execute"
	StageComplete Stage = "complete"
)

// PhaseStatus is where a phase stands. PhaseInReview: the work is done, and waits for a
// verdict. PhaseDropped: the phase is not wanted any more.
type PhaseStatus string

const (
	PhasePending    PhaseStatus = "pending"
	PhaseInProgress PhaseStatus = "in_progress"
	PhaseInReview   PhaseStatus = "in_review"
	PhaseCompleted  PhaseStatus = "completed"
	PhaseFailed     PhaseStatus = "failed"
	PhaseDropped    PhaseStatus = "dropped"
)

// Over reports whether a phase holds nothing up any more: it is completed, or dropped.
func (s PhaseStatus) Over() bool { return s == PhaseCompleted || s == PhaseDropped }

// String gives the words of a status, as people read them.
func (s PhaseStatus) String() string { return shownWords(string(s)) }

// String gives the words of a status, as people read them.
func (s Status) String() string { return shownWords(string(s)) }

func shownWords(name string) string { return strings.ReplaceAll(name, "_", " ") }

// Review is the last verdict on a phase.
type Review string

// The verdicts. ReviewChanges sends the phase to revise.
const (
	ReviewNone     Review = "none"
	ReviewApproved Review = "approved"
	ReviewChanges  Review = "changes"
)

// PhaseKind says why a phase exists.
type PhaseKind string

const (
	KindExecution    PhaseKind = "execution"
	KindVerification PhaseKind = "verification"
	KindFix          PhaseKind = "fix"
	KindResearch     PhaseKind = "research"
	KindSplit        PhaseKind = "split"
	KindFinalReview  PhaseKind = "final_review"
)

// Tier is how capable a worker a phase needs.
type Tier string

// The tiers; TierAuto leaves the choice to the runner.
const (
	TierAuto      Tier = "auto"
	TierJunior    Tier = "junior"
	TierSenior    Tier = "senior"
	TierExecutive Tier = "executive"
)

// Task is the state of one task: task.json.
type Task struct {
	Schema string       `json:"schema"`
	ID     ID           `json:"id" is:"id"`
	Root   operation.ID `json:"root" is:"uid"` // the operation that created it
	Title  string       `json:"title" is:"title"`
	Type   string       `json:"type" is:"type"`
	Branch string       `json:"branch" is:"branch"` // short name, for example feature/add-jwt
	// Base is the branch the task started from, BaseCommit its commit then;
	// both may be empty (a repository without commits).
	Base       string `json:"base,omitempty" is:"base"`
	BaseCommit string `json:"base_commit,omitempty" is:"oid"`
	// Services are the submodules that have the branch, in the order of their
	// paths; where there are none, the repository itself has it.
	Services []Service `json:"services,omitempty" len:"100"`
	// Issues are links such as #123 or owner/repo#123.
	Issues   []string `json:"issues,omitempty" is:"issue" len:"50"`
	Priority Priority `json:"priority,omitempty" is:"priority"`
	Status   Status   `json:"status" is:"task status"`
	// Cause and Reason are why the task is paused, failed or cancelled.
	Cause  Cause  `json:"cause,omitempty" is:"cause"`
	Reason string `json:"reason,omitempty" is:"reason"`
	Stage  Stage  `json:"stage" is:"stage"`
	// Times are the authors' own, RFC 3339 in UTC.
	CreatedAt  string  `json:"created_at" is:"time"`
	UpdatedAt  string  `json:"updated_at" is:"time"`
	StartedAt  string  `json:"started_at,omitempty" is:"time"`
	FinishedAt string  `json:"finished_at,omitempty" is:"time"`
	PausedAt   string  `json:"paused_at,omitempty" is:"time"`
	Phases     []Phase `json:"phases" len:"1000"`
	// ByRun: it was 'git brew run' that took the task up last, and nobody since.
	ByRun bool `json:"by_run,omitempty"`
	// Current is the phase that was started last and is not completed.
	Current UID `json:"current,omitempty"`
	// Questions counts the open and all boxes under "Open Questions".
	Questions QuestionCount `json:"questions"`
	// Skips are the steps that were passed over, in the order of the fold.
	Skips   []Skip `json:"skips,omitempty" len:"5000"`
	Deleted bool   `json:"deleted,omitempty"`
	// Clock is the highest clock folded in; Fence the highest fence.
	Clock uint64 `json:"clock"`
	Fence uint64 `json:"fence,omitempty"`

	// Docs maps a document (see DocName) to its text's blob.
	Docs map[DocName]Doc `json:"-"`
	// Reports are the agents' reports, in the order of the fold.
	Reports []Report `json:"reports,omitempty" len:"10000"`
	// Conflicts are texts that could not be merged, kept beside.
	Conflicts []Conflict `json:"conflicts,omitempty"`
	// Decisions, and what reviewers said and on what, in the order of the fold:
	// a decision's number for people, and a remark's, is its place.
	Decisions []Decision `json:"decisions,omitempty" len:"500"`
	Boards    []Board    `json:"boards,omitempty" len:"100"`
	Remarks   []Remark   `json:"remarks,omitempty" len:"500"`
	// StepHooks tell what ran around steps, in the order of the fold; the oldest
	// go where there are many.
	StepHooks []StepHooks `json:"step_hooks,omitempty" len:"200"`
	// Knowledge is the task's knowledge, in the order of the fold. Where
	// KnowledgeOID is set, that blob holds it, and Knowledge may be nil for
	// not loaded (LoadKnowledge); empty: it has changed since it was stored.
	Knowledge    []knowledge.Entry `json:"-"`
	KnowledgeOID string            `json:"-"`

	// Unready is what the plan lacks, where somebody looked; see Unready.
	Unready Unready `json:"-"`
}

// Phase is a step of a task.
type Phase struct {
	UID    UID         `json:"uid" is:"uid"`
	ID     string      `json:"id" is:"name"`
	Title  string      `json:"title" is:"title"`
	Kind   PhaseKind   `json:"kind" is:"kind of phase"`
	Parent UID         `json:"parent,omitempty"` // of verification, fix, research, split
	Status PhaseStatus `json:"status" is:"phase status"`
	Review Review      `json:"review" is:"review"`
	// Fixes is the phase that a fix phase repairs: its parent, or another fix
	// phase of the same parent.
	Fixes UID `json:"fixes,omitempty"`
	// Reason is the last rejection's or failure's.
	Reason string `json:"reason,omitempty" is:"reason"`
	// Rejection is the user's, who wants changes; see StandingRejection. SeenRejection is the
	// number of the last one in the task when work on this phase began last.
	Rejection     *Rejection `json:"user_rejection,omitempty"`
	SeenRejection int        `json:"seen_rejection,omitempty"`
	// FailedBy is the phase that this one failed or was dropped with; it comes back
	// to pending with that phase.
	FailedBy UID `json:"failed_by,omitempty"`
	// Iteration is how often the phase was started.
	Iteration    int      `json:"iteration"`
	DependsOn    []UID    `json:"depends_on,omitempty" len:"200"`
	Acceptance   []string `json:"acceptance,omitempty" is:"item" len:"1000"`
	Verification []string `json:"verification,omitempty" is:"item" len:"1000"`
	Tier         Tier     `json:"tier" is:"tier"`
	// Agents are assigned to the phase; Launched were started by the client
	// in this iteration. Both owe a report.
	Agents   []string `json:"agents,omitempty" is:"name" len:"1000"`
	Launched []string `json:"launched,omitempty" is:"name" len:"1000"`
	// Claim is the worker's who took the phase last, with 'next --claim'.
	Claim       PhaseClaim `json:"claim,omitzero"`
	StartCommit string     `json:"start_commit,omitempty" is:"oid"`
	EndCommit   string     `json:"end_commit,omitempty" is:"oid"`
	// ServiceStarts and ServiceEnds are what StartCommit and EndCommit are, in
	// the task's services.
	ServiceStarts Commits `json:"service_starts,omitempty"`
	ServiceEnds   Commits `json:"service_ends,omitempty"`
	StartedAt     string  `json:"started_at,omitempty" is:"time"`
	CompletedAt   string  `json:"completed_at,omitempty" is:"time"`
	// WorkedSeconds sums the stretches of work that ended, by their authors'
	// clocks. WorkSince is when the one under way began, empty while nobody works.
	WorkedSeconds int64  `json:"worked_seconds,omitempty"`
	WorkSince     string `json:"work_since,omitempty" is:"time"`
	// Verified is how its commands came out, the last time they ran.
	Verified *Verified `json:"verified,omitempty"`
	// Errors is how often an agent's error ended work in this iteration.
	Errors int `json:"errors,omitempty"`
	// Turns are the last turns of workers on it that 'git brew run' started, TierSince how
	// many of them were before it came to its tier, or was started anew; Spent is the cost
	// of all there were, but for looks at the whole.
	Turns     []Turn `json:"turns,omitempty" len:"60"`
	TierSince int    `json:"tier_since,omitempty"`
	Spent     Cost   `json:"spent,omitzero"`
	// MustEscalate: its work was rejected or failed as often as the settings allow, and
	// has to be escalated before it goes on. Escalations are those it had.
	MustEscalate bool         `json:"must_escalate,omitempty"`
	Escalations  []Escalation `json:"escalations,omitempty" len:"100"`
	// Deviations are what its last review said about work that was not as planned.
	Deviations []Deviation `json:"deviations,omitempty" len:"200"`
}

// DocName names a text of a task: "spec", "plan", "research", "roadmap",
// "context", "final", or "phases/<uid>/plan". People type and see the phase's
// shown id; the name in operations carries its UID.
type DocName string

// Doc is a text by its blob. Data is set where a merge made the text, so that
// whoever stores the state can store the blob.
type Doc struct {
	OID  string `json:"oid"`
	Data []byte `json:"-"`
}

// Report is one agent's report on one iteration of a phase.
type Report struct {
	UID       UID    `json:"uid"` // the operation that added it first
	Phase     UID    `json:"phase"`
	Iteration int    `json:"iteration" len:"10000"`
	Verify    bool   `json:"verify,omitempty"`
	Agent     string `json:"agent" is:"name"`
	At        string `json:"at" is:"time"`
	OID       string `json:"oid" is:"oid"` // the text's blob
	// Data is the text where a merge made it and nobody stored it yet.
	Data []byte `json:"-"`
}

// Conflict is a text that lost a merge: it stands under conflicts/<uid> until
// somebody resolves it.
type Conflict struct {
	UID  operation.ID `json:"uid" is:"uid"`
	Path string       `json:"path" is:"line"` // of the text it lost to
	OID  string       `json:"oid" is:"oid"`
	Data []byte       `json:"-"` // as in Report
}

// QuestionCount counts open questions.
type QuestionCount struct {
	Open  int `json:"open"`
	Total int `json:"total"`
}

// Terminal reports whether s ends a task: only a restart leaves it.
func (s Status) Terminal() bool {
	return s == Finished || s == Failed || s == Cancelled
}
