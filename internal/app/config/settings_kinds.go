package config

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/ledger"
	"github.com/git-brew/git-brew/internal/operation"
)

// plain is a setting of one kind.
func plain(key Key, kind valueKind, shared sharing, help string, defaults ...string) Setting {
	return Setting{Key: key, Kind: kind, Default: defaults, Shared: shared, Help: help}
}

// list is texts, each said to an agent or read as a permission: so trust decides.
func list(key Key, help string, defaults ...string) Setting {
	return Setting{Key: key, Kind: listValue, Default: defaults, Shared: sharedOnTrust, Help: help}
}

func flag(key Key, shared sharing, value, help string) Setting {
	return Setting{Key: key, Kind: boolValue, Default: []string{value}, Shared: shared, Help: help}
}

func choice(key Key, shared sharing, value, help string, choices ...string) Setting {
	return Setting{
		Key: key, Kind: choiceValue, Default: []string{value}, Choices: choices, Shared: shared, Help: help,
	}
}

// number is a number from least to most, or several.
func number(key Key, kind valueKind, least, most, help string, defaults ...string) Setting {
	return Setting{
		Key: key, Kind: kind, Default: defaults, Bounds: []string{least, most}, Shared: freelyShared, Help: help,
	}
}

// period is a time from least to most, or a word that is none.
func period(key Key, shared sharing, value, least, most, help string, words ...string) Setting {
	return Setting{
		Key: key, Kind: periodValue, Default: []string{value}, Choices: words, Bounds: []string{least, most},
		Shared: shared, Help: help,
	}
}

// WhoSet is a content of the shared configuration with who set it last, as its
// history tells.
func (s *Config) WhoSet(ctx context.Context, steps []ledger.Step, c clone.Content) (TrustItem, error) {
	t := TrustItem{Content: c, Hash: c.Hash(), Where: []string{"shared settings"}}
	var latest *operation.Operation
	for _, step := range steps {
		var p Payload
		if step.Op == nil || step.Op.Kind != OpSet || json.Unmarshal(step.Op.Payload, &p) != nil ||
			strings.ToLower(p.Key) != c.Key || !slices.Equal(p.Values, c.Text) || latest != nil && latest.Clock > step.Op.Clock {
			continue
		}
		latest = step.Op
		if err := s.WroteIt(ctx, &t, step); err != nil {
			return t, err
		}
	}
	return t, nil
}

// WroteIt fills in who made a step.
func (s *Config) WroteIt(ctx context.Context, t *TrustItem, step ledger.Step) error {
	c, err := s.Clone.Repo.Objects.Commit(ctx, step.Commit)
	if err != nil {
		return err
	}
	t.Author, t.Commit, t.At = clone.Author(c.Author), step.Commit.String(), step.When.UTC().Format("2006-01-02T15:04:05Z")
	return nil
}

// TrustItem is a content that is used here, or was trusted once.
type TrustItem struct {
	Hash    string `json:"hash"`
	Trusted bool   `json:"trusted"`
	clone.Content
	// Author is who wrote it, as git has it, Commit where, At when; "" where
	// nobody can tell any more.
	Author string `json:"author"`
	Commit string `json:"commit,omitempty"`
	At     string `json:"at,omitempty"`
	// Where names what has it: "shared settings", "fix-login, phase 2"; none
	// where it was trusted and is gone.
	Where []string `json:"where"`
	// By and Since are who trusted it, and when.
	By    string `json:"trusted_by,omitempty"`
	Since string `json:"trusted_at,omitempty"`
}
