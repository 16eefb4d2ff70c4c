// Package hooks answers an agent at the events of its session: one JSON object in, one
// JSON object or nothing out. Every change of state goes through Brew, which it declares
// and others implement.
//
//	handle.go   one call, from standard input to the answer, and what becomes of errors
//	claude      the client's JSON; where another agent's protocol has its place, too
//	dispatch.go which handler answers which event; the handlers are a file each
//	gate        whether the agent may do what it is about to: asked by pre_tool.go
//	place       where the hook runs, and what is known of that
//	protocol    what a client says and is answered, and how an answer shows what others wrote
//
// It never blocks because of its own failure: what it can't read or write is
// said in one line on standard error, and the agent goes on. Only a call that
// the discussion mode judges is answered with "ask" then. It never prints what
// the client would drop. It never prints to a terminal, runs a process, or opens a file.
//
// The holder is the session that holds the task's lock; a worker a sub-agent that does a
// phase's work and owes a report. The others (coordinator, Explore, …) are system agents.
package hooks

import (
	"context"
	"time"

	"github.com/git-brew/git-brew/internal/app/claim"
	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/app/journal"
	"github.com/git-brew/git-brew/internal/app/session"
	"github.com/git-brew/git-brew/internal/event"
	"github.com/git-brew/git-brew/internal/hooks/gate"
	"github.com/git-brew/git-brew/internal/hooks/place"
	"github.com/git-brew/git-brew/internal/hooks/protocol"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/lease"
	"github.com/git-brew/git-brew/internal/task/route"
)

// What hooks are told, and say, in the words of the use cases.
type (
	Place      = place.Place
	View       = place.View
	Payload    = protocol.Payload
	Reply      = protocol.Reply
	Mode       = clone.Mode
	Start      = session.SessionStart
	Steps      = clone.Steps
	Handed     = journal.Handed
	ContextUse = session.ContextUse
)

const (
	ModeDiscussion     = clone.ModeDiscussion
	ModeImplementation = clone.ModeImplementation
)

// Briefing is what an agent is told beside the task's own state: read only
// where it is used.
type Briefing struct {
	// Knowledge is the digest, ready to print; empty: none.
	Knowledge string
	// Plan is the text of plan.md; constraints for roles may stand in it.
	// PlanTrusted: they were written here, or the user has trusted them.
	Plan        string
	PlanTrusted bool
	// Constraints: whether roles get theirs.
	Constraints bool
	// Search reminds of a search tool; empty: there is none.
	Search string
}

// Plan is the newest plan that was written in plan mode.
type Plan struct {
	Path    string // empty: there is none
	Written time.Time
}

// Brew is what hooks need of the use cases.
type Brew interface {
	gate.Brew
	// At are the use cases at a place where Look had an answer.
	At(at Place) Here
	// HasOwnHooks reports that a client which also reads Claude Code's settings has git
	// brew's hooks in a file of its own there: one of the two answers.
	HasOwnHooks(client string, at Place) bool
	// LatestPlan looks through the client's directory of plans.
	LatestPlan() Plan
	// StartedIn is the directory that SessionStarted kept as the one where a session
	// started; "" where nobody knows. SessionEnded forgets it.
	StartedIn(session string) string
}

// Here is what hooks need of them at one place. Every method may be called by several
// processes at once and does nothing where its change is already there: hooks that are
// registered twice run twice. What each does, the use case of its name says.
type Here interface {
	Brief(ctx context.Context) (Briefing, error)
	// NextStep is View.Next, with what waits for the user's trust: that is looked at
	// where an agent is told to take the step.
	NextStep(ctx context.Context) (route.Step, error)
	// Record appends one event to the session's journal. Brew knows better,
	// and sets, which session, correlation, work tree and clone it belongs to.
	Record(ctx context.Context, e event.Event) error

	// SessionStarted finds the task of this branch, too, where none is known yet.
	SessionStarted(ctx context.Context, s Start) (first bool, err error)
	SessionEnded(ctx context.Context, reason string) error
	StopBlocked(ctx context.Context, tip string) error
	UserMode(ctx context.Context, to Mode, by string) (clone.ModeState, error)

	BindLock(ctx context.Context, id task.ID) (claim.LockView, error)
	RenewLock(ctx context.Context, id task.ID) error
	ReleaseLock(ctx context.Context, id task.ID) (claim.LockView, error)
	ClearLock(ctx context.Context, id task.ID, seen lease.Lock) error
	LostTold(ctx context.Context, aside bool) (first bool, err error)
	// ShareLater lets what was done reach the others in the background, where
	// the user agreed to that. It waits for nothing.
	ShareLater()

	// Compacting checks the phase's reports, compacts knowledge, writes the
	// hand-off entry, sets the status; warnings are for the agent.
	Compacting(ctx context.Context, id task.ID) (warnings []string, err error)
	Resume(ctx context.Context, id task.ID) error
	Launched(ctx context.Context, id task.ID, phase task.UID, agent string) error
	HandTranscript(ctx context.Context, path, call string) (Handed, error)
	AgentFailed(ctx context.Context, id task.ID, phase task.UID, agent, text string) (task.Phase, error)

	Steps(ctx context.Context) (Steps, error)
	// ChangeSteps keeps a proposal while the mode is discussion, which a switch to
	// implementation agrees to. A switch back forgets it.
	ChangeSteps(ctx context.Context, change func(have Steps) Steps) (Steps, error)

	// ApproveByWord gives the phase, or none, and why nothing was recorded; no reason:
	// nothing is in review any more.
	ApproveByWord(ctx context.Context, id task.ID, which []task.UID) (approved task.Phase, why string, err error)

	ContextUse(ctx context.Context, transcript string) ContextUse
	Tell(ctx context.Context, marks ...string) (first bool, err error)
}
