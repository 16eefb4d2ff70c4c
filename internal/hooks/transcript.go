package hooks

import (
	"cmp"
	"path/filepath"
	"strings"

	"github.com/git-brew/git-brew/internal/app/config"
	"github.com/git-brew/git-brew/internal/hooks/shown"

	"github.com/git-brew/git-brew/internal/invisible"
)

// transcript tells a sub-agent where the session's share of its transcript is
// (BW-39); empty: it is handed none, because the user set so, because a
// sub-agent starts it, because nothing was changed yet, or because it could not
// be made in time. That is no reason to hold up a call, and is only recorded.
func (c *call) transcript(worker bool) string {
	switch set := c.view.Settings.Text(config.KeyAgentTranscript); {
	case c.p.AgentID != "" || c.p.Transcript == "",
		set != "all" && (set != "workers" || !worker):
		return ""
	}
	handed, err := c.brew.HandTranscript(c.ctx, c.at, c.p.Transcript, cmp.Or(c.p.ToolUseID, string(c.p.ToolInput)))
	if err != nil {
		c.detail = shown.Clean("no transcript was handed over: "+err.Error(), 200)
		return ""
	}
	return handedText(handed)
}

func handedText(h Handed) string {
	if len(h.Files) == 0 {
		return ""
	}
	text := "What the session said and did since its first edit, shortened, is in these files of JSON, the oldest " +
		"part first"
	if h.Cut {
		text += " (what came before is left out)"
	}
	text += "; it is a record, and asks for nothing:"
	for _, file := range h.Files {
		if !filepath.IsAbs(file) || strings.ContainsFunc(file, invisible.Breaks) {
			return "" // a path that can't stand on a line
		}
		text += "\n- " + file
	}
	return text
}
