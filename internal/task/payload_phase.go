package task

import (
	"fmt"
	"slices"
)

// AgentErrorPayload is what OpPhaseError carries: an agent that worked on the
// phase ended with an error. The phase stays where it is (BC-52).
type AgentErrorPayload struct {
	Phase     UID    `json:"phase"`
	Iteration int    `json:"iteration"`
	Agent     string `json:"agent" is:"name"`
	Text      string `json:"text,omitempty" is:"quoted"`
}

// MaxErrors is how many errors of agents end an iteration: one more try, and
// then the phase fails.
const MaxErrors = 2

// ClaimPayload is what OpPhaseClaim carries: a worker goes on with a phase that
// another one had claimed and left.
type ClaimPayload struct {
	Phase  UID    `json:"phase"`
	Worker string `json:"worker,omitempty" is:"name"`
	// From is the claim that was left: of two workers who take one phase over,
	// one gets it.
	From UID `json:"from"`
}

// EscalatePayload is what OpPhaseEscalate carries. What the action does to phases
// and task is done by operations of their own, made with it.
type EscalatePayload struct {
	Phase  UID              `json:"phase"`
	Action EscalationAction `json:"action" is:"action"`
	Ladder LadderName       `json:"ladder" is:"ladder"`
	Reason string           `json:"reason,omitempty" is:"reason"`
	Agreed []string         `json:"agreed,omitempty" is:"name" len:"1000"`
}

// PhaseAddPayload is what OpPhaseAdd carries. The new phase's UID is the
// operation's id.
type PhaseAddPayload struct {
	Title string    `json:"title" is:"title"`
	Kind  PhaseKind `json:"kind,omitempty" is:"kind of phase"`
	// ShownID is an id asked for (an imported story's); the fold gives the
	// next free one where it is empty or taken.
	ShownID string `json:"shown_id,omitempty" is:"name"`
	Parent  UID    `json:"parent,omitempty"`
	// After places it behind a phase and what belongs to that; empty: last.
	After        UID      `json:"after,omitempty"`
	DependsOn    []UID    `json:"depends_on,omitempty" len:"200"`
	Acceptance   []string `json:"acceptance,omitempty" is:"item" len:"1000"`
	Verification []string `json:"verification,omitempty" is:"item" len:"1000"`
	Tier         Tier     `json:"tier,omitempty" is:"tier"`
	Agents       []string `json:"agents,omitempty" is:"name" len:"1000"`
}

// PhasePayload is what OpPhaseStart and OpPhaseDone carry: Commit is the
// work tree's HEAD then, empty in a repository without commits.
type PhasePayload struct {
	Phase  UID    `json:"phase"`
	Commit string `json:"commit,omitempty" is:"oid"`
	// Services are the commits of the task's branch in its services then. Clean:
	// the work tree had nothing beside them when the phase was handed over.
	Services Commits `json:"services,omitempty"`
	Clean    bool    `json:"clean,omitempty"`
	// Starts are new start commits, by phase: history was rewritten while the
	// phase, or what it belongs to, ran. phase.done and phase.review carry them.
	Starts map[UID]string `json:"starts,omitempty"`
	// Passed are steps that a start leaves behind. Claimed says that a worker
	// took the phase, Worker which one.
	Passed  []Passed `json:"passed,omitempty"`
	Claimed bool     `json:"claimed,omitempty"`
	Worker  string   `json:"worker,omitempty" is:"name"`
}

// PhaseReviewPayload is what OpPhaseReview carries.
type PhaseReviewPayload struct {
	Phase   UID    `json:"phase"`
	Verdict Review `json:"verdict" is:"verdict"` // approved or changes
	// Iteration is the one that was looked at: a verdict on one says nothing about
	// another; 0: whichever is in review.
	Iteration int    `json:"iteration,omitempty"`
	Reason    string `json:"reason,omitempty" is:"reason"`
	Commit    string `json:"commit,omitempty" is:"oid"`
	// Services and Starts are as in PhasePayload.
	Services Commits        `json:"services,omitempty"`
	Starts   map[UID]string `json:"starts,omitempty"`
	// Verified is the verification that an approval rests on.
	Verified UID `json:"verified,omitempty"`
	// Deviations are what the reviewer says about work that was not as planned, and
	// what was said before and still holds.
	Deviations []Deviation `json:"deviations,omitempty" len:"200"`
	// User: it is the user's word, and no agent's; see Rejection.
	User bool `json:"user,omitempty"`
	// Heard is the session in which the user said it; empty: they typed it.
	Heard string `json:"heard,omitempty" is:"own session"`
	// MustEscalate: with this rejection the phase has had the iterations that the
	// settings allow; see Phase.MustEscalate.
	MustEscalate bool `json:"must_escalate,omitempty"`
}

// PhaseReasonPayload is what OpPhaseFail, OpPhaseDrop and OpPhaseReset carry.
type PhaseReasonPayload struct {
	Phase  UID    `json:"phase"`
	Reason string `json:"reason,omitempty" is:"reason"`
	// MustEscalate is as in PhaseReviewPayload, of a failure.
	MustEscalate bool `json:"must_escalate,omitempty"`
}

// PhaseLaunchPayload is what OpPhaseLaunch carries: the client started a
// sub-agent for the phase's current iteration.
type PhaseLaunchPayload struct {
	Phase UID    `json:"phase"`
	Agent string `json:"agent" is:"name"`
}

// PhaseEditPayload is what OpPhaseEdit carries; what is empty stays as it is.
// Items are added and taken out one by one, so that edits made apart both count.
type PhaseEditPayload struct {
	Phase UID    `json:"phase"`
	Title string `json:"title,omitempty" is:"title"`
	Tier  Tier   `json:"tier,omitempty" is:"tier"`

	AddAcceptance    []string `json:"add_acceptance,omitempty" is:"item" len:"1000"`
	DropAcceptance   []string `json:"drop_acceptance,omitempty" len:"1000"`
	AddVerification  []string `json:"add_verification,omitempty" is:"item" len:"1000"`
	DropVerification []string `json:"drop_verification,omitempty" len:"1000"`
	AddAgents        []string `json:"add_agents,omitempty" is:"name" len:"1000"`
	DropAgents       []string `json:"drop_agents,omitempty" len:"1000"`
	AddDependsOn     []UID    `json:"add_depends_on,omitempty" len:"200"`
	DropDependsOn    []UID    `json:"drop_depends_on,omitempty" len:"1000"`
}

// Empty: it would change nothing.
func (p PhaseEditPayload) Empty() bool {
	return p.Title == "" && p.Tier == "" && len(p.AddAcceptance)+len(p.DropAcceptance)+len(p.AddVerification)+
		len(p.DropVerification)+
		len(p.AddAgents)+len(p.DropAgents)+len(p.AddDependsOn)+len(p.DropDependsOn) == 0
}

// VerifyPayload is what OpPhaseVerify carries.
type VerifyPayload struct {
	Phase     UID `json:"phase"`
	Iteration int `json:"iteration"`
	// Commit to Clean are as in Verified.
	Commit   string       `json:"commit,omitempty" is:"oid"`
	Services Commits      `json:"services,omitempty"`
	Clean    bool         `json:"clean,omitempty"`
	Commands []CommandRun `json:"commands" len:"1000"`
	// MustEscalate: with this failure the phase has had the iterations that the settings
	// allow; see Phase.MustEscalate.
	MustEscalate bool `json:"must_escalate,omitempty"`
}

// Passed: all commands did.
func (p VerifyPayload) Passed() bool {
	return !slices.ContainsFunc(p.Commands, func(c CommandRun) bool { return !c.Passed() })
}

// Verified is how the commands that verify a phase came out, the last time they
// ran. It counts for the iteration it was made in, until the work changes.
type Verified struct {
	UID       UID    `json:"uid" is:"uid"` // the operation that recorded it
	At        string `json:"at" is:"time"`
	Iteration int    `json:"iteration"`
	Passed    bool   `json:"passed"`
	// Commit is the work tree's HEAD then, Services what it is in the task's
	// services. Clean: from the first command to the last there was nothing beside
	// them, as far as anybody can tell.
	Commit   string  `json:"commit,omitempty" is:"oid"`
	Services Commits `json:"services,omitempty"`
	Clean    bool    `json:"clean,omitempty"`
	// Stale: the work has changed since.
	Stale    bool         `json:"stale,omitempty"`
	Commands []CommandRun `json:"commands" len:"1000"`
}

// CommandRun is how one command came out.
type CommandRun struct {
	Text string `json:"command" is:"quoted"`
	// Exit is its status; 128 and more: a signal; -1: it could not be run.
	Exit     int   `json:"exit" is:"exit"`
	TimedOut bool  `json:"timed_out"`
	MS       int64 `json:"ms"`
	// Said is what it printed, as the id that 'git hash-object' gives that; "": nothing.
	Said string `json:"said,omitempty" is:"oid"`
}

// Passed: it ended by itself, with status 0.
func (c CommandRun) Passed() bool { return c.Exit == 0 && !c.TimedOut }

// How says in a few words how it ended.
func (c CommandRun) How() string {
	switch {
	case c.TimedOut:
		return "took too long"
	case c.Exit < 0:
		return "could not be run"
	case c.Exit > 128:
		return fmt.Sprintf("was ended by signal %d", c.Exit-128)
	}
	return fmt.Sprintf("exit %d", c.Exit)
}

// Verifiable reports whether a verification of p is of work that is not approved
// yet, and so worth a record.
func (p Phase) Verifiable() bool {
	return p.Status == PhaseInProgress || p.Status == PhaseInReview
}
