package task

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/operation"
)

var (
	Stages = []Stage{StageClarify, StageResearch, StagePlan, StageExecute, StageComplete}
	pauses = []Cause{CauseWaiting, CauseHandoff, CauseCompaction}
	causes = []Cause{CauseNone, CauseWaiting, CauseHandoff, CauseCompaction, CauseError}
)

func createTask(e *editor, op operation.Operation, p CreatePayload) error {
	if !op.ID.Valid() {
		return Refuse(CodeInvalid, "the operation has no id", "")
	}
	at := cleanTime(op.At)
	e.t = Task{
		Schema: operation.Format, ID: p.ID, Root: op.ID, Title: p.Title, Type: p.Type,
		Branch: p.Branch, Base: p.Base, BaseCommit: p.BaseCommit,
		Status: Pending, Stage: p.Stage, CreatedAt: at, UpdatedAt: at,
		Phases: []Phase{}, Clock: e.t.Clock, Fence: e.t.Fence, Priority: p.Priority,
		Services: withServices(nil, p.Services), Issues: withLinks(nil, p.Issues),
	}
	return nil
}

func editTask(e *editor, _ operation.Operation, p EditPayload) error {
	e.t.Title = cmp.Or(p.Title, e.t.Title)
	e.t.Branch = cmp.Or(p.Branch, e.t.Branch)
	e.t.Type = cmp.Or(p.Type, e.t.Type)
	if e.t.Priority = cmp.Or(p.Priority, e.t.Priority); p.Priority == PriorityNone {
		e.t.Priority = ""
	}
	e.t.Services = withoutServices(withServices(e.t.Services, p.AddServices), p.DropServices)
	e.t.Issues = withoutLinks(withLinks(e.t.Issues, p.AddIssues), p.DropIssues)
	return nil
}

// startTask: a restart of what runs already is a plain start.
func startTask(e *editor, op operation.Operation, p StartPayload) error {
	event := TaskStart
	if p.Restart && e.t.Status.Terminal() {
		event = TaskRestart
	}
	return e.fireTask(event, moment{at: cleanTime(op.At)})
}

func pauseTask(e *editor, op operation.Operation, p PausePayload) error {
	return e.fireTask(TaskPause, moment{at: cleanTime(op.At), cause: p.Cause, reason: p.Reason})
}

// resumeTask goes on with what was only interrupted: what waits, somebody starts.
func resumeTask(e *editor, op operation.Operation, _ EmptyPayload) error {
	if e.t.Status == Paused && e.t.Cause == CauseWaiting {
		return Refuse(CodeTransition, fmt.Sprintf("the task waits: %s", Clip(e.t.Reason, MaxTitle)), "'git brew start' starts it")
	}
	return e.fireTask(TaskResume, moment{at: cleanTime(op.At)})
}

func finishTask(e *editor, op operation.Operation, p FinishPayload) error {
	event, _ := finishEvent(p.Status)
	if err := checkTaskEvent(e.t, event); err != nil {
		return err
	}
	e.pass(op, p.Passed, "")
	return e.fireTask(event, moment{at: cleanTime(op.At), cause: p.Cause, reason: p.Reason})
}

// askFinish wants every phase over where the task is finished, and a reason where it
// failed and no phase tells one (BC-34): whoever reads its report asks that first.
func askFinish(t Task, p FinishPayload) error {
	switch {
	case p.Status == Finished:
		return checkAllDone(t, "complete or drop them, or end the task with --status failed or cancelled")
	case p.Status == Cancelled, strings.TrimSpace(p.Reason) != "", slices.ContainsFunc(t.Phases, t.FailedItself):
		return nil
	}
	return Refuse(CodeInvalid, "ending a task as "+p.Status.String()+" needs a reason", "say why, with -m")
}

// checkAllDone names the phases that are not over, and were not given up.
func checkAllDone(t Task, hint string) error {
	var open []string
	for _, p := range t.Phases {
		if t.Unfinished(p) {
			open = append(open, fmt.Sprintf("%s %s (%s)", p.ID, p.Title, p.Status))
		}
	}
	if len(open) == 0 {
		return nil
	}
	return &RefusedError{Code: CodeOpenPhases, Msg: "phases are not completed: " + strings.Join(open, ", "), Hint: hint, Findings: open}
}

func deleteTask(e *editor, _ operation.Operation, _ EmptyPayload) error {
	e.t.Deleted = true
	return nil
}

func setStage(e *editor, op operation.Operation, p StagePayload) error {
	e.pass(op, p.Passed, "")
	e.dueAgain(p.Stage)
	e.t.Stage = p.Stage
	return nil
}

func askStage(t Task, p StagePayload) error {
	to := t
	if to.Stage = p.Stage; ahead(t) && !ahead(to) {
		if err := checkPlan(t); err != nil {
			return err
		}
	}
	if p.Stage == StageComplete {
		if err := checkAllDone(t, "see 'git brew next'"); err != nil {
			return err
		}
	}
	return checkStageGates(t, p.Stage)
}

// checkTaskEvent refuses what the table does not have.
func checkTaskEvent(t Task, event TaskEvent) error {
	if _, ok := lookUpTask(t.Status, event); ok {
		return nil
	}
	hint := "see 'git brew status'"
	switch {
	case t.Status.Terminal():
		return ended(t)
	case event == TaskFinish:
		hint = "'git brew start' first"
	case event == TaskResume:
		hint = "'git brew start' starts it"
	}
	return Refuse(CodeTransition, fmt.Sprintf("the task is %s, and can't %s", t.Status, event), hint)
}
