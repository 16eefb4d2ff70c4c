package hooks

import "errors"

// ErrUnable is wrapped by errors that every hook on this machine would meet: a
// repository that can't be written to, no git, one that is too old. They are
// told where a session starts, and keep nobody from anything (BW-36).
var ErrUnable = errors.New("git brew can't work here")

// quiet reports an error that was told where the session started.
func quiet(event string, err error) bool {
	return errors.Is(err, ErrUnable) && event != "SessionStart"
}
