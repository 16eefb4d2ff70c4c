package knowledge

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Limits, in bytes, of what an entry may hold.
const (
	MaxText  = 2000
	maxSrc   = 400
	maxPath  = 256
	maxPaths = 32
	maxTime  = 40
)

// Clean makes one line of text fit to be stored and shown: terminal sequences
// and invisible characters go, every run of blanks becomes one space.
func Clean(s string) string {
	var b strings.Builder
	b.Grow(len(s))
	blank := false
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		if r == escape {
			i += sequence(s[i:])
			continue
		}
		i += size
		switch {
		case r == utf8.RuneError && size == 1:
		case unicode.IsSpace(r):
			blank = true
		case !plain(r):
		default:
			if blank && b.Len() > 0 {
				b.WriteByte(' ')
			}
			blank = false
			b.WriteRune(r)
		}
	}
	return b.String()
}

const escape = 0x1b

// sequence is the length of the terminal sequence that s begins with.
func sequence(s string) int {
	if len(s) < 2 || s[1] != '[' {
		return 1
	}
	for i := 2; i < len(s); i++ {
		if s[i] >= 0x40 && s[i] <= 0x7e {
			return i + 1
		}
	}
	return len(s)
}

// plain reports whether r may stand in stored text. The ranges are literal,
// not unicode's tables: the fold relies on it, and tables change with Go.
func plain(r rune) bool {
	switch {
	case r < 0x20, r >= 0x7f && r <= 0x9f: // control
	case r == 0x200b, r == 0x200e, r == 0x200f, r == 0xfeff: // no width, marks
	case r >= 0x2028 && r <= 0x202e, r >= 0x2066 && r <= 0x2069: // separators, direction
	case r >= 0xe0000 && r <= 0xe007f: // tags: text that models read and people don't see
	default:
		return true
	}
	return false
}

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
// collapsed and trimmed, letters of either case alike.
func Normalize(s string) string {
	return strings.Map(fold, strings.Join(strings.Fields(s), " "))
}

// fold is the smallest of the letters that differ from r in case alone.
func fold(r rune) rune {
	least := r
	for o := unicode.SimpleFold(r); o != r; o = unicode.SimpleFold(o) {
		least = min(least, o)
	}
	// For ASCII the smallest is the capital; texts read better in small.
	if least >= 'A' && least <= 'Z' {
		return least + 'a' - 'A'
	}
	return least
}

// words are the words of a normalised text: letters, digits, and apostrophes
// inside; everything else separates.
func words(s string) []string {
	s = strings.ReplaceAll(Normalize(s), "’", "'")
	return strings.FieldsFunc(s, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '\'' && r != '_'
	})
}

// cut shortens s to at most n characters, at a word's end where one is near.
func cut(s string, n int) string {
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	if n < 1 {
		return ""
	}
	runes := []rune(s)[:n-1]
	for i := len(runes) - 1; i > n/2; i-- {
		if runes[i] == ' ' {
			runes = runes[:i]
			break
		}
	}
	return strings.TrimRight(string(runes), " ,;:-") + "…"
}
