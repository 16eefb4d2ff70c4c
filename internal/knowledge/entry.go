package knowledge

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/git-brew/git-brew/internal/invisible"
	"github.com/git-brew/git-brew/internal/operation"
)

// Kind says what an entry is good for.
type Kind string

// The kinds, most valuable first. Input also takes best, info and the three
// symbols of Brewcode (ParseKind).
const (
	Avoid    Kind = "avoid"
	Practice Kind = "practice"
	Fact     Kind = "fact"
)

// HandoffSrc is the source of the entries that mark a compaction.
const HandoffSrc = "pre-compact"

// Entry is one remembered thing. Its JSON form is a line of knowledge.jsonl.
type Entry struct {
	ID  operation.ID `json:"id"` // the operation that added it
	TS  string       `json:"ts"` // RFC 3339 in UTC
	T   Kind         `json:"t"`
	Txt string       `json:"txt"`
	Src string       `json:"src,omitempty"`
	// Paths are the globs of files it is about; none: everywhere.
	Paths []string `json:"paths,omitempty"`
}

// Time is when the entry was made; 1970 where TS can't be read.
func (e Entry) Time() time.Time {
	t, err := time.Parse(time.RFC3339, e.TS)
	if err != nil {
		return time.Unix(0, 0).UTC()
	}
	return t
}

// Handoff reports whether the entry only marks a compaction.
func (e Entry) Handoff() bool { return e.T == Fact && e.Src == HandoffSrc }

// Counts says how many entries of each kind there are, each text once, hand-offs left
// out.
type Counts struct {
	Avoid    int `json:"avoid"`
	Practice int `json:"practice"`
	Fact     int `json:"fact"`
}

// Count counts the entries that are knowledge. What two machines learned apart is one.
func Count(entries []Entry) Counts {
	var c Counts
	for _, r := range knowledgeOf(entries) {
		switch r.T {
		case Avoid:
			c.Avoid++
		case Practice:
			c.Practice++
		default:
			c.Fact++
		}
	}
	return c
}

// ranked is an entry with what it is compared by, computed once.
type ranked struct {
	Entry
	index int // in the input
	at    time.Time
	key   string // Normalize(Txt)
}

func rank(entries []Entry) []*ranked {
	block := make([]ranked, len(entries))
	all := make([]*ranked, len(entries)) // sorted by moving pointers
	for i, e := range entries {
		block[i] = ranked{Entry: e, index: i, at: e.Time(), key: Normalize(e.Txt)}
		all[i] = &block[i]
	}
	return all
}

// compare puts the more valuable first: by kind, newest, highest id. Entries
// without ids that agree in all else keep their order in a stable sort.
func compare(a, b *ranked) int {
	return cmp.Or(cmp.Compare(a.T.value(), b.T.value()), b.at.Compare(a.at), cmp.Compare(b.ID, a.ID))
}

// ParseKind reads a kind as people and the four systems write it: the kinds
// themselves, best and info, Brewcode's symbols, and the types of learnings
// (failure, success, note). An empty one is Fact.
func ParseKind(s string) (Kind, error) {
	// The variation selector behind the information sign is optional.
	switch strings.ToLower(strings.TrimSuffix(strings.TrimSpace(s), "\uFE0F")) {
	case "avoid", "❌", "failure":
		return Avoid, nil
	case "practice", "best", "✅", "success":
		return Practice, nil
	case "fact", "info", "ℹ", "note", "":
		return Fact, nil
	}
	return "", fmt.Errorf("kind %q is none of avoid, practice, fact", invisible.Cut(invisible.Line(s), 40))
}

// Parse parts an entry as reports write it into its kind and its text: "❌ text",
// "avoid: text", "**avoid**: text", "[avoid] text". Without a kind in front it is a Fact.
func Parse(s string) (Kind, string) {
	s = strings.TrimSpace(s)
	first, rest, _ := strings.Cut(s, " ")
	word := strings.Trim(first, "*_`:[]")
	k, err := ParseKind(word)
	marked := first != word || first != "" && first[0] >= utf8.RuneSelf
	if word == "" || err != nil || !marked {
		return Fact, s
	}
	return k, strings.TrimLeft(rest, " \t:—-")
}

// kinds are in the order of their value.
var kinds = [...]Kind{Avoid, Practice, Fact}

// Symbol is Brewcode's sign for the kind.
func (k Kind) Symbol() string { return [...]string{"❌", "✅", "ℹ️"}[k.value()] }

// Valid reports whether k is one of the three kinds.
func (k Kind) Valid() bool { return slices.Contains(kinds[:], k) }

// value is 0 for the most valuable kind; a kind that is none is a Fact.
func (k Kind) value() int {
	if i := slices.Index(kinds[:], k); i >= 0 {
		return i
	}
	return len(kinds) - 1
}
