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

// Law is what refs/brew/config means: each key is the last one set, and nobody holds it.
func Law() ledger.Law[sharedState] {
	return ledger.Law[sharedState]{
		Zero:   noShared(),
		Needs:  func(path string) bool { return path == configFile },
		Decode: decodeShared, Apply: applyShared,
		Encode: func(s sharedState) (ledger.Files, error) {
			data, err := clone.EncodeKeeping(s.text, s)
			return ledger.Files{configFile: {Data: data}}, err
		},
		Clock: func(s *sharedState) *uint64 { return &s.Clock },
		Subject: func(op operation.Operation, _, _ sharedState) string {
			var p Payload
			_ = json.Unmarshal(op.Payload, &p)
			if op.Kind == OpUnset {
				return "config: unset " + p.Key
			}
			return "config: " + p.Key + " = " + strings.Join(p.Values, ", ")
		},
		Trailers: func(op operation.Operation, _, _ sharedState) []operation.Trailer { return CommonTrailers(op) },
		Brief:    func(s sharedState) any { return s },
		Bounds:   ledger.OneRecord(ledger.ConfigRef),
	}
}

func noShared() sharedState {
	return sharedState{Schema: operation.Format, Values: map[string][]string{}}
}

func decodeShared(files ledger.Files) (sharedState, error) {
	s := noShared()
	err := json.Unmarshal(files[configFile].Data, &s)
	if err == nil {
		err = operation.CheckFormat(s.Schema)
	}
	if err != nil {
		return noShared(), fmt.Errorf("%s: %w", configFile, err)
	}
	s.text = files[configFile].Data
	if s.Values == nil {
		s.Values = map[string][]string{}
	}
	return s, nil
}

func applyShared(s sharedState, op operation.Operation, _ ledger.Texts) (sharedState, bool) {
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

// CommonTrailers are those of every operation.
func CommonTrailers(op operation.Operation) []operation.Trailer {
	t := []operation.Trailer{{Key: "Brew-Op", Value: string(op.ID)}, {Key: "Brew-Clock", Value: fmt.Sprint(op.Clock)}}
	if op.Session != "" {
		t = append(t, operation.Trailer{Key: "Brew-Session", Value: op.Session})
	}
	return t
}

// Shared is what the project shares: values by key in lower case.
func (s *Config) Shared(ctx context.Context) (map[string][]string, error) {
	state, _, err := ledger.Brief(ctx, s.Clone.Ledger, ledger.ConfigRef,
		func(ctx context.Context, tip gitstore.OID) (sharedState, error) {
			return ledger.Load(ctx, s.Clone.Ledger, Law(), tip)
		})
	if err != nil {
		return nil, cmp.Or(ctx.Err(), error(&clone.RecordError{Ref: ledger.ConfigRef, Err: err}))
	}
	return state.Values, nil
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
	state, err := ledger.Load(ctx, s.Clone.Ledger, Law(), tip)
	if err != nil {
		return err
	}
	p, _ := d.Payload.(Payload)
	have, is := state.Values[strings.ToLower(p.Key)]
	if (d.Kind == OpSet && is && slices.Equal(have, p.Values)) || (d.Kind == OpUnset && !is) {
		return nil
	}
	_, err = ledger.Append(ctx, tx, Law(), ledger.ConfigRef, state, ledger.Stamp{Session: s.Clone.Caller.Session}, d)
	return err
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

// WhoSet are contents of the shared configuration with who set each last, as its
// history tells.
func (s *Config) WhoSet(ctx context.Context, contents ...clone.Content) ([]TrustItem, error) {
	if len(contents) == 0 {
		return nil, nil
	}
	tip, err := s.Clone.Ledger.Tip(ctx, ledger.ConfigRef)
	if err != nil {
		return nil, err
	}
	steps, err := s.Clone.Ledger.History(ctx, tip)
	if err != nil {
		return nil, &clone.RecordError{Ref: ledger.ConfigRef, Err: err}
	}
	var items []TrustItem
	for _, c := range contents {
		t := TrustItem{Content: c, Hash: c.Hash(), Where: []string{"shared settings"}}
		err := s.WroteIt(ctx, &t, steps, func(op operation.Operation) bool {
			var p Payload
			return op.Kind == OpSet && json.Unmarshal(op.Payload, &p) == nil && strings.ToLower(p.Key) == c.Key &&
				slices.Equal(p.Values, c.Text)
		})
		if err != nil {
			return nil, err
		}
		items = append(items, t)
	}
	return items, nil
}

// WroteIt fills in who made the last of those steps that give a content; nobody, where
// none does.
func (s *Config) WroteIt(ctx context.Context, t *TrustItem, steps []ledger.Step,
	gives func(operation.Operation) bool,
) error {
	var last ledger.Step
	for _, step := range steps {
		if step.Op != nil && gives(*step.Op) && (last.Op == nil || step.Op.Clock > last.Op.Clock) {
			last = step
		}
	}
	if last.Op == nil {
		return nil
	}
	c, err := s.Clone.Repo.Objects.Commit(ctx, last.Commit)
	if err != nil {
		return err
	}
	t.Author, t.Commit, t.At = clone.Author(c.Author), last.Commit.String(), last.When.UTC().Format("2006-01-02T15:04:05Z")
	return nil
}
