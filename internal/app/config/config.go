// Package config reads and sets the settings: the table of them, git's own configuration,
// what the project shares, and the remote that state is shared with.
package config

import (
	"context"
	"fmt"
	"strings"

	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/ledger"
)

// Config reads and sets the settings, and says which remote state is shared with.
type Config struct {
	settings *Settings // read on first use
	Clone    *clone.Clone
}

// SettingValue is a setting as it is in force.
type SettingValue struct {
	Key    string   `json:"key"`
	Values []string `json:"values"`
	From   string   `json:"from"`
	Help   string   `json:"help"`
	// Waiting is the shared value that would be in force if it were trusted
	// here; nil where there is none.
	Waiting *WaitingValue `json:"waiting,omitempty"`
}

// WaitingValue is a shared value that waits to be trusted, by its hash.
type WaitingValue struct {
	Hash   string   `json:"hash"`
	Values []string `json:"values"`
}

func (s *Config) value(ctx context.Context, set *Settings, row Setting) (SettingValue, error) {
	v := SettingValue{Key: string(row.Key), Values: []string{}, From: set.From(row.Key), Help: row.Help}
	v.Values = append(v.Values, set.List(row.Key)...)
	for _, c := range set.OnTrust {
		if c.Key != strings.ToLower(v.Key) {
			continue
		}
		trusted, err := s.Clone.Trusted(ctx, c)
		if err != nil {
			return v, err
		}
		if !trusted {
			v.Waiting = &WaitingValue{c.Hash(), c.Text}
		}
	}
	return v, nil
}

// ConfigList returns all settings, in the order of the table.
func (s *Config) ConfigList(ctx context.Context) ([]SettingValue, []string, error) {
	set, err := s.Settings(ctx)
	if err != nil {
		return nil, nil, err
	}
	var out []SettingValue
	for _, row := range AllSettings() {
		v, err := s.value(ctx, set, row)
		if err != nil {
			return nil, nil, err
		}
		out = append(out, v)
	}
	return out, append(set.Warnings[:len(set.Warnings):len(set.Warnings)], set.Unread()...), nil
}

// ConfigGet returns one setting.
func (s *Config) ConfigGet(ctx context.Context, key string) (SettingValue, error) {
	row, err := LookupSetting(key)
	if err != nil {
		return SettingValue{}, err
	}
	set, err := s.Settings(ctx)
	if err != nil {
		return SettingValue{}, err
	}
	return s.value(ctx, set, row)
}

// ConfigSet sets a setting: for this clone, or for everybody. A list takes
// several values; setting it replaces them all.
func (s *Config) ConfigSet(ctx context.Context, key string, values []string, shared bool) error {
	row, err := LookupSetting(key)
	if err != nil {
		return err
	}
	if len(values) == 0 || (len(values) > 1 && !row.many()) {
		return clone.Invalid("give it once", "%s takes one value", row.Key)
	}
	for _, v := range values {
		if err := row.Validate(v); err != nil {
			return err
		}
	}
	if err := s.MayLoosen(row, shared); err != nil {
		return err
	}
	if row.Key == KeyRequires && s.within(values[0]) != nil {
		return clone.Refuse("set a range that this one is in", "this git-brew is %s, and could change nothing here any more",
			s.Clone.Version())
	}
	s.settings = nil
	if !shared {
		if _, err := s.Clone.Repo.Config.Unset(ctx, row.Name()); err != nil {
			return err
		}
		for _, v := range values {
			if err := s.Clone.Repo.Config.Add(ctx, row.Name(), v); err != nil {
				return err
			}
		}
		return nil
	}
	if row.Shared == neverShared {
		return clone.Refuse("set it with 'git brew config set' for this clone", "%s is for each person to set", row.Key)
	}
	var here []clone.Content
	if row.Shared == sharedOnTrust {
		here = append(here, settingContent(row.Key, values))
	}
	return s.ChangeShared(ctx, ledger.Draft{Kind: OpSet, Payload: Payload{Key: string(row.Key), Values: values}}, here...)
}

// ConfigUnset takes a setting back. One that is not set is not found, as with git.
func (s *Config) ConfigUnset(ctx context.Context, key string, shared bool) error {
	row, err := LookupSetting(key)
	if err != nil {
		return err
	}
	if err := s.MayLoosen(row, shared); err != nil {
		return err
	}
	s.settings = nil
	if !shared {
		was, err := s.Clone.Repo.Config.Unset(ctx, row.Name())
		if err == nil && !was {
			err = notSet(row, "in this clone")
		}
		return err
	}
	set, err := s.Shared(ctx)
	if err != nil {
		return err
	}
	if _, is := set[strings.ToLower(string(row.Key))]; !is {
		return notSet(row, "for everybody")
	}
	return s.ChangeShared(ctx, ledger.Draft{Kind: OpUnset, Payload: Payload{Key: string(row.Key)}})
}

func notSet(row Setting, where string) error {
	return clone.NotFound(fmt.Sprintf("'git brew config get %s' prints what is in force", row.Key), "%s is not set %s",
		row.Key, where)
}

// MayLoosen refuses an agent's session what opens the gate for it here. What it
// shares is in force nowhere until a person trusts it.
func (s *Config) MayLoosen(row Setting, shared bool) error {
	if err := s.Clone.Caller.CheckSession(); err != nil || shared || !opensGate(row.Key) {
		return err
	}
	return s.Clone.Caller.ForPeople("set "+row.Name(), "the user sets it")
}

// opensGate reports the settings that decide what an agent may do, and what a run does unasked.
func opensGate(key Key) bool {
	section, _, _ := strings.Cut(string(key), ".")
	switch section {
	case "gate", "mode", "trigger", "stopWord", "bypass", "run", "tier":
		return true
	}
	return key == KeyReviewBy
}
