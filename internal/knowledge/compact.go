package knowledge

import (
	"math"
	"slices"

	"github.com/git-brew/git-brew/internal/operation"
)

// keptHandoffs is how many hand-off entries outlive a compaction.
const keptHandoffs = 3

// Due reports whether entries are to be compacted: there are at least
// floor(threshold*limit) of them, doubles counted and hand-offs not.
func Due(entries []Entry, limit int, threshold float64) bool {
	n := 0
	for _, e := range entries {
		if !e.Handoff() {
			n++
		}
	}
	// 0.29*100 is a little less than 29 in floating point; people mean 29.
	return n > 0 && float64(n) >= math.Floor(threshold*float64(limit)+1e-9)
}

// Compact keeps the most valuable entries, at most limit of them, each text
// once (as Normalize sees it, of the highest kind, then the latest), in rank
// order, and behind them the newest few hand-offs. It returns what is kept and
// the ids to remove, in the order of entries. A limit below 1 is none.
//
// An entry to avoid goes only for its twin, or when there are more than limit
// of its kind. Two machines that compact different sets never remove both
// twins: rank is total.
func Compact(entries []Entry, limit int) (keep []Entry, remove []operation.ID) {
	var kept, handoffs []*ranked
	for _, r := range unique(rank(entries)) {
		if r.Handoff() {
			handoffs = append(handoffs, r)
		} else {
			kept = append(kept, r)
		}
	}
	if limit > 0 {
		kept = kept[:min(limit, len(kept))]
	}
	kept = append(kept, handoffs[:min(keptHandoffs, len(handoffs))]...)

	stays := make([]bool, len(entries))
	for _, r := range kept {
		stays[r.index] = true
	}
	for i, e := range entries {
		if !stays[i] && e.ID != "" {
			remove = append(remove, e.ID)
		}
	}
	return plainEntries(kept), remove
}

// Merge joins lists, for example a task's and the project's, each text once,
// in rank order. Hand-offs are no knowledge and left out.
func Merge(lists ...[]Entry) []Entry {
	return plainEntries(knowledgeOf(slices.Concat(lists...)))
}

// Known is the entry that says what e says already, as a kind at least as valuable;
// ok is false where there is none. A hand-off is never known.
func Known(entries []Entry, e Entry) (known Entry, ok bool) {
	key := Normalize(e.Txt)
	for _, r := range knowledgeOf(entries) {
		if r.key == key {
			return r.Entry, !e.Handoff() && r.T.value() <= e.T.value()
		}
	}
	return Entry{}, false
}

// knowledgeOf is entries in rank order, each text once, without hand-offs.
func knowledgeOf(entries []Entry) []*ranked {
	return slices.DeleteFunc(unique(rank(entries)), func(r *ranked) bool { return r.Handoff() })
}

// unique sorts all by rank and keeps the first of each text. Hand-offs have
// texts of their own: one never hides knowledge, nor is hidden by it.
func unique(all []*ranked) []*ranked {
	type name struct {
		key     string
		handoff bool
	}
	slices.SortStableFunc(all, compare)
	seen := make(map[name]bool, len(all))
	return slices.DeleteFunc(all, func(r *ranked) bool {
		n := name{r.key, r.Handoff()}
		if seen[n] {
			return true
		}
		seen[n] = true
		return false
	})
}

func plainEntries(all []*ranked) []Entry {
	entries := make([]Entry, len(all))
	for i, r := range all {
		entries[i] = r.Entry
	}
	return entries
}
