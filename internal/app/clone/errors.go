package clone

import (
	"errors"
	"fmt"

	"github.com/git-brew/git-brew/internal/task"
)

// ErrNotFound: no such document, report, entry, session. Exit 4, as
// task.ErrNoTask, task.ErrNoPhase and their like.
var ErrNotFound = errors.New("not found")

// hinted is what is said of an error, and what to do about it.
type hinted struct{ Msg, Hint string }

func (e hinted) Error() string {
	if e.Hint == "" {
		return e.Msg
	}
	return e.Msg + "; " + e.Hint
}

// RefusedError: the rules do not allow it now. Exit 5.
type RefusedError struct{ hinted }

// Refuse returns a *RefusedError.
func Refuse(hint, format string, args ...any) error {
	return &RefusedError{hinted{fmt.Sprintf(format, args...), hint}}
}

// InvalidError: what was asked for is no value of its kind, whatever the state
// is. Exit 129.
type InvalidError struct{ hinted }

// Invalid returns an *InvalidError.
func Invalid(hint, format string, args ...any) error {
	return &InvalidError{hinted{fmt.Sprintf(format, args...), hint}}
}

// NotFoundError names what was not found, and what to do. Exit 4.
type NotFoundError struct {
	hinted
	Kind error // task.ErrNoTask, ErrNotFound, ...
}

func (e *NotFoundError) Unwrap() error { return e.Kind }

// NotFound returns a *NotFoundError of something of a task, a session or a clone.
func NotFound(hint, format string, args ...any) error {
	return NotFoundAs(ErrNotFound, hint, format, args...)
}

// NotFoundAs returns a *NotFoundError of this kind.
func NotFoundAs(kind error, hint, format string, args ...any) error {
	return &NotFoundError{hinted{fmt.Sprintf(format, args...), hint}, kind}
}

// Counted is a number with the words that follow it.
func Counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

func DeletedError(id task.ID) error {
	return NotFoundAs(task.ErrNoTask, fmt.Sprintf("'git brew undo %s' brings it back", id), "task %q is deleted", id)
}
