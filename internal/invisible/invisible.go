// Package invisible knows the characters that show nothing, steer a terminal, or turn
// around what others show. It is a table of its own, and not Go's of Unicode: folds
// ask it, and give two machines one state whatever they were built with. So what it
// says of a character changes only with the law of operations.
package invisible

import "sort"

// Kind is what a character does instead of showing itself.
type Kind uint8

const (
	None    Kind = iota // it shows itself
	Control             // C0, DEL and C1
	Break               // the line and paragraph separators
	Turn                // turns around what follows: embeddings, overrides, isolates
	Mark                // a direction, at one place: between letters that run from right to left
	Join                // joins two letters, or keeps them apart: many scripts, and emoji
	Empty               // shows nothing
)

// table is in the order of its characters. It has Unicode's format characters but
// those that are seen (signs in front of a number, hieroglyphs' places), its fillers,
// and what is kept free for more of them. The sixteen variation selectors that emoji
// need are not in it; the other 240 are, for they can spell a text that nobody sees.
var table = [...]struct {
	first, last rune
	kind        Kind
}{
	{0x00, 0x1f, Control},
	{0x7f, 0x9f, Control},
	{0xad, 0xad, Empty}, // a soft hyphen
	{0x34f, 0x34f, Empty},
	{0x61c, 0x61c, Mark},
	{0x115f, 0x1160, Empty},
	{0x17b4, 0x17b5, Empty},
	{0x180e, 0x180e, Empty},
	{0x200b, 0x200b, Empty}, // a blank without width
	{0x200c, 0x200d, Join},
	{0x200e, 0x200f, Mark},
	{0x2028, 0x2029, Break},
	{0x202a, 0x202e, Turn},
	{0x2060, 0x2065, Empty},
	{0x2066, 0x2069, Turn},
	{0x206a, 0x206f, Empty},
	{0x3164, 0x3164, Empty},
	{0xfeff, 0xfeff, Empty}, // a byte order mark
	{0xffa0, 0xffa0, Empty},
	{0xfff0, 0xfffb, Empty},
	{0x1bca0, 0x1bca3, Empty},
	{0x1d173, 0x1d17a, Empty},
	{0xe0000, 0xe0fff, Empty}, // tags, and the variation selectors
}

// Of is what a character does instead of showing itself, None for nearly all.
func Of(r rune) Kind {
	if r >= ' ' && r < 0x7f {
		return None
	}
	i := sort.Search(len(table), func(i int) bool { return table[i].last >= r })
	if i < len(table) && table[i].first <= r {
		return table[i].kind
	}
	return None
}

// Breaks reports a character that ends a line or steers a terminal.
func Breaks(r rune) bool {
	k := Of(r)
	return k == Control || k == Break
}

// Hides reports a character that does something else than show itself: what comes
// from elsewhere is shown, or kept, without it. Joiners do no harm there.
func Hides(r rune) bool {
	k := Of(r)
	return k != None && k != Join
}

// In is the first character of s that a person can't have meant to write into a
// name or a line, 0 for none. Joiners belong behind letters of many scripts, and
// behind emoji; marks of direction into a text that has letters which run from right
// to left. Controls and breaks are not looked for: how many lines there may be, who
// takes the text says.
func In(s string) rune {
	before, mark, turned := rune(0), rune(0), false
	for _, r := range s {
		switch Of(r) {
		case None:
			turned = turned || rightToLeft(r)
		case Mark:
			if mark == 0 {
				mark = r
			}
		case Join:
			if before < 0x80 {
				return r
			}
		case Turn, Empty:
			return r
		case Control, Break:
		}
		before = r
	}
	if turned {
		return 0
	}
	return mark
}

// rightToLeft reports a letter of a script that runs from right to left.
func rightToLeft(r rune) bool {
	return r >= 0x590 && r <= 0x8ff || r >= 0xfb1d && r <= 0xfdff || r >= 0xfe70 && r <= 0xfefc ||
		r >= 0x10800 && r <= 0x10fff || r >= 0x1e800 && r <= 0x1efff
}
