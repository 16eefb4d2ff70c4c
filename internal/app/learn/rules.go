package learn

import (
	"context"
	"slices"

	"github.com/git-brew/git-brew/internal/knowledge"
	"github.com/git-brew/git-brew/internal/ledger"
	"github.com/git-brew/git-brew/internal/operation"
)

// PruneExported takes out the entries that rules files say now, and other
// entries with their texts. What was learned since the export stays.
func (s *Knowledge) PruneExported(ctx context.Context, in Scope, exported []operation.ID) (CompactResult, error) {
	var r CompactResult
	err := s.changeKnowledge(ctx, in, func(entries []knowledge.Entry) ([]ledger.Draft, error) {
		said := map[string]bool{}
		for _, e := range entries {
			if slices.Contains(exported, e.ID) {
				said[knowledge.Normalize(e.Txt)] = true
			}
		}
		var remove []operation.ID
		for _, e := range entries {
			if e.T != knowledge.Fact && said[knowledge.Normalize(e.Txt)] {
				remove = append(remove, e.ID)
			}
		}
		r = CompactResult{Before: len(entries), After: len(entries) - len(remove)}
		if len(remove) == 0 {
			return nil, nil
		}
		return []ledger.Draft{removeDraft(remove, "exported as rules")}, nil
	})
	return r, err
}
