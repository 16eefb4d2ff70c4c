package rules

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/git-brew/git-brew/internal/operation"
	"github.com/git-brew/git-brew/internal/task"
)

// editor holds a state while an operation is applied to it. It changes copies of lists,
// so the state it was made from stays as it is.
type editor struct {
	t     task.Task
	texts task.Texts
	op    operation.Operation
	at    string // op's own time, where that is one
	made  bool   // op is made now, and not folded
	owned bool   // the phases are a copy
}

func newEditor(t task.Task, op operation.Operation, texts task.Texts) *editor {
	return &editor{t: t, texts: texts, op: op, at: task.CleanTime(op.At)}
}

// moment is what an event takes from the operation that caused it.
type moment struct {
	cause  task.Cause // of a pause or an end
	commit string
	reason string
	// services are commits in services, as commit is one in the repository; clean:
	// the work tree had nothing beside them.
	services task.Commits
	clean    bool
}

// phases returns the list for writing.
func (e *editor) phases() []task.Phase {
	if !e.owned {
		e.t.Phases, e.owned = slices.Clone(e.t.Phases), true
	}
	return e.t.Phases
}

// fireTask takes the task through an event, or says why that can't happen.
func (e *editor) fireTask(event TaskEvent, m moment) error {
	row, ok := lookUpTask(e.t.Status, event)
	if !ok && e.t.Status.Terminal() {
		return ended(e.t)
	}
	if !ok {
		return task.Refuse(task.CodeTransition, fmt.Sprintf("the task is %s, and can't %s", e.t.Status, event),
			"'git brew start' first")
	}
	e.t.Status = row.To
	for _, effect := range row.Effects {
		e.taskEffect(effect, m)
	}
	return nil
}

func (e *editor) taskEffect(effect TaskEffect, m moment) {
	switch effect {
	case MarkStarted:
		if e.t.StartedAt == "" {
			e.t.StartedAt = e.at
		}
	case MarkPaused:
		e.t.PausedAt = e.at
	case MarkEnded:
		e.t.FinishedAt = e.at
	case MarkReason:
		e.t.Cause, e.t.Reason = m.cause, m.reason
	case ClearEnd:
		e.t.Cause, e.t.Reason, e.t.FinishedAt = task.CauseNone, "", ""
	case PausePhases:
		e.fireAll(EventPause, m, task.Phase.InProgress)
	case ResumePhases:
		e.fireAll(EventResume, m, task.Phase.InProgress)
	case CloseStage:
		e.t.Stage = task.StageComplete
	case ReopenStage:
		if e.t.Stage == task.StageComplete {
			e.t.Stage = task.StageExecute
		}
	}
}

// fireAll takes every phase that has to do with it through an event.
func (e *editor) fireAll(event PhaseEvent, m moment, which func(task.Phase) bool) {
	for i := range e.t.Phases {
		if which(e.t.Phases[i]) {
			e.firePhase(i, event, m)
		}
	}
}

// firePhase takes a phase through an event, with all that follows, or reports
// that it can't happen.
func (e *editor) firePhase(i int, event PhaseEvent, m moment) bool {
	row, ok := transitionOf(e.t, e.t.Phases[i], event)
	if !ok {
		return false
	}
	p := &e.phases()[i]
	p.Status, p.Review = row.To, row.Verdict
	for _, effect := range row.Effects {
		e.phaseEffect(i, event, effect, m)
	}
	e.settleParts(e.t.Phases[i])
	e.settleReviews(e.t.Phases[i])
	e.settleCurrent()
	return true
}

func (e *editor) phaseEffect(i int, event PhaseEvent, effect PhaseEffect, m moment) {
	p, uid := &e.t.Phases[i], e.t.Phases[i].UID
	switch effect {
	case CountIteration:
		e.countIteration(p, m)
	case MakeCurrent:
		e.t.Current = p.UID
	case EnterExecution:
		e.t.Stage = task.StageExecute
	case ClockOn:
		if p.WorkSince == "" {
			p.WorkSince = e.at
		}
	case ClockOff:
		if p.WorkSince != "" {
			p.WorkedSeconds += task.SecondsBetween(p.WorkSince, e.at)
		}
		p.WorkSince = ""
	case MarkDone:
		p.EndCommit, p.ServiceEnds = m.commit, m.services
	case MarkCompleted:
		p.CompletedAt, p.MustEscalate = e.at, false
		p.EndCommit = cmp.Or(m.commit, p.EndCommit)
		if len(m.services) > 0 {
			p.ServiceEnds = m.services
		}
	case KeepReason:
		p.Reason = m.reason
	case ClearReason:
		p.Reason, p.FailedBy = "", ""
	case ClearRun:
		p.StartCommit, p.EndCommit, p.CompletedAt, p.FailedBy, p.Launched = "", "", "", "", nil
		p.ServiceStarts, p.ServiceEnds, p.Claim, p.Deviations = nil, nil, task.PhaseClaim{}, nil
	case ClearDone:
		p.CompletedAt = ""
	case Cascade:
		e.cascade(*p, m)
	case DropBelow:
		p.FailedBy = ""
		e.dropBelow(*p, m)
	case DropFailed:
		// It was completed without them, and nothing waits for them.
		m.reason = p.ID + " was completed without it"
		e.fireAll(EventDrop, m, func(q task.Phase) bool { return isFixOf(q, uid) && q.Status == task.PhaseFailed })
	case Revive:
		m.reason, m.commit, m.services = "", "", nil
		e.fireAll(EventRevive, m, func(q task.Phase) bool { return q.FailedBy == uid })
	case Reopen:
		e.fireAll(EventReopen, m, func(q task.Phase) bool { return q.Kind == task.KindVerification && q.Parent == uid })
	case TellParent:
		e.tellParent(*p, event, m)
	case Unverify:
		e.unverify(*p, event, m)
	}
}

func (e *editor) countIteration(p *task.Phase, m moment) {
	p.Iteration++
	p.SeenRejection = lastRejection(e.t)
	p.EndCommit, p.ServiceEnds, p.Launched, p.CompletedAt = "", nil, nil, ""
	p.Claim, p.Errors, p.TierSince = task.PhaseClaim{}, 0, len(p.Turns)
	// A phase is one change however often it is worked on (SP-12): only a reset makes
	// it begin elsewhere.
	p.StartCommit, p.StartedAt = cmp.Or(p.StartCommit, m.commit), cmp.Or(p.StartedAt, e.at)
	if len(p.ServiceStarts) == 0 {
		p.ServiceStarts = m.services
	}
}

// cascade fails what can't be completed any more without failed, or serves no
// end (BC-51): its dependants, the phase that it is a part of, its open fixes
// and its verification.
func (e *editor) cascade(failed task.Phase, m moment) {
	m.commit, m.services = "", nil
	for i := range e.t.Phases {
		if m.reason = fallsWith(e.t.Phases[i], failed); m.reason != "" && e.firePhase(i, EventCascade, m) {
			e.t.Phases[i].FailedBy = failed.UID
		}
	}
}

// fallsWith says why p fails when failed does; "" where it goes on.
func fallsWith(p, failed task.Phase) string {
	switch {
	case isFixOf(p, failed.UID):
		return "repairs " + failed.ID
	case p.Kind == task.KindVerification && p.Parent == failed.UID:
		return "verifies " + failed.ID
	case failed.Kind == task.KindSplit && failed.Parent == p.UID, slices.Contains(p.DependsOn, failed.UID):
		return "depends on " + failed.ID
	}
	return ""
}

// dropBelow drops what belongs to a dropped phase, or repairs it: that serves no end.
func (e *editor) dropBelow(dropped task.Phase, m moment) {
	m.reason = "dropped with " + dropped.ID
	for i, q := range e.t.Phases {
		if (q.Parent == dropped.UID || q.Fixes == dropped.UID) && e.firePhase(i, EventDrop, m) {
			e.t.Phases[i].FailedBy = dropped.UID
		}
	}
}

// tellParent passes on what the end of p, or that it ends no more, means for the
// phases it belongs to.
func (e *editor) tellParent(p task.Phase, event PhaseEvent, m moment) {
	parent := e.t.PhaseIndex(p.Parent)
	if parent < 0 {
		return
	}
	switch {
	case event == EventReset || event == EventUndone || event == EventParted || event == EventRevise:
		if p.Kind == task.KindVerification || p.Kind == task.KindFix {
			e.firePhase(parent, EventUndone, m)
		}
		if i := e.t.PhaseIndex(p.Fixes); i >= 0 && p.Fixes != p.Parent {
			e.firePhase(i, EventUndone, m)
		}
	case event == EventRefute:
		m.reason = fmt.Sprintf("verification %s: %s", p.ID, cmp.Or(m.reason, "rejected"))
		e.firePhase(parent, EventRefuted, m)
	case event == EventDrop && p.Kind == task.KindVerification:
		// What else verifies the parent completes it, and was to be the last: it is due again.
		e.fireAll(EventReopen, m, func(q task.Phase) bool {
			return q.Kind == task.KindVerification && q.Parent == p.Parent && q.Status == task.PhaseCompleted
		})
	case p.Kind == task.KindVerification:
		if allCompleted(e.t.Children(p.Parent, task.KindVerification)) {
			e.firePhase(parent, EventVerified, m)
		}
	case p.Kind == task.KindSplit:
		// Where every part was dropped, the parent is work of its own again.
		if parts := e.t.Children(p.Parent, task.KindSplit); len(parts) > 0 && allCompleted(parts) {
			e.firePhase(parent, EventJoined, m)
		}
	case p.Kind == task.KindFix:
		if p.Fixes != p.Parent && len(e.t.OpenFixesOf(p.Fixes)) == 0 {
			if i := e.t.PhaseIndex(p.Fixes); i >= 0 {
				e.firePhase(i, EventFixed, m)
			}
		}
		if len(task.OpenFixes(e.t, p.Parent)) == 0 {
			e.firePhase(parent, EventFixed, m)
		}
	}
}

// settleCurrent keeps Current on a phase that was started and is not done.
func (e *editor) settleCurrent() {
	under := func(p task.Phase) bool {
		return p.Status == task.PhaseInProgress || p.Status == task.PhaseInReview
	}
	current, ok := e.t.CurrentPhase()
	if ok && (under(current) || current.Status == task.PhaseFailed) {
		return
	}
	if parent, found := e.t.Phase(current.Parent); ok && found && under(parent) {
		e.t.Current = parent.UID
		return
	}
	e.t.Current = ""
	for _, p := range e.t.Phases {
		if under(p) {
			e.t.Current = p.UID
			return
		}
	}
}

func allCompleted(phases []task.Phase) bool {
	return !slices.ContainsFunc(phases, func(p task.Phase) bool { return p.Status != task.PhaseCompleted })
}
