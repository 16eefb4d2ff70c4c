package view

import (
	"github.com/git-brew/git-brew/internal/app/config"
	"github.com/git-brew/git-brew/internal/app/session"
)

// NewSetting tells of a setting.
func NewSetting(s config.SettingValue) config.SettingValue {
	s.Values = List(s.Values)
	return s
}

// Settings is `config list`.
type Settings struct {
	Settings []config.SettingValue `json:"settings"`
}

// NewSettings lists settings.
func NewSettings(all []config.SettingValue) Settings {
	docs := Settings{}
	for _, s := range all {
		docs.Settings = append(docs.Settings, NewSetting(s))
	}
	return docs
}

// Triggers is `trigger list`.
type Triggers struct {
	Triggers []session.Triggers `json:"triggers"`
}

// NewTriggers lists phrases by their kinds.
func NewTriggers(all []session.Triggers) Triggers {
	for i := range all {
		all[i].Phrases = List(all[i].Phrases)
	}
	return Triggers{all}
}

// Trust is what waits for a person's trust, and what has it.
type Trust struct {
	Items []config.TrustItem `json:"items"`
}

// NewTrust lists contents.
func NewTrust(items []config.TrustItem) Trust {
	for i := range items {
		items[i].Where = List(items[i].Where)
	}
	return Trust{List(items)}
}
