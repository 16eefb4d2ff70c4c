package hooks

import (
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/hooks/prompt"
	"github.com/git-brew/git-brew/internal/invisible"
	"github.com/git-brew/git-brew/internal/task"
)

// assigned is the phase that a sub-agent works on: the one that its description names,
// or its prompt; else the one that is in progress, where no other is. Nil: nobody can
// tell.
func (c *call) assigned(call agentCall) *task.Phase {
	underWay := func(phases []*task.Phase) []*task.Phase {
		return slices.DeleteFunc(slices.Clone(phases), func(p *task.Phase) bool { return p.Status != task.PhaseInProgress })
	}
	for _, text := range []string{call.description, call.prompt} {
		named := c.phasesIn(text)
		if under := underWay(named); len(under) == 1 {
			named = under // of several, the one that is in progress
		}
		switch len(named) {
		case 0:
			continue
		case 1:
			return named[0]
		}
		return nil
	}
	var all []*task.Phase
	for i := range c.view.Task.Phases {
		all = append(all, &c.view.Task.Phases[i])
	}
	if len(underWay(all)) > 1 {
		return nil
	}
	p, _ := c.view.Phase()
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
		i := slices.IndexFunc(c.view.Task.Phases, func(p task.Phase) bool { return strings.EqualFold(word, p.ID) })
		special := strings.Trim(word, "0123456789") != "" && strings.ContainsAny(word, "0123456789")
		if i >= 0 && (listed || special) && !slices.Contains(named, &c.view.Task.Phases[i]) {
			named = append(named, &c.view.Task.Phases[i])
		}
		listed = listed && (i >= 0 || word == "and")
	}
	return named
}
