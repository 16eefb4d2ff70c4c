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

// Clean makes one line of text fit to be stored and shown: terminal sequences
// and invisible characters go, every run of blanks becomes one space.
func Clean(s string) string {
	if isClean(s) {
		return s
	}
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

// isClean reports that s is printable ASCII with single blanks inside.
func isClean(s string) bool {
	for i := range len(s) {
		c := s[i]
		if c < ' ' || c >= 0x7f || c == ' ' && (i == 0 || i == len(s)-1 || s[i-1] == ' ') {
			return false
		}
	}
	return true
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
	if isClean(s) {
		return strings.ToLower(s)
	}
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
