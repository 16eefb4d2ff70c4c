// Package config reads and sets the settings: the table of them, git's own configuration,
// what the project shares, and the remote that state is shared with.
package config

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/ledger"
	"github.com/git-brew/git-brew/internal/operation"
)

// Config reads and sets the settings, and says which remote state is shared with.
type Config struct {
	settings *Settings // read on first use
	Clone    *clone.Clone
}

// The kinds of operations on the shared configuration.
const (
	OpSet   operation.Kind = "config.set"
	OpUnset operation.Kind = "config.unset"
)

type Payload struct {
	Key    string   `json:"key"`
	Values []string `json:"values,omitempty"`
}

// sharedState is the state of refs/brew/config: values by key in lower case.
type sharedState struct {
	Schema string              `json:"schema"`
	Clock  uint64              `json:"clock"`
	Values map[string][]string `json:"values"`

	// text is what it was decoded from: the fields of a newer minor version
	// stand there.
	text []byte
}

const configFile = "config.json"

// Law is what refs/brew/config means: each key is the last one set.
type Law struct{}

var _ ledger.Law[sharedState] = Law{}

func (Law) Zero() sharedState {
	return sharedState{Schema: operation.Format, Values: map[string][]string{}}
}

func (Law) Needs(path string) bool { return path == configFile }

func (l Law) Decode(files ledger.Files) (sharedState, error) {
	s := l.Zero()
	if err := json.Unmarshal(files[configFile].Data, &s); err != nil {
		return l.Zero(), fmt.Errorf("%s: %w", configFile, err)
	}
	if err := operation.CheckFormat(s.Schema); err != nil {
		return l.Zero(), fmt.Errorf("%s: %w", configFile, err)
	}
	s.text = files[configFile].Data
	if s.Values == nil {
		s.Values = map[string][]string{}
	}
	return s, nil
}

func (Law) Encode(s sharedState) (ledger.Files, error) {
	data, err := clone.EncodeKeeping(s.text, s)
	return ledger.Files{configFile: {Data: data}}, err
}

func (Law) Apply(s sharedState, op operation.Operation, _ ledger.Texts) (sharedState, bool) {
	values := maps.Clone(s.Values)
	s.Clock = max(s.Clock, op.Clock)
	var p Payload
	if json.Unmarshal(op.Payload, &p) != nil || p.Key == "" {
		return s, false
	}
	key := strings.ToLower(p.Key)
	switch op.Kind {
	case OpSet:
		values[key] = p.Values
	case OpUnset:
		delete(values, key)
	default:
		return s, false
	}
	s.Values = values
	return s, true
}

func (Law) Check(sharedState, operation.Operation) error { return nil }

func (Law) Rules() operation.Rules { return operation.Rules{} }

func (Law) Clock(s sharedState) uint64 { return s.Clock }

func (Law) AtClock(s sharedState, clock uint64) sharedState {
	s.Clock = clock
	return s
}

func (Law) Subject(op operation.Operation, _, _ sharedState) string {
	var p Payload
	_ = json.Unmarshal(op.Payload, &p)
	if op.Kind == OpUnset {
		return "config: unset " + p.Key
	}
	return "config: " + p.Key + " = " + strings.Join(p.Values, ", ")
}

func (Law) Trailers(op operation.Operation, _, _ sharedState) []operation.Trailer {
	return CommonTrailers(op)
}

func (Law) Brief(s sharedState) any { return s }

// CommonTrailers are those of every operation.
func CommonTrailers(op operation.Operation) []operation.Trailer {
	t := []operation.Trailer{{Key: "Brew-Op", Value: string(op.ID)}, {Key: "Brew-Clock", Value: fmt.Sprint(op.Clock)}}
	if op.Session != "" {
		t = append(t, operation.Trailer{Key: "Brew-Session", Value: op.Session})
	}
	return t
}

func (s *Config) Shared(ctx context.Context) (map[string][]string, error) {
	state, _, err := ledger.Brief(ctx, s.Clone.Ledger, ledger.ConfigRef,
		func(ctx context.Context, tip gitstore.OID) (sharedState, error) {
			return ledger.Load(ctx, s.Clone.Ledger, Law{}, tip)
		})
	if err != nil {
		return nil, cmp.Or(ctx.Err(), error(&clone.RecordError{Ref: ledger.ConfigRef, Err: err}))
	}
	return state.Values, nil
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

// value is a setting as it is in force here.
func (s *Config) value(ctx context.Context, set *Settings, row Setting) (SettingValue, error) {
	v := SettingValue{Key: string(row.Key), Values: set.List(row.Key), From: set.From(row.Key), Help: row.Help}
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

// ChangeShared changes the shared configuration. Here is what the caller wants
// to be in force here by that act.
func (s *Config) ChangeShared(ctx context.Context, d ledger.Draft, here ...clone.Content) error {
	return s.Clone.Ledger.Change(ctx, func(ctx context.Context, tx *ledger.Tx) error {
		if err := s.Clone.TrustOwn(ctx, tx, here...); err != nil {
			return err
		}
		return s.ChangeSharedIn(ctx, tx, d)
	})
}

// ChangeSharedIn is ChangeShared as a part of a larger change.
func (s *Config) ChangeSharedIn(ctx context.Context, tx *ledger.Tx, d ledger.Draft) error {
	tip, err := tx.Tip(ctx, ledger.ConfigRef)
	if err != nil {
		return err
	}
	state, err := ledger.Load(ctx, s.Clone.Ledger, Law{}, tip)
	if err != nil {
		return err
	}
	p, _ := d.Payload.(Payload)
	have, is := state.Values[strings.ToLower(p.Key)]
	if (d.Kind == OpSet && is && slices.Equal(have, p.Values)) || (d.Kind == OpUnset && !is) {
		return nil
	}
	_, err = ledger.Append(ctx, tx, Law{}, ledger.ConfigRef, state, ledger.Stamp{Session: s.Clone.Caller.Session}, d)
	return err
}

// MayLoosen refuses an agent's session what opens the gate for it here. What it
// shares is in force nowhere until a person trusts it.
func (s *Config) MayLoosen(row Setting, shared bool) error {
	if err := s.Clone.Caller.CheckSession(); err != nil || shared || !opensGate(row.Key) {
		return err
	}
	return s.Clone.Caller.ForPeople("set "+row.Name(), "the user sets it")
}

// opensGate reports the settings that decide what an agent may do.
func opensGate(key Key) bool {
	section, _, _ := strings.Cut(string(key), ".")
	switch section {
	case "gate", "mode", "trigger", "stopWord", "bypass":
		return true
	}
	return key == KeyReviewBy
}

// Fence is of no lock: nobody holds the configuration.
func (Law) Fence(sharedState) uint64 { return 0 }

func (Law) Bounds() ledger.Bounds { return ledger.OneRecord(ledger.ConfigRef) }
