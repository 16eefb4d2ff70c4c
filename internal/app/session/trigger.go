package session

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"unicode"

	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/app/config"
)

// TriggerKind says what the phrases of a list are for.
type TriggerKind string

// The kinds: two switch the mode, one approves, the others say what the user is about to
// do.
const (
	TriggerImplementation TriggerKind = "implementation"
	TriggerStop           TriggerKind = "stop"
	TriggerApprove        TriggerKind = "approve"
	TriggerCreate         TriggerKind = "create"
	TriggerSwitch         TriggerKind = "switch"
	TriggerFinish         TriggerKind = "finish"
	TriggerCompact        TriggerKind = "compact"
)

// TriggerKinds lists the kinds in their order.
func TriggerKinds() []TriggerKind {
	return []TriggerKind{
		TriggerImplementation, TriggerStop, TriggerApprove, TriggerCreate, TriggerSwitch, TriggerFinish, TriggerCompact,
	}
}

// Key is the setting that a kind's phrases stand in.
func (k TriggerKind) Key() config.Key {
	if k == TriggerImplementation {
		return config.KeyTrigger
	}
	if k == TriggerStop {
		return config.KeyStopWord
	}
	return config.KeyTrigger + "." + config.Key(k)
}

// ParseTriggerKind reads a kind; empty is the first.
func ParseTriggerKind(text string) (TriggerKind, error) {
	kind := cmp.Or(TriggerKind(strings.ToLower(text)), TriggerImplementation)
	if slices.Contains(TriggerKinds(), kind) {
		return kind, nil
	}
	return "", clone.Invalid("see 'git brew trigger list'", "no kind of trigger %q", text)
}

// Triggers are the phrases of one kind, as they are in force.
type Triggers struct {
	Kind    TriggerKind `json:"kind"`
	Phrases []string    `json:"phrases"`
	From    string      `json:"from"`
	Key     string      `json:"key"`
}

// Triggers returns the phrases of all kinds, or of one.
func (s *Sessions) Triggers(ctx context.Context, kinds ...TriggerKind) ([]Triggers, error) {
	set, err := s.Config.Settings(ctx)
	if err != nil {
		return nil, err
	}
	if len(kinds) == 0 {
		kinds = TriggerKinds()
	}
	all := make([]Triggers, 0, len(kinds))
	for _, kind := range kinds {
		key := kind.Key()
		phrases := append([]string{}, set.List(key)...)
		all = append(all, Triggers{Kind: kind, Phrases: phrases, From: set.From(key), Key: string(key)})
	}
	return all, nil
}

// AddTrigger adds a phrase to a list, which from then on stands in git's configuration,
// whole. One that is there, in whatever case and spacing it counts as the same, is
// refused. People do that: see config.Config.MayLoosen.
func (s *Sessions) AddTrigger(ctx context.Context, kind TriggerKind, phrase string) (Triggers, error) {
	phrase = strings.Join(strings.Fields(phrase), " ")
	if !strings.ContainsFunc(phrase, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) {
		return Triggers{}, clone.Invalid("give the words that you are going to say", "%q is no phrase", phrase)
	}
	have, err := s.triggers(ctx, kind)
	if err != nil {
		return have, err
	}
	if i := slices.IndexFunc(have.Phrases, func(old string) bool { return samePhrase(old, phrase) }); i >= 0 {
		return have, clone.Refuse("see 'git brew trigger list'", "%q is a phrase for %s already", have.Phrases[i], kind)
	}
	return s.setTriggers(ctx, have, append(have.Phrases, phrase))
}

// RemoveTrigger takes a phrase off a list. The last one stays: without any, the
// defaults would be in force.
func (s *Sessions) RemoveTrigger(ctx context.Context, kind TriggerKind, phrase string) (Triggers, error) {
	have, err := s.triggers(ctx, kind)
	if err != nil {
		return have, err
	}
	left := slices.DeleteFunc(slices.Clone(have.Phrases), func(old string) bool { return samePhrase(old, phrase) })
	switch {
	case len(left) == len(have.Phrases):
		return have, clone.NotFound("see 'git brew trigger list'", "no phrase %q for %s", phrase, kind)
	case len(left) == 0:
		return have, clone.Refuse("add another one first", "%q is the last phrase for %s, and without any the defaults count",
			phrase, kind)
	}
	return s.setTriggers(ctx, have, left)
}

func (s *Sessions) triggers(ctx context.Context, kind TriggerKind) (Triggers, error) {
	all, err := s.Triggers(ctx, kind)
	if err != nil {
		return Triggers{}, err
	}
	return all[0], nil
}

// setTriggers writes a list into this clone's configuration. What stands in git's own
// configuration outside of it is in force all the same, and no list can be changed then.
func (s *Sessions) setTriggers(ctx context.Context, have Triggers, want []string) (Triggers, error) {
	if err := s.Config.ConfigSet(ctx, have.Key, want, false); err != nil {
		return have, err
	}
	after, err := s.triggers(ctx, have.Kind)
	if err == nil && !slices.Equal(after.Phrases, want) {
		err = clone.Refuse("change it with 'git config --global'",
			"brew.%s stands in git's own configuration outside this repository too", have.Key)
	}
	return after, err
}

// samePhrase reports whether two phrases mean the same: spacing never counts,
// and case only between two that are written in capitals.
func samePhrase(a, b string) bool {
	a, b = strings.Join(strings.Fields(a), " "), strings.Join(strings.Fields(b), " ")
	if Capitals(a) != Capitals(b) {
		return false
	}
	return a == b || !Capitals(a) && strings.EqualFold(a, b)
}

// Capitals reports whether a phrase is written in capitals only: then case counts
// where it is looked for (BW-45).
func Capitals(phrase string) bool {
	upper := false
	for _, r := range phrase {
		if unicode.IsLower(r) {
			return false
		}
		upper = upper || unicode.IsUpper(r)
	}
	return upper
}
