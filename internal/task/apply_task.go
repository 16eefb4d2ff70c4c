package task

import (
	"slices"

	"github.com/git-brew/git-brew/internal/operation"
)

var stages = []Stage{StageClarify, StageResearch, StagePlan, StageExecute, StageComplete}

func (s Stage) valid() bool { return slices.Contains(stages, s) }

func applyCreate(e *editor, op operation.Operation, p CreatePayload) bool {
	if _, err := ParseID(string(p.ID)); err != nil || !op.ID.Valid() || !oneLine(p.Title, MaxTitle) || !validType(p.Type) ||
		!validBranch(p.Branch) || !validBase(p.Base) || !emptyOrOID(p.BaseCommit) || !p.Stage.valid() ||
		!validServices(p.Services) || !validIssues(p.Issues) || !p.Priority.valid() {
		return false
	}
	at := cleanTime(op.At)
	e.t = Task{
		Schema: operation.Format, ID: p.ID, Root: op.ID, Title: p.Title, Type: p.Type,
		Branch: p.Branch, Base: p.Base, BaseCommit: p.BaseCommit,
		Status: Pending, Stage: p.Stage, CreatedAt: at, UpdatedAt: at,
		Phases: []Phase{}, Clock: e.t.Clock, Fence: e.t.Fence, Priority: p.Priority,
	}
	if len(p.Services) > 0 {
		e.t.Services = withServices(nil, p.Services)
	}
	if len(p.Issues) > 0 {
		e.t.Issues = withLinks(nil, p.Issues)
	}
	return true
}

func applyEdit(e *editor, _ operation.Operation, p EditPayload) bool {
	if p.Empty() || p.Title != "" && !oneLine(p.Title, MaxTitle) ||
		p.Branch != "" && !validBranch(p.Branch) || p.Type != "" && !validType(p.Type) ||
		!validServices(p.AddServices) || !validIssues(p.AddIssues) || !p.Priority.valid() && p.Priority != PriorityNone {
		return false
	}
	if p.Title != "" {
		e.t.Title = p.Title
	}
	if p.Branch != "" {
		e.t.Branch = p.Branch
	}
	if p.Type != "" {
		e.t.Type = p.Type
	}
	switch p.Priority {
	case "":
	case PriorityNone:
		e.t.Priority = ""
	default:
		e.t.Priority = p.Priority
	}
	if len(p.AddServices)+len(p.DropServices) > 0 {
		e.t.Services = withoutServices(withServices(e.t.Services, p.AddServices), p.DropServices)
	}
	if len(p.AddIssues)+len(p.DropIssues) > 0 {
		e.t.Issues = withoutLinks(withLinks(e.t.Issues, p.AddIssues), p.DropIssues)
	}
	return true
}

// startTaskEvent: a restart of what runs already is a plain start.
func startTaskEvent(t Task, p StartPayload) TaskEvent {
	if p.Restart && t.Status.Terminal() {
		return TaskRestart
	}
	return TaskStart
}

func applyStart(e *editor, op operation.Operation, p StartPayload) bool {
	return e.fireTask(startTaskEvent(e.t, p), moment{at: cleanTime(op.At)})
}

func (c Cause) pauses() bool { return c == CauseWaiting || c == CauseHandoff || c == CauseCompaction }

func applyPause(e *editor, op operation.Operation, p PausePayload) bool {
	return p.Cause.pauses() && paragraph(p.Reason, MaxReason) &&
		e.fireTask(TaskPause, moment{at: cleanTime(op.At), cause: p.Cause, reason: p.Reason})
}

// applyResume goes on with what was only interrupted: what waits, somebody starts.
func applyResume(e *editor, op operation.Operation, _ EmptyPayload) bool {
	return e.t.Cause != CauseWaiting && e.fireTask(TaskResume, moment{at: cleanTime(op.At)})
}

func applyFinish(e *editor, op operation.Operation, p FinishPayload) bool {
	event, ok := finishEvent(p.Status)
	if !ok || !paragraph(p.Reason, MaxReason) || p.Cause != CauseNone && (p.Cause != CauseError || event != TaskFail) {
		return false
	}
	if _, fits := taskTransition(e.t.Status, event); fits {
		e.pass(op, p.Passed, "")
	}
	return e.fireTask(event, moment{at: cleanTime(op.At), cause: p.Cause, reason: p.Reason})
}

func applyDelete(e *editor, _ operation.Operation, _ EmptyPayload) bool {
	e.t.Deleted = true
	return true
}

func applyStage(e *editor, op operation.Operation, p StagePayload) bool {
	if !p.Stage.valid() {
		return false
	}
	e.pass(op, p.Passed, "")
	e.dueAgain(p.Stage)
	e.t.Stage = p.Stage
	return true
}
