package rules

import "github.com/git-brew/git-brew/internal/task"

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
