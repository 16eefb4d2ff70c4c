package exchange

import (
	"context"
	"fmt"
	"strings"

	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/rules"
)

// maxVoidNamed is how many operations a note names.
const maxVoidNamed = 3

// voided says which operations on a task were known here and count no more, since an
// exchange met somebody who held the lock meanwhile: who made them does not expect it.
// The log marks them. Where nobody can tell, nothing is said.
func (s *Exchange) voided(ctx context.Context, r sides) []string {
	tip, err := s.Clone.Ledger.Tip(ctx, r.Ref)
	if err != nil || r.Ours.IsZero() || tip == r.Ours {
		return nil
	}
	if merged, err := s.Records.MergedSince(ctx, tip, r.Ours); err != nil || !merged {
		return nil // nothing that was made apart came together
	}
	laws := rules.Rules()
	laws.Delete = nil // that has a note of its own
	now, err := s.Clone.Ledger.Void(ctx, tip, laws)
	if err != nil || len(now) == 0 {
		return nil
	}
	before, err := s.Clone.Ledger.Void(ctx, r.Ours, laws)
	if err != nil {
		return nil
	}
	known := map[gitstore.OID]bool{} // here, and no void one
	_ = s.Clone.Repo.History.Walk(ctx, r.Ours, func(at gitstore.OID, _ gitstore.Commit) (bool, error) {
		known[at] = true
		return true, nil
	})
	for _, step := range before {
		delete(known, step.Commit)
	}
	var dropped []string
	for _, step := range now {
		if known[step.Commit] {
			dropped = append(dropped, step.Subject)
		}
	}
	if len(dropped) == 0 {
		return nil
	}
	holder := "somebody else"
	if lock, err := s.Records.LockOf(ctx, task.ID(r.ID), false); err == nil && lock.Held {
		holder = s.Clone.Holder(lock)
	}
	named := min(len(dropped), maxVoidNamed)
	return []string{fmt.Sprintf("%s dropped: %s held the lock (%s%s)",
		clone.Counted(len(dropped), "change made offline was", "changes made offline were"), holder,
		strings.Join(dropped[:named], ", "), more(len(dropped)-named))}
}
