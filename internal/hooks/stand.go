package hooks

import (
	"github.com/git-brew/git-brew/internal/hooks/claude"
	"github.com/git-brew/git-brew/internal/hooks/place"
)

// stand finds the place that has the say in this call, and how it stands there. That
// is where the agent is, unless nothing of git brew is there, or the gate stands open
// there: then the place where the session started goes first where it keeps the gate
// closed, or guards it while the other does not. A session leaves its gate neither by
// a cd into a nested repository nor out of all of them. Another work tree of the
// same repository has a mode of its own, or that of the session's start: it counts
// as it is.
func (c *call) stand() error {
	goesOn := c.event != "SessionStart" || c.Payload.Source == "compact"
	told := c.At.ProjectDir != ""
	if !told && goesOn {
		c.At.ProjectDir = c.startedIn()
	}
	view, err := c.brew.Look(c.Ctx, c.At)
	c.View = view
	switch {
	case err != nil && !place.Absent(err), err == nil && (c.View.Closed() || c.event == "SessionStart"):
		return err
	case err != nil || c.At.ProjectDir != c.View.Top:
		err = c.standWhereStarted(c.At.ProjectDir, err)
	}
	if told && goesOn && place.Absent(err) {
		err = c.standWhereStarted(c.startedIn(), err)
	}
	return err
}

// standWhereStarted looks at a directory in which the session started, and lets it
// have the say where that counts; have is the error of the place that has it so far.
func (c *call) standWhereStarted(dir string, have error) error {
	if dir == "" || dir == c.At.Cwd {
		return have
	}
	at := c.At
	at.Here = dir
	view, err := c.brew.Look(c.Ctx, at)
	switch {
	case err != nil && (place.Absent(err) || have == nil && c.event != "PreToolUse"):
		return have
	case err != nil:
		return err
	case have == nil && (view.Repo == c.View.Repo || !view.Closed() && (c.View.Guarded || !view.Guarded)):
		return nil
	}
	c.At, c.View = at, view
	return nil
}

// startedIn is where the session started, as it was kept then; "" where nobody knows.
func (c *call) startedIn() string {
	if c.At.Session == "" {
		return ""
	}
	return claude.Path(c.brew.StartedIn(c.At.Session))
}
