package workflow

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/ledger"
	"github.com/git-brew/git-brew/internal/task"
)

// maxVoidNamed is how many operations a note names.
const maxVoidNamed = 3

// voided says which operations on a task were known here and count no more, since an
// exchange met somebody who held the lock meanwhile: who made them does not expect it,
// and the log tells them as ever. Where nobody can tell, nothing is said.
func (s *Service) voided(ctx context.Context, x *exchange, ref gitstore.RefName) []string {
	r, met := x.met[ref]
	if !met {
		r = x.forwarded[ref]
	}
	tip, err := s.ledger.Tip(ctx, ref)
	if err != nil || r.ours.IsZero() || tip == r.ours {
		return nil
	}
	if merges, err := s.repo.Git(ctx, "rev-list", "--merges", "--count", r.ours.String()+".."+tip.String(), "--"); err != nil || strings.TrimSpace(string(merges)) == "0" {
		return nil // nothing that was made apart came together
	}
	rules := task.Rules()
	rules.Delete = nil // that has a note of its own
	now, err := s.ledger.Void(ctx, tip, rules)
	if err != nil || len(now) == 0 {
		return nil
	}
	before, err := s.ledger.Void(ctx, r.ours, rules)
	if err != nil {
		return nil
	}
	var lost []string
	for _, step := range now {
		known, err := s.repo.IsAncestor(ctx, step.Commit, r.ours)
		if err == nil && known && !slices.ContainsFunc(before, func(b ledger.Step) bool { return b.Commit == step.Commit }) {
			lost = append(lost, step.Subject)
		}
	}
	if len(lost) == 0 {
		return nil
	}
	named := strings.Join(lost[:min(len(lost), maxVoidNamed)], ", ") + more(max(0, len(lost)-maxVoidNamed))
	return []string{fmt.Sprintf("what was done without the lock counts no more, for somebody held it: %s", named)}
}
