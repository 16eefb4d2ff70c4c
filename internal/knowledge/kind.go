package knowledge

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/git-brew/git-brew/internal/invisible"
)

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

// Symbol is Brewcode's sign for the kind.
func (k Kind) Symbol() string {
	switch k {
	case Avoid:
		return "❌"
	case Practice:
		return "✅"
	default:
		return "ℹ️"
	}
}

// Valid reports whether k is one of the three kinds.
func (k Kind) Valid() bool { return k == Avoid || k == Practice || k == Fact }

// value is 0 for the most valuable kind.
func (k Kind) value() int {
	switch k {
	case Avoid:
		return 0
	case Practice:
		return 1
	default:
		return 2
	}
}
