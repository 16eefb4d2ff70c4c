package view

import (
	"github.com/git-brew/git-brew/internal/app/config"
	"github.com/git-brew/git-brew/internal/app/session"
	"github.com/git-brew/git-brew/internal/ui"
)

// NewSetting tells of a setting.
func NewSetting(s config.SettingValue) config.SettingValue {
	s.Values = List(s.Values)
	return s
}

// Settings lists settings: `config list`.
func Settings(all []config.SettingValue) ui.Object {
	docs := []config.SettingValue{}
	for _, s := range all {
		docs = append(docs, NewSetting(s))
	}
	return ui.Object{"settings", docs}
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
