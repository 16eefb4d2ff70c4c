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
	goesOn := c.event != "SessionStart" || c.p.Source == "compact"
	told := c.at.ProjectDir != ""
	if !told && goesOn {
		c.at.ProjectDir = c.startedIn()
	}
	view, err := c.brew.Look(c.ctx, c.at)
	c.view = view
	switch {
	case err != nil && !place.Absent(err), err == nil && (c.view.Closed() || c.event == "SessionStart"):
		return err
	case err != nil || c.at.ProjectDir != c.view.Top:
		err = c.standWhereStarted(c.at.ProjectDir, err)
	}
	if told && goesOn && place.Absent(err) {
		err = c.standWhereStarted(c.startedIn(), err)
	}
	return err
}

// standWhereStarted looks at a directory in which the session started, and lets it
// have the say where that counts; have is the error of the place that has it so far.
func (c *call) standWhereStarted(dir string, have error) error {
	if dir == "" || dir == c.at.Cwd {
		return have
	}
	at := c.at
	at.Here = dir
	view, err := c.brew.Look(c.ctx, at)
	switch {
	case err != nil && (place.Absent(err) || have == nil && c.event != "PreToolUse"):
		return have
	case err != nil:
		return err
	case have == nil && (view.Repo == c.view.Repo || !view.Closed() && (c.view.Guarded || !view.Guarded)):
		return nil
	}
	c.at, c.view = at, view
	return nil
}

// startedIn is where the session started, as it was kept then; "" where nobody knows.
func (c *call) startedIn() string {
	if c.at.Session == "" {
		return ""
	}
	return claude.Path(c.brew.StartedIn(c.at.Session))
}
