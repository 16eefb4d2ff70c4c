package knowledge

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/git-brew/git-brew/internal/glob"
	"github.com/git-brew/git-brew/internal/invisible"
	"github.com/git-brew/git-brew/internal/operation"
)

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
	slices.SortStableFunc(all, compare)
	seen := make(map[string]bool, len(all))
	return slices.DeleteFunc(all, func(r *ranked) bool {
		name := r.key
		if r.Handoff() {
			name = HandoffSrc + "\n" + name
		}
		again := seen[name]
		seen[name] = true
		return again
	})
}

func plainEntries(all []*ranked) []Entry {
	entries := make([]Entry, len(all))
	for i, r := range all {
		entries[i] = r.Entry
	}
	return entries
}

const (
	digestHeading = "## K"
	digestSep     = " | "
	digestCut     = 120 // characters of one entry
)

// shares is how many entries of each kind a digest takes, most valuable kind
// first: the first share of every kind goes before the second of any.
var shares = [...][3]int{{5, 5, 3}, {5, 5, 7}}

// Top returns the n most useful entries, each text once: first the digest's,
// in its order, then the others by rank.
func Top(entries []Entry, n int) []Entry {
	all, _ := forDigest(entries, nil)
	return plainEntries(all[:max(0, min(n, len(all)))])
}

// Digest is what an agent is told: a heading and at most three lines, one a
// kind, ten entries of each, most valuable and newest first. It takes at most maxTokens tokens, a
// token being four characters: what doesn't fit is left out, the least valuable first.
// Entries about one of the paths go before the others of their kind, and those about
// other paths behind. No entries, or no room for one: "".
func Digest(entries []Entry, maxTokens int, paths ...string) string {
	var lines [3][]string
	room := 4*maxTokens - len(digestHeading)
	all, shown := forDigest(entries, paths)
	for _, r := range all[:shown] {
		line, txt := &lines[r.T.value()], invisible.Cut(invisible.Line(r.Txt), digestCut)
		sep := digestSep
		if len(*line) == 0 {
			sep = "\n" + r.T.Symbol() + " "
		}
		if room -= utf8.RuneCountInString(sep + txt); room < 0 {
			break
		}
		*line = append(*line, txt)
	}

	var b strings.Builder
	for i, k := range kinds {
		if len(lines[i]) > 0 {
			b.WriteString("\n" + k.Symbol() + " " + strings.Join(lines[i], digestSep))
		}
	}
	if b.Len() == 0 {
		return ""
	}
	return digestHeading + b.String()
}

// Tokens estimates how many tokens a text takes: a quarter of its characters,
// rounded up.
func Tokens(s string) int { return (utf8.RuneCountInString(s) + 3) / 4 }

// forDigest orders knowledge for a digest: in shares, so that no kind shuts
// the others out, then what is left. The first shown of them are the shares.
func forDigest(entries []Entry, paths []string) (ordered []*ranked, shown int) {
	all := knowledgeOf(entries)
	if len(paths) > 0 {
		slices.SortStableFunc(all, func(a, b *ranked) int {
			if a.T != b.T {
				return a.T.value() - b.T.value()
			}
			return relevance(a.Paths, paths) - relevance(b.Paths, paths)
		})
	}
	var byKind [3][]*ranked
	for _, r := range all {
		k := r.T.value()
		byKind[k] = append(byKind[k], r)
	}
	ordered = make([]*ranked, 0, len(all))
	for _, share := range shares {
		for k, n := range share {
			n = min(n, len(byKind[k]))
			ordered = append(ordered, byKind[k][:n]...)
			byKind[k] = byKind[k][n:]
		}
	}
	shown = len(ordered)
	for _, rest := range byKind {
		ordered = append(ordered, rest...)
	}
	return ordered, shown
}

// relevance is 0 for an entry about one of the paths, 1 for one about
// everything, 2 for one about something else.
func relevance(globs, paths []string) int {
	if len(globs) == 0 {
		return 1
	}
	for _, g := range globs {
		if slices.ContainsFunc(paths, func(p string) bool { return glob.Below(g, p) }) {
			return 0
		}
	}
	return 2
}

// Fitting are the n entries that fit a text best: those first that share the most of its
// words with it, then the most useful ones. Each text is there once.
func Fitting(entries []Entry, text string, n int) []Entry {
	all, wanted := Top(entries, len(entries)), longWords(text)
	hits := make(map[string]int, len(all))
	for _, e := range all {
		for word := range longWords(e.Txt) {
			if wanted[word] {
				hits[e.Txt]++
			}
		}
	}
	slices.SortStableFunc(all, func(a, b Entry) int { return cmp.Compare(hits[b.Txt], hits[a.Txt]) })
	return all[:min(n, len(all))]
}

func longWords(text string) map[string]bool {
	found := map[string]bool{}
	for _, word := range words(text) {
		word, _, _ = strings.Cut(word, "'")
		if utf8.RuneCountInString(word) >= 3 && !slices.Contains(stopWords[:], word) {
			found[word] = true
		}
	}
	return found
}

// stopWords are words of three letters and more that texts about anything have.
var stopWords = [...]string{
	"add", "and", "any", "are", "but", "can", "for", "from", "has", "have", "into", "its", "must", "not", "one", "only",
	"should", "that", "the", "their", "them", "then", "there", "they", "this", "was", "when", "which", "will", "with",
	"you", "your",
}
