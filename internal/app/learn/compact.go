package learn

import (
	"context"
	"fmt"
	"slices"

	"github.com/git-brew/git-brew/internal/app/change"
	"github.com/git-brew/git-brew/internal/app/config"
	"github.com/git-brew/git-brew/internal/knowledge"
	"github.com/git-brew/git-brew/internal/ledger"
	"github.com/git-brew/git-brew/internal/operation"
	"github.com/git-brew/git-brew/internal/task"
)

// CompactResult is what a compaction did.
type CompactResult struct{ Before, After int }

// Compact takes out doubles and, above the limit, the least valuable entries.
// Force does it below the threshold too.
func (s *Knowledge) Compact(ctx context.Context, in task.ID, force bool) (CompactResult, error) {
	var r CompactResult
	set, err := s.Config.Settings(ctx)
	if err != nil {
		return r, err
	}
	err = s.changeKnowledge(ctx, in, func(entries []knowledge.Entry) ([]ledger.Draft, error) {
		var drafts []ledger.Draft
		threshold := set.Share(config.KeyCompactThreshold)
		if force {
			threshold = anyCount
		}
		drafts, r = compaction(entries, set, threshold)
		return drafts, nil
	})
	return r, err
}

// HandoffThreshold is the share at which a hand-off compacts: the same as
// elsewhere unless it was set by itself.
func HandoffThreshold(set *config.Settings) float64 {
	if set.Text(config.KeyPrecompactThreshold) == "" {
		return set.Share(config.KeyCompactThreshold)
	}
	return set.Share(config.KeyPrecompactThreshold)
}

// anyCount is the threshold that every number of entries reaches.
const anyCount = 0

// compaction takes out doubles, and what is above the limit, where the entries
// have reached the threshold, a share of the limit.
func compaction(entries []knowledge.Entry, set *config.Settings, threshold float64) ([]ledger.Draft, CompactResult) {
	r := CompactResult{Before: len(entries), After: len(entries)}
	limit := set.Count(config.KeyMaxEntries)
	if threshold != anyCount && !knowledge.Due(entries, limit, threshold) {
		return nil, r
	}
	keep, remove := knowledge.Compact(entries, limit)
	r.After = len(keep)
	if len(remove) == 0 {
		return nil, r
	}
	return []ledger.Draft{removeDraft(remove, fmt.Sprintf("compacted %d -> %d", r.Before, r.After))}, r
}

// Compact compacts the task's knowledge inside a change; it says how many
// entries went.
func Compact(ctx context.Context, c *change.Tx, set *config.Settings, threshold float64) (int, error) {
	drafts, r := compaction(c.Task.Knowledge, set, threshold)
	if len(drafts) == 0 {
		return 0, nil
	}
	return r.Before - r.After, c.Do(ctx, drafts...)
}

// PruneExported takes out the entries that rules files say now, and other
// entries with their texts. What was learned since the export stays.
func (s *Knowledge) PruneExported(ctx context.Context, in task.ID, exported []operation.ID) (CompactResult, error) {
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
