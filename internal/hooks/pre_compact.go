package hooks

import (
	"slices"
	"strconv"
	"strings"

	"github.com/git-brew/git-brew/internal/app/config"
	"github.com/git-brew/git-brew/internal/hooks/shown"
)

// preCompact pauses the holder's task (BC-69) and tells the summariser, in
// plain text, what must survive. A pause that could not be written is said;
// the summary still gets its text.
func preCompact(c *call) (Reply, error) {
	c.detail = shown.Clean(c.p.Trigger, 40)
	t := c.view.Task
	if t == nil || !c.view.Bound || !running(t) {
		return Reply{}, nil
	}
	warnings, err := c.brew.Compacting(c.ctx, c.at, t.ID)
	if err == nil {
		err = c.brew.ShareLater(c.ctx, c.at)
	}
	return Reply{Plain: summaryText(c.view, warnings)}, err
}

// summaryText is for the summariser; it starts with a letter, since a client
// takes what starts with a brace for JSON.
func summaryText(v View, warnings []string) string {
	t := v.Task
	lines := []string{"Work goes on after this compaction on task " + v.Name() + ", " + shown.Quoted(t.Title, 120) + "."}
	if p, i := v.Phase(); p != nil {
		lines = append(lines, "It stands at "+phaseText(p, i, len(t.Phases))+"; "+progress(t)+".")
	} else {
		lines = append(lines, "It has "+progress(t)+".")
	}
	if next := nextText(v.Next); next != "" {
		lines = append(lines, "Next step: "+next+".")
	}
	lines = append(lines,
		"The summary has to keep: the task's name and phase; decisions of the user and why; files changed and not yet "+
			"tested; what failed and must not be tried again; agents that still run; open questions.",
		"The plan, reports and knowledge are stored in git and need not be repeated.")
	for i, w := range warnings {
		if i == 10 {
			break
		}
		lines = append(lines, "Open: "+shown.Clean(w, 200)+".")
	}
	return strings.Join(append(lines, "To be read again afterwards: "+strings.Join(rereads(v), "; ")+"."), "\n") + "\n"
}

// contextFills tells the agent that the model's context fills up, once a session
// for each of the thresholds; of several that were passed at once, the highest.
func (c *call) contextFills() (string, error) {
	var waiting []int
	for _, text := range c.view.Settings.List(config.KeyContextWarnAt) {
		if at, err := strconv.Atoi(text); err == nil && !c.told(contextMark(at)) {
			waiting = append(waiting, at)
		}
	}
	if len(waiting) == 0 {
		return "", nil
	}
	use := c.p.Context
	if use.Tokens == 0 && c.p.Transcript != "" {
		use = c.brew.ContextUse(c.ctx, c.at, c.p.Transcript)
	}
	full := percentOf(use)
	waiting = slices.DeleteFunc(waiting, func(at int) bool { return full < at })
	if len(waiting) == 0 {
		return "", nil
	}
	marks := make([]string, len(waiting))
	for i, at := range waiting {
		marks[i] = contextMark(at)
	}
	if first, err := c.brew.Tell(c.ctx, c.at, marks...); err != nil || !first {
		return "", err
	}
	text := "git brew: the model's context is " + strconv.Itoa(min(full, 100)) + " per cent full (" +
		thousands(use.Tokens) + " of " + thousands(use.Window) + " tokens)."
	if t := c.view.Task; t != nil && !t.Status.Terminal() {
		text += " A compaction keeps what is stored with " + c.view.Name() +
			": 'git brew learn', 'git brew question add' and 'git brew report' store what is in this conversation only."
	}
	return text, nil
}

func contextMark(at int) string { return "context-" + strconv.Itoa(at) }

// thousands is a number of tokens in thousands, as people say it.
func thousands(n int64) string { return strconv.FormatInt((n+500)/1000, 10) + "k" }

// percentOf is how full the context is.
func percentOf(u ContextUse) int {
	if u.Tokens <= 0 || u.Window <= 0 {
		return 0
	}
	return int(min(float64(u.Tokens)/float64(u.Window)*100, 1000))
}
