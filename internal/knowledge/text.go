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

// plain reports whether r may stand in stored text: models read what people don't
// see.
func plain(r rune) bool { return !invisible.Hides(r) }

// storable reports whether s can be in a record: valid, plain, and at most
// limit bytes.
func storable(s string, limit int) bool {
	if len(s) > limit || !utf8.ValidString(s) {
		return false
	}
	for _, r := range s {
		if !plain(r) {
			return false
		}
	}
	return true
}

// Normalize is what two equal texts have in common: the whole text, blanks
// collapsed and trimmed, letters of either case alike, without the marks that
// end a sentence.
func Normalize(s string) string {
	folded := foldText(s)
	if text := strings.TrimRight(folded, ".!?;: "); text != "" {
		return text
	}
	return folded
}

func foldText(s string) string {
	b := make([]byte, 0, len(s))
	blank := false
	for _, r := range s {
		if unicode.IsSpace(r) {
			blank = len(b) > 0
			continue
		}
		if blank {
			b = append(b, ' ')
			blank = false
		}
		b = utf8.AppendRune(b, fold(r))
	}
	return string(b)
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
