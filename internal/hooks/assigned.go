package hooks

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/app/config"
	"github.com/git-brew/git-brew/internal/hooks/prompt"
	"github.com/git-brew/git-brew/internal/hooks/shown"
	"github.com/git-brew/git-brew/internal/invisible"
	"github.com/git-brew/git-brew/internal/task"
)

// assigned is the phase that a sub-agent works on: the one that its description names,
// or its prompt; else the one that is in progress, where no other is. Nil: nobody can
// tell.
func (c *call) assigned(call agentCall) *task.Phase {
	named := c.phasesIn(call.description)
	if len(named) == 0 {
		named = c.phasesIn(call.prompt)
	}
	if len(named) == 1 {
		return named[0]
	}
	var under []*task.Phase // in progress: of those that are named, else of all
	for i := range c.View.Task.Phases {
		p := &c.View.Task.Phases[i]
		if p.Status == task.PhaseInProgress && (len(named) == 0 || slices.Contains(named, p)) {
			under = append(under, p)
		}
	}
	switch {
	case len(under) == 1:
		return under[0]
	case len(named) > 0 || len(under) > 1:
		return nil
	}
	p, _ := c.View.Phase()
	return p
}

// phasesIn are the phases that a text names: behind the word ("phase 2", "phases 1 and
// 2"), or by an id that is no plain number ("2V", "2.1").
func (c *call) phasesIn(text string) []*task.Phase {
	words := strings.FieldsFunc(invisible.CutBytes(text, prompt.MaxTyped), func(r rune) bool {
		return !prompt.WordRune(r) && r != '.'
	})
	var named []*task.Phase
	listed := false // the words are what stands behind "phase"
	for _, word := range words {
		word = strings.Trim(word, ".")
		if strings.EqualFold(word, "phase") || strings.EqualFold(word, "phases") {
			listed = true
			continue
		}
		i := slices.IndexFunc(c.View.Task.Phases, func(p task.Phase) bool { return strings.EqualFold(word, p.ID) })
		special := strings.Trim(word, "0123456789") != "" && strings.ContainsAny(word, "0123456789")
		if i >= 0 && (listed || special) && !slices.Contains(named, &c.View.Task.Phases[i]) {
			named = append(named, &c.View.Task.Phases[i])
		}
		listed = listed && (i >= 0 || word == "and")
	}
	return named
}

// transcript tells a sub-agent where the session's share of its transcript is
// (BW-39); empty: it is handed none, because the user set so, because a
// sub-agent starts it, because nothing was changed yet, or because it could not
// be made in time. That is no reason to hold up a call, and is only recorded.
func (c *call) transcript(worker bool) string {
	switch set := c.View.Settings.Text(config.KeyAgentTranscript); {
	case c.Payload.AgentID != "" || c.Payload.Transcript == "",
		set != "all" && (set != "workers" || !worker):
		return ""
	}
	handed, err := c.brew.HandTranscript(c.Ctx, c.At, c.Payload.Transcript,
		cmp.Or(c.Payload.ToolUseID, string(c.Payload.ToolInput)))
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
