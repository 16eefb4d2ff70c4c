package exchange

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/ledger"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/rules"
)

// maxVoidNamed is how many operations a note names.
const maxVoidNamed = 3

// voided says which operations on a task were known here and count no more, since an
// exchange met somebody who held the lock meanwhile: who made them does not expect it.
// The log marks them. Where nobody can tell, nothing is said.
func (s *Exchange) voided(ctx context.Context, x *Settler, ref gitstore.RefName) []string {
	r, met := x.Met[ref]
	if !met {
		r = x.forwarded[ref]
	}
	tip, err := s.Clone.Ledger.Tip(ctx, ref)
	if err != nil || r.Ours.IsZero() || tip == r.Ours {
		return nil
	}
	if merged, err := s.Records.MergedSince(ctx, tip, r.Ours); err != nil || !merged {
		return nil // nothing that was made apart came together
	}
	rules := rules.Rules()
	rules.Delete = nil // that has a note of its own
	now, err := s.Clone.Ledger.Void(ctx, tip, rules)
	if err != nil || len(now) == 0 {
		return nil
	}
	before, err := s.Clone.Ledger.Void(ctx, r.Ours, rules)
	if err != nil {
		return nil
	}
	was := make(map[gitstore.OID]bool, len(before))
	for _, step := range before {
		was[step.Commit] = true
	}
	now = slices.DeleteFunc(now, func(step ledger.Step) bool { return was[step.Commit] })
	if len(now) == 0 {
		return nil
	}
	known := map[gitstore.OID]bool{}
	if err := s.Clone.Repo.History.Walk(ctx, r.Ours, func(at gitstore.OID, _ gitstore.Commit) (bool, error) {
		known[at] = true
		return true, nil
	}); err != nil {
		return nil
	}
	var lost []string
	for _, step := range now {
		if known[step.Commit] {
			lost = append(lost, step.Subject)
		}
	}
	if len(lost) == 0 {
		return nil
	}
	named := strings.Join(lost[:min(len(lost), maxVoidNamed)], ", ") + more(max(0, len(lost)-maxVoidNamed))
	changes, were := "1 change", "was"
	if len(lost) > 1 {
		changes, were = fmt.Sprintf("%d changes", len(lost)), "were"
	}
	return []string{fmt.Sprintf("%s made offline %s dropped: %s held the lock (%s)", changes, were, holderOf(ctx, s, ref),
		named)}
}

// holderOf is who holds the lock of a task now, as far as that can be told.
func holderOf(ctx context.Context, s *Exchange, ref gitstore.RefName) string {
	_, id, _ := ledger.KindOf(ref)
	lock, err := s.Records.LockOf(ctx, task.ID(id), false)
	if err != nil || !lock.Held {
		return "somebody else"
	}
	return s.Clone.Holder(lock)
}
