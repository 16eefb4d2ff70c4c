package task

import (
	"fmt"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/operation"
)

// Check reports why op must not be made now, nil if it may. Errors are
// *RefusedError, or wrap ErrNoTask, ErrNoPhase, ErrNoDocument, ErrNoEntry.
// Who holds the lock is not asked here: see Allows.
func Check(t Task, op operation.Operation) error {
	k, known := kindOf(op.Kind)
	switch {
	case !known:
		return refuse(CodeInvalid, fmt.Sprintf("%q is no kind of operation", clip(string(op.Kind), maxName)), "")
	case t.Root == "" && op.Kind != OpCreate:
		return ErrNoTask
	case t.Root != "" && op.Kind == OpCreate:
		return refuse(CodeTaken, fmt.Sprintf("%s exists already", t.ID), "choose another title")
	case t.Deleted && !afterDelete(op.Kind):
		return fmt.Errorf("%w: %s was deleted", ErrNoTask, t.ID)
	}
	if uid := k.phase(op); uid != "" && !k.open && t.Status.Terminal() && t.phaseIndex(uid) >= 0 {
		return ended(t)
	}
	if err := k.checkSeen(op); err != nil {
		return err
	}
	return k.check(t, op)
}

func ended(t Task) error {
	return refuse(CodeTaskState, fmt.Sprintf("the task is %s", t.Status), "'git brew start --restart' takes it up again")
}

func checkCreate(_ Task, p CreatePayload) error {
	if _, err := ParseID(string(p.ID)); err != nil {
		return refuse(CodeInvalid, err.Error(), "")
	}
	if !p.Stage.valid() {
		return unknownWord("stage", string(p.Stage), stages)
	}
	if !validBase(p.Base) || !emptyOrOID(p.BaseCommit) {
		return refuse(CodeInvalid, fmt.Sprintf("a task can't start from %q", clip(p.Base, MaxTitle)), "give a branch or a commit")
	}
	return firstError(checkTitle(p.Title), checkType(p.Type), checkBranch(p.Branch), checkServices(p.Services), checkIssues(p.Issues), checkPriority(p.Priority))
}

func checkEdit(_ Task, p EditPayload) error {
	var errs []error
	if p.Title != "" {
		errs = append(errs, checkTitle(p.Title))
	}
	if p.Type != "" {
		errs = append(errs, checkType(p.Type))
	}
	if p.Branch != "" {
		errs = append(errs, checkBranch(p.Branch))
	}
	if p.Empty() {
		return refuse(CodeInvalid, "nothing to edit", "give --title, --branch or --type")
	}
	return firstError(append(errs, checkServices(p.AddServices), checkIssues(p.AddIssues), checkPriority(p.Priority))...)
}

func firstError(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// checkTitle says why s can't be the title of a task or a phase.
func checkTitle(s string) error {
	switch {
	case strings.TrimSpace(s) == "":
		return refuse(CodeInvalid, "the title is empty", "say in a few words what is to be done")
	case len(s) > MaxTitle:
		return refuse(CodeInvalid, fmt.Sprintf("the title has %d bytes, at most %d fit", len(s), MaxTitle), "shorten it; the rest belongs into the spec")
	case !oneLine(s, MaxTitle):
		return refuse(CodeInvalid, fmt.Sprintf("the title %q has control characters or is not UTF-8", s), "write it in one plain line")
	}
	return nil
}

func checkType(s string) error {
	if slices.Contains(Types, s) || validType(s) {
		return nil
	}
	return unknownWord("type", s, Types)
}

func checkPriority(p Priority) error {
	if p.valid() || p == PriorityNone {
		return nil
	}
	return unknownWord("priority", string(p), append(slices.Clone(Priorities), PriorityNone))
}

func checkBranch(s string) error {
	if validBranch(s) {
		return nil
	}
	return refuse(CodeInvalid, fmt.Sprintf("%q can't be a branch", clip(s, MaxTitle)), "see 'git help check-ref-format'")
}

func checkReason(s string) error {
	if paragraph(s, MaxReason) {
		return nil
	}
	return refuse(CodeInvalid, fmt.Sprintf("the reason is no plain text of at most %d bytes", MaxReason), "shorten it")
}

// checkTaskEvent refuses what the table does not have.
func checkTaskEvent(t Task, event TaskEvent) error {
	if _, ok := taskTransition(t.Status, event); ok {
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
	return refuse(CodeTransition, fmt.Sprintf("the task is %s, and can't %s", t.Status, event), hint)
}

func checkStart(t Task, p StartPayload) error {
	if len(p.TookFrom) > MaxReason {
		return refuse(CodeInvalid, "the holder's name is too long", "")
	}
	return checkTaskEvent(t, startTaskEvent(t, p))
}

func checkPause(t Task, p PausePayload) error {
	switch {
	case !p.Cause.pauses():
		return unknownWord("cause of a pause", string(p.Cause), []Cause{CauseWaiting, CauseHandoff, CauseCompaction})
	case p.Cause == CauseWaiting && strings.TrimSpace(p.Reason) == "":
		return refuse(CodeInvalid, "a task that waits needs a reason", "say it with -m")
	}
	return firstError(checkReason(p.Reason), checkTaskEvent(t, TaskPause))
}

func checkResume(t Task, _ EmptyPayload) error {
	if t.Status == Paused && t.Cause == CauseWaiting {
		return refuse(CodeTransition, fmt.Sprintf("the task waits: %s", clip(t.Reason, MaxTitle)), "'git brew start' starts it")
	}
	return checkTaskEvent(t, TaskResume)
}

func checkFinish(t Task, p FinishPayload) error {
	event, ok := finishEvent(p.Status)
	if !ok {
		return unknownWord("end of a task", string(p.Status), []Status{Finished, Failed, Cancelled})
	}
	if p.Cause != CauseNone && (p.Cause != CauseError || event != TaskFail) {
		return unknownWord("cause of an end as "+p.Status.String(), string(p.Cause), []Cause{CauseError})
	}
	if err := firstError(checkReason(p.Reason), checkTaskEvent(t, event)); err != nil {
		return err
	}
	if event != TaskFinish {
		return checkEnd(t, p)
	}
	return checkAllDone(t, "complete or drop them, or end the task with --status failed or cancelled")
}

// checkAllDone names the phases that are not over, and were not given up.
func checkAllDone(t Task, hint string) error {
	var open []string
	for _, p := range t.Phases {
		if t.unfinished(p) {
			open = append(open, fmt.Sprintf("%s %s (%s)", p.ID, p.Title, p.Status))
		}
	}
	if len(open) == 0 {
		return nil
	}
	return &RefusedError{Code: CodeOpenPhases, Msg: "phases are not completed: " + strings.Join(open, ", "), Hint: hint, Findings: open}
}

// checkEnd wants to know why a task failed, or ended in error, where no phase tells
// it (BC-34): whoever reads its report asks that first.
func checkEnd(t Task, p FinishPayload) error {
	if p.Status == Cancelled || strings.TrimSpace(p.Reason) != "" || slices.ContainsFunc(t.Phases, t.failedItself) {
		return nil
	}
	return refuse(CodeInvalid, "ending a task as "+p.Status.String()+" needs a reason", "say why, with -m")
}

func checkDelete(Task, EmptyPayload) error { return nil }

func checkStage(t Task, p StagePayload) error {
	if !p.Stage.valid() {
		return unknownWord("stage", string(p.Stage), stages)
	}
	to := t
	if to.Stage = p.Stage; t.ahead() && !to.ahead() {
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
