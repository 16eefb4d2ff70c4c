package task

import (
	"errors"
)

// ErrNoTask says that there is no task (yet, or any more) to change.
var ErrNoTask = errors.New("no such task")

// ErrNoQuestion says that context.md has no such question.
var ErrNoQuestion = errors.New("no question")

// ErrNoEntry says that a task has no such entry of knowledge, or conflict.
var ErrNoEntry = errors.New("no such entry")

// Code names a reason to refuse, for scripts.
type Code string

// The reasons to refuse.
const (
	CodeInvalid      Code = "invalid"         // the request makes no sense
	CodeTransition   Code = "transition"      // the tables have no such pair
	CodeOpenPhases   Code = "open_phases"     // finish before the phases are done
	CodeDependencies Code = "dependencies"    // something else comes first
	CodeReports      Code = "missing_reports" // approve before agents reported
	CodeVerification Code = "verification"    // the verification phase decides
	CodeOpenFixes    Code = "open_fixes"      // fix phases come first
	CodeRejected     Code = "rejected"        // the user wants changes
	CodeTaskState    Code = "task_state"      // the task is not where it has to be
	CodeTaken        Code = "taken"           // an id that is in use
	CodeCycle        Code = "cycle"           // phases that wait for each other
	CodeEscalation   Code = "escalation"      // the ladder has its limits
	CodeUnknownDep   Code = "unknown_dependency"
	CodeDocuments    Code = "documents" // the plan could not be carried out
	CodeBoard        Code = "board"     // its reviewers have not found it ready
)

// RefusedError says that the rules do not allow an operation now, and what to
// do instead (exit 5).
type RefusedError struct {
	Code Code
	Msg  string
	Hint string
	// Findings are the parts of Msg one by one, where there are several:
	// the paths of missing reports, the open phases.
	Findings []string
}

func (e *RefusedError) Error() string {
	if e.Hint == "" {
		return e.Msg
	}
	return e.Msg + "; " + e.Hint
}

func Refuse(code Code, msg, hint string) error {
	return &RefusedError{Code: code, Msg: msg, Hint: hint}
}

// Reasons why something can't be taken back.
const (
	CodeUndo         Code = "undo"
	CodeChangedSince Code = "undo_changed_since" // something else changed the same since
)
