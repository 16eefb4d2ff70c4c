package hooks

import (
	"slices"
	"strconv"
	"strings"

	"github.com/git-brew/git-brew/internal/app/config"
	"github.com/git-brew/git-brew/internal/app/lock"
	"github.com/git-brew/git-brew/internal/hooks/protocol"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/route"
)

// stop keeps the holder of a running task at work (BC-70), within limits: where it can
// go on by itself, never in discussion mode, never while something still runs in the background, and
// only so often in a row without a change of the task. It also clears up: the
// lock of an ended task, a stale one, one that no session took (BC-59, BC-60).
func stop(c *call) (Reply, error) {
	t := c.View.Task
	if t == nil || c.Payload.AgentID != "" {
		return Reply{}, nil
	}
	switch {
	case c.View.LockState == lock.LockStale, c.View.Bindable:
		c.View.Bound = false
		return Reply{}, c.here().ClearLock(c.Ctx, t.ID, c.View.Lock)
	case !c.View.Bound:
		return Reply{}, nil
	case t.Status.Terminal():
		_, err := c.here().ReleaseLock(c.Ctx, t.ID)
		return Reply{}, err
	case !running(t), len(t.Phases) == 0, c.View.Next.Needs != route.AskedAgent,
		c.View.Mode != ModeImplementation, c.View.Off != "",
		c.Payload.Waits:
		return Reply{}, nil
	}
	if next, err := c.here().NextStep(c.Ctx); err != nil || next.Needs != route.AskedAgent {
		return Reply{}, err
	}
	// How often in a row since the task last changed. Letting go does not start a new row: a
	// user who talks to a session that makes no progress is not held up at every turn.
	blocks := 0
	if s := c.View.Session; s.StopMark == c.View.Tip {
		blocks = s.StopBlocks
	}
	if blocks >= c.View.Settings.Count(config.KeyStopLimit) {
		c.Reason = "let go after " + strconv.Itoa(blocks) + " stops without progress"
		return Reply{}, nil
	}
	// A block that can't be counted could go on for ever.
	if err := c.here().StopBlocked(c.Ctx, c.View.Tip); err != nil {
		return Reply{}, err
	}
	return Reply{Block: stopReason(c.View)}, nil
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
	text += nowText(v) + ". "
	if next := nextText(v.Next); next != "" {
		text += "Next: " + next + ". "
	}
	return text + "'git brew next' says more. If it has to wait for something: 'git brew pause -m WHY' lets the " +
		"session stop."
}

// preCompact pauses the holder's task (BC-69) and tells the summariser, in
// plain text, what must survive. A pause that could not be written is said;
// the summary still gets its text.
func preCompact(c *call) (Reply, error) {
	t := c.View.Task
	if t == nil || !c.View.Bound || !running(t) {
		return Reply{}, nil
	}
	warnings, err := c.here().Compacting(c.Ctx, t.ID)
	if err == nil {
		c.here().ShareLater()
	}
	return Reply{Plain: summaryText(c.View, warnings)}, err
}

// summaryText is for the summariser; it starts with a letter, since a client
// takes what starts with a brace for JSON.
func summaryText(v View, warnings []string) string {
	t := v.Task
	lines := []string{
		"Work goes on after this compaction on task " + v.Name() + ", " + protocol.Quoted(t.Title, 120) + ".",
		"Now: " + nowText(v) + ".",
	}
	if next := nextText(v.Next); next != "" {
		lines = append(lines, "Next step: "+next+".")
	}
	lines = append(lines,
		"The summary has to keep: the task's name and phase; decisions of the user and why; files changed and not yet "+
			"tested; what failed and must not be tried again; agents that still run; open questions.",
		"The plan, reports and knowledge are stored in git and need not be repeated.")
	for _, w := range warnings[:min(10, len(warnings))] {
		lines = append(lines, "Open: "+protocol.Clean(w, 200)+".")
	}
	return strings.Join(append(lines, "To be read again afterwards: "+strings.Join(rereads(v), "; ")+"."), "\n") + "\n"
}

// contextFills tells the agent that the model's context fills up, once a session
// for each of the thresholds; of several that were passed at once, the highest.
func (c *call) contextFills() (string, error) {
	var waiting []string // what was not told yet: without one the transcript is not read
	for _, text := range c.View.Settings.List(config.KeyContextWarnAt) {
		if !slices.Contains(c.View.Session.Told, "context-"+text) {
			waiting = append(waiting, text)
		}
	}
	if len(waiting) == 0 {
		return "", nil
	}
	use := c.here().ContextUse(c.Ctx, c.Payload.Transcript)
	if use.Tokens <= 0 || use.Window <= 0 {
		return "", nil
	}
	full := int(100 * use.Tokens / use.Window)
	var marks []string
	for _, text := range waiting {
		if at, err := strconv.Atoi(text); err == nil && at <= full {
			marks = append(marks, "context-"+text)
		}
	}
	if len(marks) == 0 {
		return "", nil
	}
	if first, err := c.here().Tell(c.Ctx, marks...); err != nil || !first {
		return "", err
	}
	text := "git brew: the model's context is " + strconv.Itoa(min(full, 100)) + " per cent full (" +
		thousands(use.Tokens) + " of " + thousands(use.Window) + " tokens)."
	if t := c.View.Task; t != nil && !t.Status.Terminal() {
		text += " A compaction keeps what is stored with " + c.View.Name() +
			": 'git brew learn', 'git brew question add' and 'git brew report' store what is in this conversation only."
	}
	return text, nil
}

// thousands is a number of tokens in thousands, as people say it.
func thousands(n int64) string { return strconv.FormatInt((n+500)/1000, 10) + "k" }
