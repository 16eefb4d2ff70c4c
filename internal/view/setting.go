package view

import (
	"github.com/git-brew/git-brew/internal/app/config"
	"github.com/git-brew/git-brew/internal/app/learn"
	"github.com/git-brew/git-brew/internal/app/session"
	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/operation"
	"github.com/git-brew/git-brew/internal/setup"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/ui"
)

// NewSetting tells of a setting.
func NewSetting(s config.SettingValue) config.SettingValue {
	s.Values = List(s.Values)
	return s
}

// Settings lists settings: `config list`.
func Settings(all []config.SettingValue) ui.Object {
	return ui.Object{"settings", each(all, NewSetting)}
}

// Triggers lists phrases by their kinds: `trigger list`.
func Triggers(all []session.Triggers) ui.Object {
	for i := range all {
		all[i].Phrases = List(all[i].Phrases)
	}
	return ui.Object{"triggers", all}
}

// Trust lists what waits for a person's trust, and what has it.
func Trust(items []config.TrustItem) ui.Object {
	for i := range items {
		items[i].Where = List(items[i].Where)
	}
	return ui.Object{"items", items}
}

// Plan tells what a plan changes, and of a dry run how: `init` and `uninit`.
func Plan(p setup.Plan, refs []gitstore.RefName, dry bool) ui.Object {
	changes := each(p.Visible(), func(c setup.Change) ui.Object {
		diff := ""
		if dry {
			diff = c.Diff()
		}
		return ui.Object{
			"kind", c.Kind(), "file", c.Name, "path", c.Path, "from?", c.MovedFrom, "about", c.About, "diff?", diff,
		}
	})
	return ui.Object{"dry_run", dry, "changes", changes, "refs?", refs, "remarks", p.Remarks}
}

// Owner is the task whose knowledge it is; null is the project.
func Owner(in learn.Scope) *task.ID {
	if in.Task == "" {
		return nil
	}
	return &in.Task
}

// Rules is `knowledge rules`.
type Rules struct {
	Task   *task.ID    `json:"task"`
	DryRun bool        `json:"dry_run"`
	Files  []RulesFile `json:"files"`
	Pruned int         `json:"pruned"`
}

// RulesFile is what became of a file of rules.
type RulesFile struct {
	File    string         `json:"file"`
	Added   []operation.ID `json:"added"`
	Skipped []operation.ID `json:"skipped"` // said already
}
