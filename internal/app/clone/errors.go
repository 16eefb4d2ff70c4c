package clone

import (
	"errors"
	"fmt"
)

// ErrNotFound: no such document, report, entry, session. Exit 4, as
// task.ErrNoTask, task.ErrNoPhase and their like.
var ErrNotFound = errors.New("not found")

// RefusedError: the rules do not allow it now. Exit 5.
type RefusedError struct{ Msg, Hint string }

func (e *RefusedError) Error() string {
	if e.Hint == "" {
		return e.Msg
	}
	return e.Msg + "; " + e.Hint
}

// InvalidError: what was asked for is no value of its kind, whatever the state
// is. Exit 129.
type InvalidError struct{ Msg, Hint string }

func (e *InvalidError) Error() string {
	if e.Hint == "" {
		return e.Msg
	}
	return e.Msg + "; " + e.Hint
}

func Invalid(hint, format string, args ...any) error {
	return &InvalidError{Msg: fmt.Sprintf(format, args...), Hint: hint}
}

func Refuse(hint, format string, args ...any) error {
	return &RefusedError{Msg: fmt.Sprintf(format, args...), Hint: hint}
}

// NotFoundError names what was not found, and what to do. Exit 4.
type NotFoundError struct {
	Msg, Hint string
	Kind      error // task.ErrNoTask, ErrNotFound, ...
}

func (e *NotFoundError) Error() string {
	if e.Hint == "" {
		return e.Msg
	}
	return e.Msg + "; " + e.Hint
}

func (e *NotFoundError) Unwrap() error { return e.Kind }
