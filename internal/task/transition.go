package task

// TaskEvent is what happens to a task as a whole.
type TaskEvent string

// The events of a task. The last four end it.
const (
	TaskStart   TaskEvent = "start"
	TaskRestart TaskEvent = "restart"
	TaskBlock   TaskEvent = "block"
	TaskHandoff TaskEvent = "handoff"
	TaskResume  TaskEvent = "resume"
	TaskFinish  TaskEvent = "finish"
	TaskFail    TaskEvent = "fail"
	TaskCancel  TaskEvent = "cancel"
	TaskError   TaskEvent = "error"
)

// PhaseEvent is what happens to a phase, by an operation on it or in
// consequence of one on another phase.
type PhaseEvent string

// The events of a phase that operations name.
const (
	EventStart    PhaseEvent = "start"
	EventRework   PhaseEvent = "rework" // start of a phase that review sent back
	EventExecuted PhaseEvent = "executed"
	EventApprove  PhaseEvent = "approve"
	EventReject   PhaseEvent = "reject"
	EventRefute   PhaseEvent = "refute" // reject of a verification phase
	EventFail     PhaseEvent = "fail"
	EventReset    PhaseEvent = "reset"
)

// The events of a phase that follow from others.
const (
	EventPause    PhaseEvent = "pause"    // the task was handed off, blocked or ended
	EventResume   PhaseEvent = "resume"   // the task goes on
	EventCascade  PhaseEvent = "cascade"  // what it depends on failed
	EventRevive   PhaseEvent = "revive"   // what it depends on is tried again
	EventRevise   PhaseEvent = "revise"   // a fix phase was added to it
	EventFixed    PhaseEvent = "fixed"    // its last open fix phase was approved
	EventSplit    PhaseEvent = "split"    // a part was added to it
	EventJoined   PhaseEvent = "joined"   // its last part was completed
	EventVerified PhaseEvent = "verified" // its verification was approved
	EventRefuted  PhaseEvent = "refuted"  // its verification was rejected
	EventReopen   PhaseEvent = "reopen"   // what it verified has changed
)

// Effect is what a transition does beside changing the status.
type Effect string

// The effects of a task's transitions.
const (
	MarkStarted  Effect = "note the first start"
	MarkHandoff  Effect = "note the hand-off"
	MarkEnded    Effect = "note the end"
	KeepReason   Effect = "keep the reason"
	ClearEnd     Effect = "clear reason and end"
	PausePhases  Effect = "pause executing phases"
	ResumePhases Effect = "resume paused phases"
	CloseStage   Effect = "stage complete"
	ReopenStage  Effect = "stage execution, if it was complete"
)

// The effects of a phase's transitions. KeepReason is shared with tasks.
const (
	CountIteration Effect = "count the iteration, note the start commit"
	MakeCurrent    Effect = "make it current"
	ClockOn        Effect = "work begins"
	ClockOff       Effect = "work ends"
	MarkExecuted   Effect = "note the end commit"
	MarkCompleted  Effect = "note the completion"
	ClearReason    Effect = "clear the reason"
	ClearRun       Effect = "clear commits and completion"
	EnterExecution Effect = "stage execution"
	Cascade        Effect = "fail what depends on it"
	Revive         Effect = "revive what failed with it"
	Reopen         Effect = "reopen its verification"
	TellParent     Effect = "tell its parent"
)

// TaskTransition is one row of the task's table.
type TaskTransition struct {
	From    Status
	Event   TaskEvent
	To      Status
	Effects []Effect
}

// PhaseTransition is one row of the table of phase statuses.
type PhaseTransition struct {
	From    PhaseStatus
	Event   PhaseEvent
	To      PhaseStatus
	Effects []Effect
}

// ReviewTransition is one row of the table of verdicts. An event of a phase
// happens only where both its status and its verdict have a row.
type ReviewTransition struct {
	From  Review
	Event PhaseEvent
	To    Review
}

// taskTransitions: a pair that is not here is refused. A task can fail, be
// cancelled or be in error from wherever it is; finished says that the work is
// done, so it needs work to have begun.
var taskTransitions = []TaskTransition{
	{Pending, TaskStart, InProgress, []Effect{MarkStarted, ClearEnd, ResumePhases}},
	{Handoff, TaskStart, InProgress, []Effect{MarkStarted, ClearEnd, ResumePhases}},
	{Blocked, TaskStart, InProgress, []Effect{MarkStarted, ClearEnd, ResumePhases}},
	{InProgress, TaskStart, InProgress, []Effect{MarkStarted, ResumePhases}},

	{Finished, TaskRestart, InProgress, []Effect{ClearEnd, ReopenStage, ResumePhases}},
	{Failed, TaskRestart, InProgress, []Effect{ClearEnd, ReopenStage, ResumePhases}},
	{Cancelled, TaskRestart, InProgress, []Effect{ClearEnd, ReopenStage, ResumePhases}},
	{Errored, TaskRestart, InProgress, []Effect{ClearEnd, ReopenStage, ResumePhases}},

	{Pending, TaskBlock, Blocked, []Effect{KeepReason, PausePhases}},
	{InProgress, TaskBlock, Blocked, []Effect{KeepReason, PausePhases}},
	{Handoff, TaskBlock, Blocked, []Effect{KeepReason, PausePhases}},
	{Blocked, TaskBlock, Blocked, []Effect{KeepReason}},

	{InProgress, TaskHandoff, Handoff, []Effect{MarkHandoff, PausePhases}},
	{Handoff, TaskResume, InProgress, []Effect{ResumePhases}},

	{InProgress, TaskFinish, Finished, []Effect{MarkEnded, KeepReason, PausePhases, CloseStage}},
	{Handoff, TaskFinish, Finished, []Effect{MarkEnded, KeepReason, PausePhases, CloseStage}},

	{Pending, TaskFail, Failed, []Effect{MarkEnded, KeepReason, PausePhases}},
	{InProgress, TaskFail, Failed, []Effect{MarkEnded, KeepReason, PausePhases}},
	{Handoff, TaskFail, Failed, []Effect{MarkEnded, KeepReason, PausePhases}},
	{Blocked, TaskFail, Failed, []Effect{MarkEnded, KeepReason, PausePhases}},

	{Pending, TaskCancel, Cancelled, []Effect{MarkEnded, KeepReason, PausePhases}},
	{InProgress, TaskCancel, Cancelled, []Effect{MarkEnded, KeepReason, PausePhases}},
	{Handoff, TaskCancel, Cancelled, []Effect{MarkEnded, KeepReason, PausePhases}},
	{Blocked, TaskCancel, Cancelled, []Effect{MarkEnded, KeepReason, PausePhases}},

	{Pending, TaskError, Errored, []Effect{MarkEnded, KeepReason, PausePhases}},
	{InProgress, TaskError, Errored, []Effect{MarkEnded, KeepReason, PausePhases}},
	{Handoff, TaskError, Errored, []Effect{MarkEnded, KeepReason, PausePhases}},
	{Blocked, TaskError, Errored, []Effect{MarkEnded, KeepReason, PausePhases}},
}

// phaseTransitions: a pair that is not here is refused. To start a phase that
// was paused is to go on with it: the iteration stays.
var phaseTransitions = []PhaseTransition{
	{PhasePending, EventStart, PhaseExecuting, []Effect{CountIteration, ClearReason, MakeCurrent, ClockOn, EnterExecution}},
	{PhaseHandoff, EventStart, PhaseExecuting, []Effect{MakeCurrent, ClockOn, EnterExecution}},
	{PhaseFailed, EventStart, PhaseExecuting, []Effect{CountIteration, ClearReason, MakeCurrent, ClockOn, EnterExecution, Revive}},
	{PhaseExecuted, EventRework, PhaseExecuting, []Effect{CountIteration, MakeCurrent, ClockOn, EnterExecution, Reopen}},
	{PhaseExecuting, EventExecuted, PhaseExecuted, []Effect{ClockOff, MarkExecuted}},

	{PhaseExecuted, EventApprove, PhaseCompleted, []Effect{MarkCompleted, ClearReason, TellParent}},
	{PhaseExecuted, EventReject, PhaseExecuted, []Effect{KeepReason}},
	{PhaseExecuted, EventRefute, PhasePending, []Effect{KeepReason, TellParent}},

	{PhasePending, EventFail, PhaseFailed, []Effect{KeepReason, Cascade}},
	{PhaseExecuting, EventFail, PhaseFailed, []Effect{ClockOff, KeepReason, Cascade}},
	{PhaseExecuted, EventFail, PhaseFailed, []Effect{KeepReason, Cascade}},
	{PhaseHandoff, EventFail, PhaseFailed, []Effect{KeepReason, Cascade}},

	{PhasePending, EventCascade, PhaseFailed, []Effect{KeepReason, Cascade}},
	{PhaseExecuting, EventCascade, PhaseFailed, []Effect{ClockOff, KeepReason, Cascade}},
	{PhaseExecuted, EventCascade, PhaseFailed, []Effect{KeepReason, Cascade}},
	{PhaseHandoff, EventCascade, PhaseFailed, []Effect{KeepReason, Cascade}},
	{PhaseFailed, EventRevive, PhasePending, []Effect{ClearReason, Revive}},

	{PhaseExecuting, EventPause, PhaseHandoff, []Effect{ClockOff}},
	{PhaseHandoff, EventResume, PhaseExecuting, []Effect{ClockOn}},

	{PhaseExecuting, EventReset, PhasePending, []Effect{ClockOff, KeepReason, ClearRun, Reopen}},
	{PhaseExecuted, EventReset, PhasePending, []Effect{KeepReason, ClearRun, Reopen}},
	{PhaseCompleted, EventReset, PhasePending, []Effect{KeepReason, ClearRun, Reopen}},
	{PhaseFailed, EventReset, PhasePending, []Effect{KeepReason, ClearRun, Reopen, Revive}},
	{PhaseHandoff, EventReset, PhasePending, []Effect{KeepReason, ClearRun, Reopen}},

	{PhaseExecuted, EventRevise, PhaseExecuted, []Effect{Reopen}},
	{PhaseCompleted, EventRevise, PhaseExecuted, []Effect{ClearRun, Reopen}},
	{PhaseExecuted, EventFixed, PhaseExecuted, []Effect{ClearReason, Reopen}},

	{PhasePending, EventSplit, PhasePending, nil},
	{PhaseExecuting, EventSplit, PhasePending, []Effect{ClockOff, Reopen}},
	{PhaseExecuted, EventSplit, PhasePending, []Effect{Reopen}},
	{PhaseFailed, EventSplit, PhasePending, []Effect{ClearReason, Reopen, Revive}},
	{PhaseHandoff, EventSplit, PhasePending, []Effect{Reopen}},
	{PhasePending, EventJoined, PhaseExecuted, []Effect{MarkExecuted, ClearReason, MakeCurrent, Reopen}},
	{PhaseExecuting, EventJoined, PhaseExecuted, []Effect{ClockOff, MarkExecuted, ClearReason, MakeCurrent, Reopen}},
	{PhaseHandoff, EventJoined, PhaseExecuted, []Effect{MarkExecuted, ClearReason, MakeCurrent, Reopen}},
	{PhaseFailed, EventJoined, PhaseExecuted, []Effect{MarkExecuted, ClearReason, MakeCurrent, Reopen, Revive}},

	{PhaseExecuted, EventVerified, PhaseCompleted, []Effect{MarkCompleted, ClearReason, TellParent}},
	{PhaseExecuted, EventRefuted, PhaseExecuted, []Effect{KeepReason, MakeCurrent}},

	{PhaseExecuting, EventReopen, PhasePending, []Effect{ClockOff, ClearRun}},
	{PhaseExecuted, EventReopen, PhasePending, []Effect{ClearRun}},
	{PhaseCompleted, EventReopen, PhasePending, []Effect{ClearRun}},
	{PhaseHandoff, EventReopen, PhasePending, []Effect{ClearRun}},
	{PhaseFailed, EventReopen, PhasePending, []Effect{ClearRun, ClearReason, Revive}},
}

var reviewTransitions = []ReviewTransition{
	{ReviewNone, EventStart, ReviewNone},
	{ReviewApproved, EventStart, ReviewNone},
	{ReviewChanges, EventStart, ReviewNone},
	{ReviewChanges, EventRework, ReviewNone},
	{ReviewNone, EventExecuted, ReviewNone},
	{ReviewChanges, EventExecuted, ReviewNone},

	{ReviewNone, EventApprove, ReviewApproved},
	{ReviewChanges, EventApprove, ReviewApproved}, // the reviewer takes it back
	{ReviewNone, EventReject, ReviewChanges},
	{ReviewChanges, EventReject, ReviewChanges},
	{ReviewNone, EventRefute, ReviewNone},
	{ReviewChanges, EventRefute, ReviewNone},

	{ReviewNone, EventFail, ReviewNone},
	{ReviewChanges, EventFail, ReviewChanges},
	{ReviewNone, EventCascade, ReviewNone},
	{ReviewChanges, EventCascade, ReviewChanges},
	{ReviewNone, EventRevive, ReviewNone},
	{ReviewApproved, EventRevive, ReviewNone},
	{ReviewChanges, EventRevive, ReviewNone},

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

	{ReviewNone, EventSplit, ReviewNone},
	{ReviewChanges, EventSplit, ReviewNone},
	{ReviewNone, EventJoined, ReviewNone},
	{ReviewChanges, EventJoined, ReviewNone},

	{ReviewNone, EventVerified, ReviewApproved},
	{ReviewNone, EventRefuted, ReviewChanges},
	{ReviewChanges, EventRefuted, ReviewChanges},

	{ReviewNone, EventReopen, ReviewNone},
	{ReviewApproved, EventReopen, ReviewNone},
	{ReviewChanges, EventReopen, ReviewNone},
}

// taskTransition looks a pair up.
func taskTransition(from Status, event TaskEvent) (TaskTransition, bool) {
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
	case Errored:
		return TaskError, true
	}
	return "", false
}

// Terminal reports whether s ends a task: only a restart leaves it.
func (s Status) Terminal() bool {
	_, ok := finishEvent(s)
	return ok
}

// startEvent is what to start p is called where it stands.
func startEvent(p Phase) PhaseEvent {
	if p.Status == PhaseExecuted {
		return EventRework
	}
	return EventStart
}

// reviewEvent is what a verdict on p is called; the verdict must be approved
// or changes.
func reviewEvent(p Phase, verdict Review) PhaseEvent {
	switch {
	case verdict == ReviewApproved:
		return EventApprove
	case p.Kind == KindVerification:
		return EventRefute
	}
	return EventReject
}
