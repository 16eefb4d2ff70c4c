package rules

import "github.com/git-brew/git-brew/internal/task"

// taskTransitions: a pair that is not here is refused. A task can fail or be cancelled
// from wherever it is; finished says that the work is done, so it needs work to have
// begun.
var taskTransitions = []TaskTransition{
	{task.Pending, TaskStart, task.InProgress, []TaskEffect{MarkStarted, ClearEnd, ResumePhases}},
	{task.Paused, TaskStart, task.InProgress, []TaskEffect{MarkStarted, ClearEnd, ResumePhases}},
	{task.InProgress, TaskStart, task.InProgress, []TaskEffect{MarkStarted, ResumePhases}},

	{task.Finished, TaskRestart, task.InProgress, []TaskEffect{ClearEnd, ReopenStage, ResumePhases}},
	{task.Failed, TaskRestart, task.InProgress, []TaskEffect{ClearEnd, ReopenStage, ResumePhases}},
	{task.Cancelled, TaskRestart, task.InProgress, []TaskEffect{ClearEnd, ReopenStage, ResumePhases}},

	{task.Pending, TaskPause, task.Paused, []TaskEffect{MarkPaused, MarkReason, PausePhases}},
	{task.InProgress, TaskPause, task.Paused, []TaskEffect{MarkPaused, MarkReason, PausePhases}},
	{task.Paused, TaskPause, task.Paused, []TaskEffect{MarkPaused, MarkReason}},
	{task.Paused, TaskResume, task.InProgress, []TaskEffect{ClearEnd, ResumePhases}},

	{task.InProgress, TaskFinish, task.Finished, []TaskEffect{MarkEnded, MarkReason, PausePhases, CloseStage}},
	{task.Paused, TaskFinish, task.Finished, []TaskEffect{MarkEnded, MarkReason, PausePhases, CloseStage}},

	{task.Pending, TaskFail, task.Failed, []TaskEffect{MarkEnded, MarkReason, PausePhases}},
	{task.InProgress, TaskFail, task.Failed, []TaskEffect{MarkEnded, MarkReason, PausePhases}},
	{task.Paused, TaskFail, task.Failed, []TaskEffect{MarkEnded, MarkReason, PausePhases}},

	{task.Pending, TaskCancel, task.Cancelled, []TaskEffect{MarkEnded, MarkReason, PausePhases}},
	{task.InProgress, TaskCancel, task.Cancelled, []TaskEffect{MarkEnded, MarkReason, PausePhases}},
	{task.Paused, TaskCancel, task.Cancelled, []TaskEffect{MarkEnded, MarkReason, PausePhases}},
}

// phaseTransitions: a pair that is not here is refused. A phase in progress stays so
// while its task is paused, and nobody's time runs.
var phaseTransitions = []PhaseTransition{
	{
		task.PhasePending, EventStart, task.PhaseInProgress,
		[]PhaseEffect{CountIteration, ClearReason, MakeCurrent, ClockOn, EnterExecution, Reopen, Unverify},
	},
	{
		task.PhaseFailed, EventStart, task.PhaseInProgress,
		[]PhaseEffect{CountIteration, ClearReason, MakeCurrent, ClockOn, EnterExecution, Reopen, Revive, Unverify},
	},
	{
		task.PhaseInReview, EventRework, task.PhaseInProgress,
		[]PhaseEffect{CountIteration, MakeCurrent, ClockOn, EnterExecution, Reopen, Unverify},
	},
	{task.PhaseInProgress, EventDone, task.PhaseInReview, []PhaseEffect{ClockOff, MarkDone, Unverify}},

	{task.PhaseInReview, EventApprove, task.PhaseCompleted, []PhaseEffect{MarkCompleted, ClearReason, TellParent}},
	{task.PhaseInReview, EventReject, task.PhaseInReview, []PhaseEffect{KeepReason}},
	{task.PhaseInReview, EventRefute, task.PhasePending, []PhaseEffect{KeepReason, TellParent}},
	{task.PhaseInReview, EventRetract, task.PhaseInReview, []PhaseEffect{ClearReason, Reopen}},

	{task.PhasePending, EventFail, task.PhaseFailed, []PhaseEffect{KeepReason, Cascade}},
	{task.PhaseInProgress, EventFail, task.PhaseFailed, []PhaseEffect{ClockOff, KeepReason, Cascade}},
	{task.PhaseInReview, EventFail, task.PhaseFailed, []PhaseEffect{KeepReason, Cascade}},

	{task.PhasePending, EventCascade, task.PhaseFailed, []PhaseEffect{KeepReason, Cascade}},
	{task.PhaseInProgress, EventCascade, task.PhaseFailed, []PhaseEffect{ClockOff, KeepReason, Cascade}},
	{task.PhaseInReview, EventCascade, task.PhaseFailed, []PhaseEffect{KeepReason, Cascade}},
	{task.PhaseFailed, EventRevive, task.PhasePending, []PhaseEffect{ClearReason, Revive}},

	{task.PhasePending, EventDrop, task.PhaseDropped, []PhaseEffect{KeepReason, DropBelow, TellParent}},
	{task.PhaseInProgress, EventDrop, task.PhaseDropped, []PhaseEffect{ClockOff, KeepReason, DropBelow, TellParent}},
	{task.PhaseInReview, EventDrop, task.PhaseDropped, []PhaseEffect{KeepReason, DropBelow, TellParent}},
	{task.PhaseFailed, EventDrop, task.PhaseDropped, []PhaseEffect{KeepReason, Revive, DropBelow, TellParent}},
	{task.PhaseDropped, EventRevive, task.PhasePending, []PhaseEffect{ClearReason, Revive}},

	{task.PhaseInProgress, EventPause, task.PhaseInProgress, []PhaseEffect{ClockOff}},
	{task.PhaseInProgress, EventResume, task.PhaseInProgress, []PhaseEffect{ClockOn}},

	{task.PhaseInProgress, EventReset, task.PhasePending, []PhaseEffect{ClockOff, KeepReason, ClearRun, Reopen, Unverify}},
	{task.PhaseInReview, EventReset, task.PhasePending, []PhaseEffect{KeepReason, ClearRun, Reopen, Unverify}},
	{
		task.PhaseCompleted, EventReset, task.PhasePending,
		[]PhaseEffect{KeepReason, ClearRun, Reopen, TellParent, Unverify},
	},
	{task.PhaseFailed, EventReset, task.PhasePending, []PhaseEffect{KeepReason, ClearRun, Reopen, Revive, Unverify}},
	{
		task.PhaseDropped, EventReset, task.PhasePending,
		[]PhaseEffect{KeepReason, ClearRun, Reopen, Revive, TellParent, Unverify},
	},

	{task.PhaseInReview, EventRevise, task.PhaseInReview, []PhaseEffect{Reopen}},
	{task.PhaseCompleted, EventRevise, task.PhaseInReview, []PhaseEffect{ClearRun, Reopen, TellParent, Unverify}},
	{task.PhaseInReview, EventFixed, task.PhaseInReview, []PhaseEffect{ClearReason, Reopen}},
	{task.PhaseCompleted, EventUndone, task.PhaseInReview, []PhaseEffect{ClearDone, Reopen, TellParent}},

	{task.PhasePending, EventSplit, task.PhasePending, nil},
	{task.PhaseInProgress, EventSplit, task.PhasePending, []PhaseEffect{ClockOff, Reopen, Unverify}},
	{task.PhaseInReview, EventSplit, task.PhasePending, []PhaseEffect{Reopen, Unverify}},
	{task.PhaseFailed, EventSplit, task.PhasePending, []PhaseEffect{ClearReason, Reopen, Revive, Unverify}},
	{
		task.PhasePending, EventJoined, task.PhaseInReview,
		[]PhaseEffect{MarkDone, ClearReason, MakeCurrent, Reopen, Unverify},
	},
	{
		task.PhaseInProgress, EventJoined, task.PhaseInReview,
		[]PhaseEffect{ClockOff, MarkDone, ClearReason, MakeCurrent, Reopen, Unverify},
	},
	{
		task.PhaseFailed, EventJoined, task.PhaseInReview,
		[]PhaseEffect{MarkDone, ClearReason, MakeCurrent, Reopen, Revive, Unverify},
	},

	{task.PhaseInReview, EventParted, task.PhasePending, []PhaseEffect{Reopen, Unverify}},
	{task.PhaseCompleted, EventParted, task.PhasePending, []PhaseEffect{ClearDone, Reopen, TellParent, Unverify}},

	{task.PhaseInReview, EventVerified, task.PhaseCompleted, []PhaseEffect{MarkCompleted, ClearReason, TellParent}},
	{task.PhaseInReview, EventRefuted, task.PhaseInReview, []PhaseEffect{KeepReason, MakeCurrent}},

	{task.PhaseInProgress, EventReopen, task.PhasePending, []PhaseEffect{ClockOff, ClearRun, Reopen, Unverify}},
	{task.PhaseInReview, EventReopen, task.PhasePending, []PhaseEffect{ClearReason, ClearRun, Reopen, Unverify}},
	{task.PhaseCompleted, EventReopen, task.PhasePending, []PhaseEffect{ClearRun, Reopen, Unverify}},
	{task.PhaseFailed, EventReopen, task.PhasePending, []PhaseEffect{ClearRun, Reopen, ClearReason, Revive, Unverify}},
}

var reviewTransitions = []ReviewTransition{
	{task.ReviewNone, EventStart, task.ReviewNone},
	{task.ReviewApproved, EventStart, task.ReviewNone},
	{task.ReviewChanges, EventStart, task.ReviewNone},
	{task.ReviewChanges, EventRework, task.ReviewNone},
	{task.ReviewNone, EventDone, task.ReviewNone},
	{task.ReviewChanges, EventDone, task.ReviewNone},

	{task.ReviewNone, EventApprove, task.ReviewApproved},
	{task.ReviewChanges, EventApprove, task.ReviewApproved}, // the reviewer takes it back
	{task.ReviewNone, EventReject, task.ReviewChanges},
	{task.ReviewChanges, EventReject, task.ReviewChanges},
	{task.ReviewNone, EventRefute, task.ReviewNone},
	{task.ReviewChanges, EventRefute, task.ReviewNone},
	{task.ReviewChanges, EventRetract, task.ReviewNone},

	{task.ReviewNone, EventFail, task.ReviewNone},
	{task.ReviewChanges, EventFail, task.ReviewChanges},
	{task.ReviewNone, EventCascade, task.ReviewNone},
	{task.ReviewChanges, EventCascade, task.ReviewChanges},
	{task.ReviewNone, EventRevive, task.ReviewNone},
	{task.ReviewApproved, EventRevive, task.ReviewNone},
	{task.ReviewChanges, EventRevive, task.ReviewNone},

	{task.ReviewNone, EventDrop, task.ReviewNone},
	{task.ReviewApproved, EventDrop, task.ReviewNone},
	{task.ReviewChanges, EventDrop, task.ReviewNone},

	{task.ReviewNone, EventPause, task.ReviewNone},
	{task.ReviewChanges, EventPause, task.ReviewChanges},
	{task.ReviewNone, EventResume, task.ReviewNone},
	{task.ReviewChanges, EventResume, task.ReviewChanges},

	{task.ReviewNone, EventReset, task.ReviewNone},
	{task.ReviewApproved, EventReset, task.ReviewNone},
	{task.ReviewChanges, EventReset, task.ReviewNone},

	{task.ReviewNone, EventRevise, task.ReviewChanges},
	{task.ReviewApproved, EventRevise, task.ReviewChanges},
	{task.ReviewChanges, EventRevise, task.ReviewChanges},
	{task.ReviewNone, EventFixed, task.ReviewNone},
	{task.ReviewChanges, EventFixed, task.ReviewNone},
	{task.ReviewApproved, EventUndone, task.ReviewNone},

	{task.ReviewNone, EventSplit, task.ReviewNone},
	{task.ReviewChanges, EventSplit, task.ReviewNone},
	{task.ReviewNone, EventJoined, task.ReviewNone},
	{task.ReviewChanges, EventJoined, task.ReviewNone},
	{task.ReviewNone, EventParted, task.ReviewNone},
	{task.ReviewApproved, EventParted, task.ReviewNone},
	{task.ReviewChanges, EventParted, task.ReviewNone},

	{task.ReviewNone, EventVerified, task.ReviewApproved},
	{task.ReviewNone, EventRefuted, task.ReviewChanges},
	{task.ReviewChanges, EventRefuted, task.ReviewChanges},

	{task.ReviewNone, EventReopen, task.ReviewNone},
	{task.ReviewApproved, EventReopen, task.ReviewNone},
	{task.ReviewChanges, EventReopen, task.ReviewNone},
}

// lookUpTask looks a pair up.
func lookUpTask(from task.Status, event TaskEvent) (TaskTransition, bool) {
	for _, t := range taskTransitions {
		if t.From == from && t.Event == event {
			return t, true
		}
	}
	return TaskTransition{}, false
}

// phaseTransition looks a pair up in both tables of phases.
func phaseTransition(p task.Phase, event PhaseEvent) (PhaseTransition, task.Review, bool) {
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
