package hooks

import (
	"strconv"

	"github.com/git-brew/git-brew/internal/app/config"
	"github.com/git-brew/git-brew/internal/app/lock"

	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/route"
)

// stop keeps the holder of a running task at work (BC-70), within limits: where it can
// go on by itself, never in discussion mode, never while something still runs in the background, and
// only so often in a row without a change of the task. It also clears up: the
// lock of an ended task, a stale one, one that no session took (BC-59, BC-60).
func stop(c *call) (Reply, error) {
	t := c.view.Task
	if t == nil || c.p.AgentID != "" {
		return Reply{}, nil
	}
	switch {
	case c.view.LockState == lock.LockStale, c.view.Bindable:
		c.view.Bound = false
		return Reply{}, c.brew.ClearLock(c.ctx, c.at, t.ID, c.view.Lock)
	case !c.view.Bound:
		return Reply{}, nil
	case t.Status.Terminal():
		return Reply{}, c.brew.ReleaseLock(c.ctx, c.at, t.ID)
	case !running(t), len(t.Phases) == 0, c.view.Next.Needs != route.AskedAgent,
		c.view.Mode != ModeImplementation, c.view.Off != "",
		c.p.Waits:
		return Reply{}, nil
	}
	if next, err := c.brew.NextStep(c.ctx, c.at); err != nil || next.Needs != route.AskedAgent {
		return Reply{}, err
	}
	if blocks := c.blocksHere(); blocks >= c.view.Settings.Count(config.KeyStopLimit) {
		c.reason = "let go after " + strconv.Itoa(blocks) + " stops without progress"
		return Reply{}, nil
	}
	// A block that can't be counted could go on for ever.
	if err := c.brew.StopBlocked(c.ctx, c.at, c.view.Tip); err != nil {
		return Reply{}, err
	}
	return Reply{Block: stopReason(c.view)}, nil
}

// blocksHere is how often in a row this session was kept from stopping since
// the task last changed. Letting go does not start a new row: a user who talks
// to a session that makes no progress is not held up at every turn.
func (c *call) blocksHere() int {
	if s := c.view.Session; s.StopMark == c.view.Tip {
		return s.StopBlocks
	}
	return 0
}

// running reports whether a session works on a task, compacted or not.
func running(t *task.Task) bool {
	return t.Status == task.InProgress || t.Status == task.Paused && t.Cause == task.CauseCompaction
}

// stopReason names the state, the next step and the way out.
func stopReason(v View) string {
	t := v.Task
	text := v.Name() + " is in progress: "
	if t.Status == task.Paused {
		text = v.Name() + " was paused for a compaction and is not done: "
	}
	if p, i := v.Phase(); p != nil {
		text += phaseText(p, i, len(t.Phases)) + "; "
	}
	text += progress(t) + ". "
	if next := nextText(v.Next); next != "" {
		text += "Next: " + next + ". "
	}
	return text + "'git brew next' says more. If it has to wait for something: 'git brew pause -m WHY' lets the " +
		"session stop."
}
