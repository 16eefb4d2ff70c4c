package ui

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// DefaultWidth is how many columns a line may take where nobody knows.
const DefaultWidth = 80

// ellipsis stands for what was cut off.
const ellipsis = "…"

// Width is how many columns a terminal needs for text. Colours count nothing.
func Width(text string) int {
	plain := 0
	for plain < len(text) && text[plain] >= ' ' && text[plain] < 0x7f {
		plain++
	}
	width := plain
	text = text[plain:]
	for i := 0; i < len(text); {
		if skip := escapeLen(text[i:]); skip > 0 {
			i += skip
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		width += runeWidth(r)
		i += size
	}
	return width
}

// Truncate cuts text to at most width columns; what is cut off shows as an
// ellipsis. Colours stay around what is left.
func Truncate(text string, width int) string {
	if len(text) <= width || Width(text) <= width {
		return text
	}
	if width < 1 {
		return ""
	}
	used, coloured := 0, false
	for i := 0; i < len(text); {
		if skip := escapeLen(text[i:]); skip > 0 {
			coloured = true
			i += skip
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		w := runeWidth(r)
		if used+w > width-1 {
			text = text[:i] + ellipsis
			break
		}
		used += w
		i += size
	}
	if coloured {
		text += plainAgain
	}
	return text
}

// Pad fills text with blanks up to width columns.
func Pad(text string, width int) string {
	if missing := width - Width(text); missing > 0 {
		return text + strings.Repeat(" ", missing)
	}
	return text
}

// escapeLen is the length of a colour escape at the start of text, else 0.
func escapeLen(text string) int {
	if !strings.HasPrefix(text, "\x1b[") {
		return 0
	}
	for i := 2; i < len(text); i++ {
		if c := text[i]; c >= 0x40 && c <= 0x7e {
			return i + 1
		}
	}
	return 0
}

// wide are the ranges of characters that take two columns: Unicode's East
// Asian Width W and F, and emoji, coarsely.
var wide = []struct{ first, last rune }{
	{0x1100, 0x115f},
	{0x231a, 0x231b},
	{0x23e9, 0x23ec},
	{0x23f0, 0x23f0},
	{0x23f3, 0x23f3},
	{0x25fd, 0x25fe},
	{0x2614, 0x2615},
	{0x2648, 0x2653},
	{0x267f, 0x267f},
	{0x2693, 0x2693},
	{0x26a1, 0x26a1},
	{0x26aa, 0x26ab},
	{0x26bd, 0x26be},
	{0x26c4, 0x26c5},
	{0x26ce, 0x26ce},
	{0x26d4, 0x26d4},
	{0x26ea, 0x26ea},
	{0x26f2, 0x26f3},
	{0x26f5, 0x26f5},
	{0x26fa, 0x26fa},
	{0x26fd, 0x26fd},
	{0x2705, 0x2705},
	{0x270a, 0x270b},
	{0x2728, 0x2728},
	{0x274c, 0x274c},
	{0x274e, 0x274e},
	{0x2753, 0x2755},
	{0x2757, 0x2757},
	{0x2795, 0x2797},
	{0x27b0, 0x27b0},
	{0x27bf, 0x27bf},
	{0x2b1b, 0x2b1c},
	{0x2b50, 0x2b50},
	{0x2b55, 0x2b55},
	{0x2e80, 0x303e},
	{0x3041, 0x33ff},
	{0x3400, 0x4dbf},
	{0x4e00, 0x9fff},
	{0xa000, 0xa4cf},
	{0xa960, 0xa97f},
	{0xac00, 0xd7a3},
	{0xf900, 0xfaff},
	{0xfe10, 0xfe19},
	{0xfe30, 0xfe6f},
	{0xff00, 0xff60},
	{0xffe0, 0xffe6},
	{0x16fe0, 0x18cff},
	{0x1aff0, 0x1b2ff},
	{0x1f004, 0x1f004},
	{0x1f0cf, 0x1f0cf},
	{0x1f18e, 0x1f18e},
	{0x1f191, 0x1f19a},
	{0x1f200, 0x1f320},
	{0x1f32d, 0x1f335},
	{0x1f337, 0x1f37c},
	{0x1f37e, 0x1f393},
	{0x1f3a0, 0x1f3ca},
	{0x1f3cf, 0x1f3d3},
	{0x1f3e0, 0x1f3f0},
	{0x1f3f4, 0x1f3f4},
	{0x1f3f8, 0x1f43e},
	{0x1f440, 0x1f440},
	{0x1f442, 0x1f4fc},
	{0x1f4ff, 0x1f53d},
	{0x1f54b, 0x1f54e},
	{0x1f550, 0x1f567},
	{0x1f57a, 0x1f57a},
	{0x1f595, 0x1f596},
	{0x1f5a4, 0x1f5a4},
	{0x1f5fb, 0x1f64f},
	{0x1f680, 0x1f6c5},
	{0x1f6cc, 0x1f6cc},
	{0x1f6d0, 0x1f6d2},
	{0x1f6d5, 0x1f6d7},
	{0x1f6dc, 0x1f6df},
	{0x1f6eb, 0x1f6ec},
	{0x1f6f4, 0x1f6fc},
	{0x1f7e0, 0x1f7eb},
	{0x1f7f0, 0x1f7f0},
	{0x1f90c, 0x1f93a},
	{0x1f93c, 0x1f945},
	{0x1f947, 0x1f9ff},
	{0x1fa70, 0x1faff},
	{0x20000, 0x2fffd},
	{0x30000, 0x3fffd},
}

func runeWidth(r rune) int {
	switch {
	case r < ' ' || r == 0x7f:
		return 0
	case r < 0x300:
		if r >= 0x80 && r < 0xa0 || r == 0xad {
			return 0
		}
		return 1
	case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
		return 0
	case r < wide[0].first:
		return 1
	}
	low, high := 0, len(wide)
	for low < high {
		mid := (low + high) / 2
		if wide[mid].last < r {
			low = mid + 1
		} else {
			high = mid
		}
	}
	if low < len(wide) && wide[low].first <= r {
		return 2
	}
	return 1
}
