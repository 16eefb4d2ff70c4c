package hooks

import (
	"errors"

	"github.com/git-brew/git-brew/internal/app/config"
)

// ErrUnable is wrapped by errors that every hook on this machine would meet: a
// repository that can't be written to, no git, one that is too old. They are
// told where a session starts, and keep nobody from anything (BW-36).
var ErrUnable = errors.New("git brew can't work here")

// quiet reports an error that was told where the session started. That the repository
// asks for another git-brew is said to the user's own words again: what they ask for
// is not recorded.
func quiet(event string, err error) bool {
	if _, other := errors.AsType[*config.RequiredError](err); other {
		return event != "SessionStart" && event != "UserPromptSubmit"
	}
	return errors.Is(err, ErrUnable) && event != "SessionStart"
}
