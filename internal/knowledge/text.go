package knowledge

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/git-brew/git-brew/internal/invisible"
)

// Limits, in bytes, of what an entry may hold.
const (
	MaxText  = 2000
	maxSrc   = 400
	maxPath  = 256
	maxPaths = 32
	maxTime  = 40
)

// storable reports whether s can be in a record: valid, at most limit bytes, and
// plain, since models read what people don't see.
func storable(s string, limit int) bool {
	return len(s) <= limit && utf8.ValidString(s) && !strings.ContainsFunc(s, invisible.Hides)
}

// Normalize is what two equal texts have in common: the whole text, blanks
// collapsed and trimmed, letters of either case alike, without the marks that
// end a sentence.
func Normalize(s string) string {
	folded := strings.Map(fold, strings.Join(strings.Fields(s), " "))
	if text := strings.TrimRight(folded, ".!?;: "); text != "" {
		return text
	}
	return folded
}

// fold is one letter for all that differ from r in case alone: the smallest of
// them, and of ASCII the small letter.
func fold(r rune) rune {
	if r < utf8.RuneSelf {
		if r >= 'A' && r <= 'Z' {
			r += 'a' - 'A'
		}
		return r
	}
	least := r
	for o := unicode.SimpleFold(r); o != r; o = unicode.SimpleFold(o) {
		least = min(least, o)
	}
	if least != r {
		return fold(least)
	}
	return r
}

// words are the words of a normalised text: letters, digits, and apostrophes
// inside; everything else separates.
func words(s string) []string {
	s = strings.ReplaceAll(Normalize(s), "’", "'")
	return strings.FieldsFunc(s, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '\'' && r != '_'
	})
}
