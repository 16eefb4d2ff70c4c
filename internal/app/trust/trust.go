// Package trust lists what runs or is in force here on trust, and takes the person's word.
package trust

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/app/change"
	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/app/config"
	"github.com/git-brew/git-brew/internal/app/steps"
	"github.com/git-brew/git-brew/internal/ledger"
)

// Trust lists what is used here on trust, and takes the person's word.
type Trust struct {
	*change.Engine
	Pipelines *steps.Pipelines
}

// TrustList lists what is used here on trust, and what was trusted and is not
// used any more: first what waits, then by kind, key and text.
func (s *Trust) TrustList(ctx context.Context) ([]config.TrustItem, error) {
	items, err := s.onTrust(ctx)
	if err != nil {
		return nil, err
	}
	own, err := s.Clone.State(ctx)
	if err != nil {
		return nil, err
	}
	for i, item := range items {
		items[i].Trusted = own.Trusts(item.Hash)
	}
	// What can't be read is not trusted, and can be again.
	tip, _ := s.Clone.Ledger.Tip(ctx, s.Clone.Ref())
	_ = clone.EachJSON(ctx, s.Clone.Ledger, tip, clone.TrustDir, func(hash string, r clone.TrustRecord) {
		if r.Content().Hash() != hash {
			return // not what it was called
		}
		i := slices.IndexFunc(items, func(t config.TrustItem) bool { return t.Hash == hash })
		if i < 0 {
			i = len(items)
			items = append(items, config.TrustItem{Content: r.Content(), Hash: hash, Where: []string{}, Trusted: true})
		}
		items[i].Author = cmp.Or(items[i].Author, r.Author)
		items[i].By, items[i].Since = r.By, r.At
	})
	slices.SortFunc(items, func(a, b config.TrustItem) int {
		if a.Trusted != b.Trusted {
			return map[bool]int{false: -1, true: 1}[a.Trusted]
		}
		return cmp.Or(-cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Key, b.Key), slices.Compare(a.Text, b.Text))
	})
	return items, ctx.Err()
}

// Trust records that the caller, a person, has looked at contents and trusts
// them: those whose hashes begin as given.
func (s *Trust) Trust(ctx context.Context, prefixes []string) ([]config.TrustItem, error) {
	items, err := s.ForPerson(ctx)
	if err != nil {
		return nil, err
	}
	chosen, err := pickTrust(items, prefixes)
	if err != nil {
		return nil, err
	}
	records := make([]clone.TrustRecord, 0, len(chosen))
	for i, t := range chosen {
		records = append(records, clone.TrustRecord{What: t.Kind, Key: t.Key, Text: t.Text, Author: t.Author})
		chosen[i].Trusted = !s.Clone.Ledger.DryRun
	}
	s.Config.Forget()
	err = s.Clone.Ledger.Change(ctx, func(ctx context.Context, tx *ledger.Tx) error {
		return s.Clone.TrustIn(ctx, tx, records)
	})
	return chosen, err
}

// Distrust takes trust back from contents whose hashes begin as given.
func (s *Trust) Distrust(ctx context.Context, prefixes []string) ([]config.TrustItem, error) {
	items, err := s.ForPerson(ctx)
	if err != nil {
		return nil, err
	}
	chosen, err := pickTrust(slices.DeleteFunc(items, func(t config.TrustItem) bool { return !t.Trusted }), prefixes)
	if err != nil {
		return nil, err
	}
	s.Config.Forget()
	hashes := make([]string, len(chosen))
	for i, t := range chosen {
		chosen[i].Trusted, hashes[i] = s.Clone.Ledger.DryRun, t.Hash
	}
	err = s.Clone.Ledger.Change(ctx, func(ctx context.Context, tx *ledger.Tx) error {
		return s.Clone.DistrustIn(ctx, tx, hashes...)
	})
	return chosen, err
}

// ForPerson is TrustList for what an agent's session must not decide.
func (s *Trust) ForPerson(ctx context.Context) ([]config.TrustItem, error) {
	if err := s.Clone.Caller.ForPeople("trust what others wrote",
		"the user looks at it with 'git brew trust list', and decides"); err != nil {
		return nil, err
	}
	return s.TrustList(ctx)
}

// pickTrust finds the contents that prefixes name, each one exactly one.
func pickTrust(items []config.TrustItem, prefixes []string) ([]config.TrustItem, error) {
	var chosen []config.TrustItem
	for _, p := range prefixes {
		p = strings.ToLower(p)
		if len(p) < clone.TrustDigits {
			return nil, clone.Invalid("see 'git brew trust list'",
				"%.64q names nothing: give the first %d digits of a hash, or more", p, clone.TrustDigits)
		}
		var found []config.TrustItem
		for _, t := range items {
			if strings.HasPrefix(t.Hash, p) {
				found = append(found, t)
			}
		}
		if len(found) != 1 {
			return nil, clone.NotFound("'git brew trust list' shows them",
				"%d contents here have a hash that begins with %.64q", len(found), p)
		}
		if !slices.ContainsFunc(chosen, func(t config.TrustItem) bool { return t.Hash == found[0].Hash }) {
			chosen = append(chosen, found[0])
		}
	}
	return chosen, nil
}

// WaitingForTrust says in words how many contents wait.
func WaitingForTrust(n int) string {
	return clone.Counted(n, "setting or command of others waits", "settings or commands of others wait") +
		" for your trust"
}
