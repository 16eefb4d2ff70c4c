// Package rules says what may be done to a task, and what the task becomes by it. It is
// pure, as package task is, whose states it reads and makes.
//
// A Task is a fold: Apply(state, operation) -> state, total and deterministic.
// Transitions are literal tables (table.go). What an operation does, one rule says
// (apply.go): it refuses or changes the state. Apply leaves out what it refuses; Check
// shows the refusal, and asks besides what is owed where an operation is made.
package rules

import (
	"cmp"
	"slices"

	"github.com/git-brew/git-brew/internal/task"
)

// TaskTransition is one row of the task's table.
type TaskTransition struct {
	Event   TaskEvent
	From    []task.Status
	To      task.Status
	Effects []TaskEffect
}

// taskTransitions: a pair that is not here is refused. A task can fail or be cancelled
// from wherever it is; finished says that the work is done, so it needs work to have
// begun.
var taskTransitions = []TaskTransition{
	{TaskStart, open, task.InProgress, taskEffects{MarkStarted, ClearEnd, ResumePhases}},
	{TaskRestart, ends, task.InProgress, taskEffects{ClearEnd, ReopenStage, ResumePhases}},
	{TaskPause, open, task.Paused, taskEffects{MarkPaused, MarkReason, PausePhases}},
	{TaskResume, []task.Status{task.Paused}, task.InProgress, taskEffects{ClearEnd, ResumePhases}},
	{TaskFinish, []task.Status{task.InProgress, task.Paused}, task.Finished, taskEffects{
		MarkEnded, MarkReason, PausePhases, CloseStage,
	}},
	{TaskFail, open, task.Failed, taskEffects{MarkEnded, MarkReason, PausePhases}},
	{TaskCancel, open, task.Cancelled, taskEffects{MarkEnded, MarkReason, PausePhases}},
}

// PhaseTransition is one row of the table of phases. Of is the verdict that a phase has
// first, Verdict the one that it has then; AnyVerdict: any, and the same.
type PhaseTransition struct {
	Event   PhaseEvent
	From    []task.PhaseStatus
	Of      task.Review
	To      task.PhaseStatus
	Verdict task.Review
	Effects []PhaseEffect
}

// AnyVerdict stands in the table for every verdict, and for the one that there was.
const AnyVerdict task.Review = ""

// phaseTransitions: a pair that is not here is refused. A phase in progress stays so
// while its task is paused, and nobody's time runs. An effect that has nothing to do,
// such as the end of work where nobody works, does nothing.
var phaseTransitions = []PhaseTransition{
	{EventStart, phases{pending, failed}, kept, inProgress, none, effects{
		CountIteration, ClearReason, MakeCurrent, ClockOn, EnterExecution, Reopen, Revive, Unverify,
	}},
	{EventRework, phases{inReview}, changes, inProgress, none, effects{
		CountIteration, MakeCurrent, ClockOn, EnterExecution, Reopen, Unverify,
	}},
	{EventDone, phases{inProgress}, kept, inReview, none, effects{ClockOff, MarkDone, Unverify}},

	{EventApprove, phases{inReview}, kept, completed, approved, completes},
	{EventReject, phases{inReview}, kept, inReview, changes, effects{KeepReason}},
	{EventRefute, phases{inReview}, kept, pending, none, effects{KeepReason, TellParent}},
	{EventRetract, phases{inReview}, changes, inReview, none, effects{ClearReason, Reopen}},

	{EventFail, phases{pending, inProgress, inReview}, kept, failed, kept, effects{ClockOff, KeepReason, Cascade}},
	{EventCascade, phases{pending, inProgress, inReview}, kept, failed, kept, effects{ClockOff, KeepReason, Cascade}},
	{EventDrop, phases{pending, inProgress, inReview, failed}, kept, dropped, none, effects{
		ClockOff, KeepReason, Revive, DropBelow, TellParent,
	}},
	{EventRevive, phases{failed, dropped}, kept, pending, none, effects{ClearReason, Revive}},
	{EventReset, phases{inProgress, inReview, completed, failed, dropped}, kept, pending, none, effects{
		ClockOff, KeepReason, ClearRun, Reopen, Revive, TellParent, Unverify,
	}},

	{EventPause, phases{inProgress}, kept, inProgress, kept, effects{ClockOff}},
	{EventResume, phases{inProgress}, kept, inProgress, kept, effects{ClockOn}},

	{EventRevise, phases{inReview}, kept, inReview, changes, effects{Reopen}},
	{EventRevise, phases{completed}, kept, inReview, changes, effects{ClearRun, Reopen, TellParent, Unverify}},
	{EventFixed, phases{inReview}, kept, inReview, none, effects{ClearReason, Reopen}},
	{EventUndone, phases{completed}, kept, inReview, none, effects{ClearDone, Reopen, TellParent}},

	{EventSplit, phases{pending, inProgress, inReview, failed}, kept, pending, none, effects{
		ClockOff, ClearReason, Reopen, Revive, Unverify,
	}},
	{EventJoined, phases{pending, inProgress, failed}, kept, inReview, none, effects{
		ClockOff, MarkDone, ClearReason, MakeCurrent, Reopen, Revive, Unverify,
	}},
	{EventParted, phases{inReview, completed}, kept, pending, none, effects{ClearDone, Reopen, TellParent, Unverify}},

	{EventVerified, phases{inReview}, none, completed, approved, completes},
	{EventRefuted, phases{inReview}, kept, inReview, changes, effects{KeepReason, MakeCurrent}},
	{EventReopen, phases{inProgress, inReview, completed, failed}, kept, pending, none, effects{
		ClockOff, ClearReason, ClearRun, Reopen, Revive, Unverify,
	}},
}

// What the rows of the tables are made of, as short as a table wants it.
type (
	phases      = []task.PhaseStatus
	effects     = []PhaseEffect
	taskEffects = []TaskEffect
)

var (
	open      = []task.Status{task.Pending, task.InProgress, task.Paused}
	ends      = []task.Status{task.Finished, task.Failed, task.Cancelled}
	completes = effects{MarkCompleted, ClearReason, DropFailed, TellParent}
)

const (
	pending    = task.PhasePending
	inProgress = task.PhaseInProgress
	inReview   = task.PhaseInReview
	completed  = task.PhaseCompleted
	failed     = task.PhaseFailed
	dropped    = task.PhaseDropped
	none       = task.ReviewNone
	approved   = task.ReviewApproved
	changes    = task.ReviewChanges
	kept       = AnyVerdict
)

// lookUpTask finds the row for an event in a status.
func lookUpTask(from task.Status, event TaskEvent) (TaskTransition, bool) {
	for _, row := range taskTransitions {
		if row.Event == event && slices.Contains(row.From, from) {
			return row, true
		}
	}
	return TaskTransition{}, false
}

func phaseTransition(p task.Phase, event PhaseEvent) (PhaseTransition, bool) {
	for _, row := range phaseTransitions {
		if row.Event == event && slices.Contains(row.From, p.Status) && (row.Of == AnyVerdict || row.Of == p.Review) {
			row.Verdict = cmp.Or(row.Verdict, p.Review)
			return row, true
		}
	}
	return PhaseTransition{}, false
}

// TaskEvent is what happens to a task as a whole.
type TaskEvent string

// The events of a task. The last three end it.
const (
	TaskStart   TaskEvent = "start"
	TaskRestart TaskEvent = "restart"
	TaskPause   TaskEvent = "pause"
	TaskResume  TaskEvent = "resume"
	TaskFinish  TaskEvent = "finish"
	TaskFail    TaskEvent = "fail"
	TaskCancel  TaskEvent = "cancel"
)

// PhaseEvent is what happens to a phase, by an operation on it or in
// consequence of one on another phase.
type PhaseEvent string

// The events of a phase that operations name.
const (
	EventStart   PhaseEvent = "start"
	EventRework  PhaseEvent = "rework" // start of a phase that review sent back
	EventDone    PhaseEvent = "done"
	EventApprove PhaseEvent = "approve"
	EventReject  PhaseEvent = "reject"
	EventRefute  PhaseEvent = "refute" // reject of a verification phase
	EventFail    PhaseEvent = "fail"
	EventDrop    PhaseEvent = "drop"
	EventReset   PhaseEvent = "reset"
	EventRetract PhaseEvent = "retract" // approve of a phase that has a verification, by the user
)

// The events of a phase that follow from others.
const (
	EventPause    PhaseEvent = "pause"    // the task was paused or ended
	EventResume   PhaseEvent = "resume"   // the task goes on
	EventCascade  PhaseEvent = "cascade"  // what it depends on failed
	EventRevive   PhaseEvent = "revive"   // what it failed or was dropped with is taken up again
	EventRevise   PhaseEvent = "revise"   // a fix phase was added to it
	EventFixed    PhaseEvent = "fixed"    // its last open fix phase was approved
	EventSplit    PhaseEvent = "split"    // a part was added to it
	EventJoined   PhaseEvent = "joined"   // its last part was completed
	EventParted   PhaseEvent = "parted"   // a part is not completed any more
	EventVerified PhaseEvent = "verified" // its verification was approved
	EventRefuted  PhaseEvent = "refuted"  // its verification was rejected
	EventReopen   PhaseEvent = "reopen"   // what it verified has changed
	EventUndone   PhaseEvent = "undone"   // what completed it, its verification or a fix, is completed no more
)

// TaskEffect is what a task's transition does beside changing the status.
type TaskEffect string

// The effects of a task's transitions.
const (
	MarkStarted  TaskEffect = "note the first start"
	MarkPaused   TaskEffect = "note the pause"
	MarkEnded    TaskEffect = "note the end"
	MarkReason   TaskEffect = "keep cause and reason"
	ClearEnd     TaskEffect = "clear cause, reason and end"
	PausePhases  TaskEffect = "stop the time of phases in progress"
	ResumePhases TaskEffect = "go on with the time of phases in progress"
	CloseStage   TaskEffect = "stage complete"
	ReopenStage  TaskEffect = "stage execute, if it was complete"
)

// PhaseEffect is what a phase's transition does beside changing the status.
type PhaseEffect string

// The effects of a phase's transitions.
const (
	KeepReason     PhaseEffect = "keep the reason"
	CountIteration PhaseEffect = "count the iteration, note the start commit if there is none"
	MakeCurrent    PhaseEffect = "make it current"
	ClockOn        PhaseEffect = "work begins"
	ClockOff       PhaseEffect = "work ends"
	MarkDone       PhaseEffect = "note the end commit"
	MarkCompleted  PhaseEffect = "note the completion"
	ClearReason    PhaseEffect = "clear the reason"
	ClearRun       PhaseEffect = "clear commits and completion"
	ClearDone      PhaseEffect = "clear the completion"
	EnterExecution PhaseEffect = "stage execute"
	Cascade        PhaseEffect = "fail what depends on it, its fixes and its verification"
	DropBelow      PhaseEffect = "drop what belongs to it"
	DropFailed     PhaseEffect = "drop the fixes of it that failed"
	Revive         PhaseEffect = "revive what fell with it"
	Reopen         PhaseEffect = "reopen its verification"
	TellParent     PhaseEffect = "tell its parent"
	Unverify       PhaseEffect = "what was verified has changed"
)

// reviewEvent is what a verdict on p is called, the user's or somebody else's; it must
// be approved or changes.
func reviewEvent(t task.Task, p task.Phase, verdict task.Review, user bool) PhaseEvent {
	switch {
	case verdict == task.ReviewApproved && retracts(t, p, user):
		return EventRetract
	case verdict == task.ReviewApproved:
		return EventApprove
	case p.Kind == task.KindVerification:
		return EventRefute
	}
	return EventReject
}
