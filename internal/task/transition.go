package task

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
	Revive         PhaseEffect = "revive what fell with it"
	Reopen         PhaseEffect = "reopen its verification"
	TellParent     PhaseEffect = "tell its parent"
	Unverify       PhaseEffect = "what was verified has changed"
)

// TaskTransition is one row of the task's table.
type TaskTransition struct {
	From    Status
	Event   TaskEvent
	To      Status
	Effects []TaskEffect
}

// PhaseTransition is one row of the table of phase statuses.
type PhaseTransition struct {
	From    PhaseStatus
	Event   PhaseEvent
	To      PhaseStatus
	Effects []PhaseEffect
}

// ReviewTransition is one row of the table of verdicts. An event of a phase
// happens only where both its status and its verdict have a row.
type ReviewTransition struct {
	From  Review
	Event PhaseEvent
	To    Review
}

// taskTransitions: a pair that is not here is refused. A task can fail or be cancelled
// from wherever it is; finished says that the work is done, so it needs work to have
// begun.
var taskTransitions = []TaskTransition{
	{Pending, TaskStart, InProgress, []TaskEffect{MarkStarted, ClearEnd, ResumePhases}},
	{Paused, TaskStart, InProgress, []TaskEffect{MarkStarted, ClearEnd, ResumePhases}},
	{InProgress, TaskStart, InProgress, []TaskEffect{MarkStarted, ResumePhases}},

	{Finished, TaskRestart, InProgress, []TaskEffect{ClearEnd, ReopenStage, ResumePhases}},
	{Failed, TaskRestart, InProgress, []TaskEffect{ClearEnd, ReopenStage, ResumePhases}},
	{Cancelled, TaskRestart, InProgress, []TaskEffect{ClearEnd, ReopenStage, ResumePhases}},

	{Pending, TaskPause, Paused, []TaskEffect{MarkPaused, MarkReason, PausePhases}},
	{InProgress, TaskPause, Paused, []TaskEffect{MarkPaused, MarkReason, PausePhases}},
	{Paused, TaskPause, Paused, []TaskEffect{MarkPaused, MarkReason}},
	{Paused, TaskResume, InProgress, []TaskEffect{ClearEnd, ResumePhases}},

	{InProgress, TaskFinish, Finished, []TaskEffect{MarkEnded, MarkReason, PausePhases, CloseStage}},
	{Paused, TaskFinish, Finished, []TaskEffect{MarkEnded, MarkReason, PausePhases, CloseStage}},

	{Pending, TaskFail, Failed, []TaskEffect{MarkEnded, MarkReason, PausePhases}},
	{InProgress, TaskFail, Failed, []TaskEffect{MarkEnded, MarkReason, PausePhases}},
	{Paused, TaskFail, Failed, []TaskEffect{MarkEnded, MarkReason, PausePhases}},

	{Pending, TaskCancel, Cancelled, []TaskEffect{MarkEnded, MarkReason, PausePhases}},
	{InProgress, TaskCancel, Cancelled, []TaskEffect{MarkEnded, MarkReason, PausePhases}},
	{Paused, TaskCancel, Cancelled, []TaskEffect{MarkEnded, MarkReason, PausePhases}},
}

// phaseTransitions: a pair that is not here is refused. A phase in progress stays so
// while its task is paused, and nobody's time runs.
var phaseTransitions = []PhaseTransition{
	{PhasePending, EventStart, PhaseInProgress, []PhaseEffect{CountIteration, ClearReason, MakeCurrent, ClockOn, EnterExecution, Reopen, Unverify}},
	{PhaseFailed, EventStart, PhaseInProgress, []PhaseEffect{CountIteration, ClearReason, MakeCurrent, ClockOn, EnterExecution, Reopen, Revive, Unverify}},
	{PhaseInReview, EventRework, PhaseInProgress, []PhaseEffect{CountIteration, MakeCurrent, ClockOn, EnterExecution, Reopen, Unverify}},
	{PhaseInProgress, EventDone, PhaseInReview, []PhaseEffect{ClockOff, MarkDone, Unverify}},

	{PhaseInReview, EventApprove, PhaseCompleted, []PhaseEffect{MarkCompleted, ClearReason, TellParent}},
	{PhaseInReview, EventReject, PhaseInReview, []PhaseEffect{KeepReason}},
	{PhaseInReview, EventRefute, PhasePending, []PhaseEffect{KeepReason, TellParent}},
	{PhaseInReview, EventRetract, PhaseInReview, []PhaseEffect{ClearReason, Reopen}},

	{PhasePending, EventFail, PhaseFailed, []PhaseEffect{KeepReason, Cascade}},
	{PhaseInProgress, EventFail, PhaseFailed, []PhaseEffect{ClockOff, KeepReason, Cascade}},
	{PhaseInReview, EventFail, PhaseFailed, []PhaseEffect{KeepReason, Cascade}},

	{PhasePending, EventCascade, PhaseFailed, []PhaseEffect{KeepReason, Cascade}},
	{PhaseInProgress, EventCascade, PhaseFailed, []PhaseEffect{ClockOff, KeepReason, Cascade}},
	{PhaseInReview, EventCascade, PhaseFailed, []PhaseEffect{KeepReason, Cascade}},
	{PhaseFailed, EventRevive, PhasePending, []PhaseEffect{ClearReason, Revive}},

	{PhasePending, EventDrop, PhaseDropped, []PhaseEffect{KeepReason, DropBelow, TellParent}},
	{PhaseInProgress, EventDrop, PhaseDropped, []PhaseEffect{ClockOff, KeepReason, DropBelow, TellParent}},
	{PhaseInReview, EventDrop, PhaseDropped, []PhaseEffect{KeepReason, DropBelow, TellParent}},
	{PhaseFailed, EventDrop, PhaseDropped, []PhaseEffect{KeepReason, Revive, DropBelow, TellParent}},
	{PhaseDropped, EventRevive, PhasePending, []PhaseEffect{ClearReason, Revive}},

	{PhaseInProgress, EventPause, PhaseInProgress, []PhaseEffect{ClockOff}},
	{PhaseInProgress, EventResume, PhaseInProgress, []PhaseEffect{ClockOn}},

	{PhaseInProgress, EventReset, PhasePending, []PhaseEffect{ClockOff, KeepReason, ClearRun, Reopen, Unverify}},
	{PhaseInReview, EventReset, PhasePending, []PhaseEffect{KeepReason, ClearRun, Reopen, Unverify}},
	{PhaseCompleted, EventReset, PhasePending, []PhaseEffect{KeepReason, ClearRun, Reopen, TellParent, Unverify}},
	{PhaseFailed, EventReset, PhasePending, []PhaseEffect{KeepReason, ClearRun, Reopen, Revive, Unverify}},
	{PhaseDropped, EventReset, PhasePending, []PhaseEffect{KeepReason, ClearRun, Reopen, Revive, TellParent, Unverify}},

	{PhaseInReview, EventRevise, PhaseInReview, []PhaseEffect{Reopen}},
	{PhaseCompleted, EventRevise, PhaseInReview, []PhaseEffect{ClearRun, Reopen, TellParent, Unverify}},
	{PhaseInReview, EventFixed, PhaseInReview, []PhaseEffect{ClearReason, Reopen}},
	{PhaseCompleted, EventUndone, PhaseInReview, []PhaseEffect{ClearDone, Reopen, TellParent}},

	{PhasePending, EventSplit, PhasePending, nil},
	{PhaseInProgress, EventSplit, PhasePending, []PhaseEffect{ClockOff, Reopen, Unverify}},
	{PhaseInReview, EventSplit, PhasePending, []PhaseEffect{Reopen, Unverify}},
	{PhaseFailed, EventSplit, PhasePending, []PhaseEffect{ClearReason, Reopen, Revive, Unverify}},
	{PhasePending, EventJoined, PhaseInReview, []PhaseEffect{MarkDone, ClearReason, MakeCurrent, Reopen, Unverify}},
	{PhaseInProgress, EventJoined, PhaseInReview, []PhaseEffect{ClockOff, MarkDone, ClearReason, MakeCurrent, Reopen, Unverify}},
	{PhaseFailed, EventJoined, PhaseInReview, []PhaseEffect{MarkDone, ClearReason, MakeCurrent, Reopen, Revive, Unverify}},

	{PhaseInReview, EventParted, PhasePending, []PhaseEffect{Reopen, Unverify}},
	{PhaseCompleted, EventParted, PhasePending, []PhaseEffect{ClearDone, Reopen, TellParent, Unverify}},

	{PhaseInReview, EventVerified, PhaseCompleted, []PhaseEffect{MarkCompleted, ClearReason, TellParent}},
	{PhaseInReview, EventRefuted, PhaseInReview, []PhaseEffect{KeepReason, MakeCurrent}},

	{PhaseInProgress, EventReopen, PhasePending, []PhaseEffect{ClockOff, ClearRun, Reopen, Unverify}},
	{PhaseInReview, EventReopen, PhasePending, []PhaseEffect{ClearReason, ClearRun, Reopen, Unverify}},
	{PhaseCompleted, EventReopen, PhasePending, []PhaseEffect{ClearRun, Reopen, Unverify}},
	{PhaseFailed, EventReopen, PhasePending, []PhaseEffect{ClearRun, Reopen, ClearReason, Revive, Unverify}},
}

var reviewTransitions = []ReviewTransition{
	{ReviewNone, EventStart, ReviewNone},
	{ReviewApproved, EventStart, ReviewNone},
	{ReviewChanges, EventStart, ReviewNone},
	{ReviewChanges, EventRework, ReviewNone},
	{ReviewNone, EventDone, ReviewNone},
	{ReviewChanges, EventDone, ReviewNone},

	{ReviewNone, EventApprove, ReviewApproved},
	{ReviewChanges, EventApprove, ReviewApproved}, // the reviewer takes it back
	{ReviewNone, EventReject, ReviewChanges},
	{ReviewChanges, EventReject, ReviewChanges},
	{ReviewNone, EventRefute, ReviewNone},
	{ReviewChanges, EventRefute, ReviewNone},
	{ReviewChanges, EventRetract, ReviewNone},

	{ReviewNone, EventFail, ReviewNone},
	{ReviewChanges, EventFail, ReviewChanges},
	{ReviewNone, EventCascade, ReviewNone},
	{ReviewChanges, EventCascade, ReviewChanges},
	{ReviewNone, EventRevive, ReviewNone},
	{ReviewApproved, EventRevive, ReviewNone},
	{ReviewChanges, EventRevive, ReviewNone},

	{ReviewNone, EventDrop, ReviewNone},
	{ReviewApproved, EventDrop, ReviewNone},
	{ReviewChanges, EventDrop, ReviewNone},

	{ReviewNone, EventPause, ReviewNone},
	{ReviewChanges, EventPause, ReviewChanges},
	{ReviewNone, EventResume, ReviewNone},
	{ReviewChanges, EventResume, ReviewChanges},

	{ReviewNone, EventReset, ReviewNone},
	{ReviewApproved, EventReset, ReviewNone},
	{ReviewChanges, EventReset, ReviewNone},

	{ReviewNone, EventRevise, ReviewChanges},
	{ReviewApproved, EventRevise, ReviewChanges},
	{ReviewChanges, EventRevise, ReviewChanges},
	{ReviewNone, EventFixed, ReviewNone},
	{ReviewChanges, EventFixed, ReviewNone},
	{ReviewApproved, EventUndone, ReviewNone},

	{ReviewNone, EventSplit, ReviewNone},
	{ReviewChanges, EventSplit, ReviewNone},
	{ReviewNone, EventJoined, ReviewNone},
	{ReviewChanges, EventJoined, ReviewNone},
	{ReviewNone, EventParted, ReviewNone},
	{ReviewApproved, EventParted, ReviewNone},
	{ReviewChanges, EventParted, ReviewNone},

	{ReviewNone, EventVerified, ReviewApproved},
	{ReviewNone, EventRefuted, ReviewChanges},
	{ReviewChanges, EventRefuted, ReviewChanges},

	{ReviewNone, EventReopen, ReviewNone},
	{ReviewApproved, EventReopen, ReviewNone},
	{ReviewChanges, EventReopen, ReviewNone},
}

// taskTransition looks a pair up.
func lookUpTask(from Status, event TaskEvent) (TaskTransition, bool) {
	for _, t := range taskTransitions {
		if t.From == from && t.Event == event {
			return t, true
		}
	}
	return TaskTransition{}, false
}

// phaseTransition looks a pair up in both tables of phases.
func phaseTransition(p Phase, event PhaseEvent) (PhaseTransition, Review, bool) {
	for _, t := range phaseTransitions {
		if t.From != p.Status || t.Event != event {
			continue
		}
		for _, r := range reviewTransitions {
			if r.From == p.Review && r.Event == event {
				return t, r.To, true
			}
		}
	}
	return PhaseTransition{}, p.Review, false
}

// finishEvent is what leads to a terminal status; false for the others.
func finishEvent(to Status) (TaskEvent, bool) {
	switch to {
	case Finished:
		return TaskFinish, true
	case Failed:
		return TaskFail, true
	case Cancelled:
		return TaskCancel, true
	case Pending, InProgress, Paused:
	}
	return "", false
}

// Terminal reports whether s ends a task: only a restart leaves it.
func (s Status) Terminal() bool {
	return s == Finished || s == Failed || s == Cancelled
}

// startEvent is what to start p is called where it stands.
func startEvent(p Phase) PhaseEvent {
	if p.Status == PhaseInReview {
		return EventRework
	}
	return EventStart
}

// reviewEvent is what a verdict on p is called, the user's or somebody else's; it must
// be approved or changes.
func reviewEvent(t Task, p Phase, verdict Review, user bool) PhaseEvent {
	switch {
	case verdict == ReviewApproved && retracts(t, p, user):
		return EventRetract
	case verdict == ReviewApproved:
		return EventApprove
	case p.Kind == KindVerification:
		return EventRefute
	}
	return EventReject
}
