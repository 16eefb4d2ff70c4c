package hooks

import (
	"slices"
	"strconv"

	"github.com/git-brew/git-brew/internal/app/config"
)

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
