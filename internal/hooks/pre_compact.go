package hooks

import (
	"strings"

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
