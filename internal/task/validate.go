package task

import (
	"errors"
	"fmt"
)

// ErrCorrupt says that a stored state is not one that this package wrote.
var ErrCorrupt = errors.New("corrupt task")

func corrupt(format string, args ...any) error {
	return fmt.Errorf("%w: %w", ErrCorrupt, fmt.Errorf(format, args...))
}

// Validate checks a state that was read, or put together: what a fold can't have made is refused, so that no path,
// no line and no loop of it can do harm. What it holds stands within the bounds of
// operations (Check); the rest is here: what names another thing, or has to be one alone.
func Validate(t Task) error {
	if err := Check(t); err != nil {
		return corrupt("%w", err)
	}
	if err := validatePhases(t); err != nil {
		return err
	}
	there := func(uid UID) bool { return uid == "" || t.PhaseIndex(uid) >= 0 }
	for name := range t.Docs {
		if _, ok := t.DocPath(name); !ok {
			return corrupt("%s belongs to no phase", Clip(string(name), MaxName))
		}
	}
	for _, k := range t.Skips {
		if k.ID != k.Passed.ID(k.UID) {
			return corrupt("skip %q", Clip(k.ID, MaxName))
		}
	}
	for _, r := range t.Reports {
		if t.PhaseIndex(r.Phase) < 0 || r.Iteration < 1 {
			return corrupt("report of %q", r.Agent)
		}
	}
	for i, d := range t.Decisions {
		if DecisionIndex(t, d.UID) != i || !there(d.Phase) {
			return corrupt("decision %s", d.UID)
		}
	}
	for i, b := range t.Boards {
		if b.Round < 1 || boardIndex(t, b.On) != i || !ValidBoard(t, b.On) {
			return corrupt("board %q", Clip(string(b.On), MaxName))
		}
	}
	for i, r := range t.Remarks {
		if r.Round < 1 || t.RemarkNumber(r.UID) != i+1 || boardIndex(t, r.On) < 0 {
			return corrupt("remark %s", r.UID)
		}
	}
	for i, h := range t.StepHooks {
		if HookRecord(t, h.UID) != i || !there(h.Phase) || len(h.Runs) == 0 {
			return corrupt("record %s of what ran around a step", h.UID)
		}
	}
	return nil
}

func validatePhases(t Task) error {
	parents := make(map[UID]UID, len(t.Phases))
	ids := make(map[string]bool, len(t.Phases))
	for _, p := range t.Phases {
		if _, twice := parents[p.UID]; twice {
			return corrupt("phase uid %q", Clip(string(p.UID), MaxName))
		}
		if ids[p.ID] {
			return corrupt("phase id %q", Clip(p.ID, MaxName))
		}
		parents[p.UID], ids[p.ID] = p.Parent, true
	}
	for _, p := range t.Phases {
		at := p.UID
		for range MaxDepth + 1 {
			if at == "" {
				break
			}
			next, known := parents[at]
			if !known {
				return corrupt("phase %s: its parent is missing", p.ID)
			}
			at = next
		}
		if at != "" {
			return corrupt("phase %s hangs below more than %d others", p.ID, MaxDepth)
		}
	}
	return nil
}

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
