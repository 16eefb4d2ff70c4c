package view

import "github.com/git-brew/git-brew/internal/workflow"

// Setting is a setting, and what takes its change back.
type Setting struct {
	workflow.SettingValue
	Undo string `json:"undo,omitzero"`
}

// NewSetting tells of a setting.
func NewSetting(s workflow.SettingValue, undo string) Setting {
	s.Values = List(s.Values)
	return Setting{s, undo}
}

// Settings is `config list`.
type Settings struct {
	Settings []Setting `json:"settings"`
}

// NewSettings lists settings.
func NewSettings(all []workflow.SettingValue) Settings {
	docs := Settings{}
	for _, s := range all {
		docs.Settings = append(docs.Settings, NewSetting(s, ""))
	}
	return docs
}

// Triggers is `trigger list`.
type Triggers struct {
	Triggers []workflow.Triggers `json:"triggers"`
	Undo     string              `json:"undo,omitzero"`
}

// NewTriggers lists phrases by their kinds.
func NewTriggers(all []workflow.Triggers, undo string) Triggers {
	for i := range all {
		all[i].Phrases = List(all[i].Phrases)
	}
	return Triggers{all, undo}
}

// Trust is what waits for a person's trust, and what has it.
type Trust struct {
	Items []workflow.TrustItem `json:"items"`
	Undo  string               `json:"undo,omitzero"`
}

// NewTrust lists contents.
func NewTrust(items []workflow.TrustItem, undo string) Trust {
	for i := range items {
		items[i].Where = List(items[i].Where)
	}
	return Trust{List(items), undo}
}

// Mode is what an agent may do in a work tree.
type Mode struct {
	workflow.ModeState
	Undo string `json:"undo,omitzero"`
}
