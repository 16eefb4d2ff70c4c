package hooks

import (
	"errors"

	"github.com/git-brew/git-brew/internal/app/config"
	"github.com/git-brew/git-brew/internal/hooks/place"
)

// quiet reports an error that was told where the session started. That the repository
// asks for another git-brew is said to the user's own words again: what they ask for
// is not recorded.
func quiet(event string, err error) bool {
	if _, other := errors.AsType[*config.RequiredError](err); other {
		return event != "SessionStart" && event != "UserPromptSubmit"
	}
	return errors.Is(err, place.ErrUnable) && event != "SessionStart"
}
