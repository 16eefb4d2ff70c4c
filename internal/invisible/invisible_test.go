package invisible

import (
	"testing"
	"unicode"
)

// The table is sorted, and has what Unicode, as this Go knows it, says of characters:
// one that a newer Unicode adds fails here, and is put into it by hand.
func TestOf_asUnicodeHasThem(t *testing.T) {
	t.Parallel()
	for i, row := range table {
		if row.first > row.last || i > 0 && row.first <= table[i-1].last {
			t.Errorf("row %d: %U to %U", i, row.first, row.last)
		}
	}
	// What is a format character for Unicode, and seen.
	seen := func(r rune) bool {
		return unicode.Is(unicode.Prepended_Concatenation_Mark, r) || r >= 0x13430 && r <= 0x1343f
	}
	needed := func(r rune) bool { return unicode.Is(unicode.Variation_Selector, r) && r < 0xe0000 }
	for r := rune(0); r < 0xe2000; r++ {
		if r == 0x20000 {
			r = 0xe0000 // between them are ideographs, and nothing
		}
		want := None
		switch {
		case unicode.Is(unicode.Cc, r):
			want = Control
		case unicode.Is(unicode.Zl, r), unicode.Is(unicode.Zp, r):
			want = Break
		case unicode.Is(unicode.Join_Control, r):
			want = Join
		case r == 0x200e || r == 0x200f || r == 0x61c:
			want = Mark
		case unicode.Is(unicode.Bidi_Control, r):
			want = Turn
		case needed(r), seen(r):
		case unicode.Is(unicode.Cf, r), unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r),
			unicode.Is(unicode.Variation_Selector, r):
			want = Empty
		}
		if got := Of(r); got != want {
			t.Errorf("%U is %d, want %d", r, got, want)
		}
		if Hides(r) != (want != None && want != Join) {
			t.Errorf("%U: hides %v", r, Hides(r))
		}
	}
}

// What a person can have meant stands in a text, and nothing that nobody sees.
func TestIn_whatAPersonWrites(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]rune{
		"Zürich – naïve ½": 0, "日本語": 0, "می\u200cخواهم": 0, "क्\u200dष": 0,
		"👩\u200d💻 works": 0, "❤\ufe0f": 0, "two\nlines\tand more": 0,
		"עברית (C++)\u200e ועוד": 0, "\u200fעברית": 0, "العربية\u061c 1-2": 0, "\u200eC++ ב": 0,
		"x\u200f": 0x200f, "a\u061cb": 0x61c, "a\u200b": 0x200b, "ad\u200dmin": 0x200d, "\u200dx": 0x200d,
		"\u202eע": 0x202e, "\u2066x": 0x2066, "עב\u200b": 0x200b, "pass\u00adword": 0xad, "x\U000e0041": 0xe0041,
		"☺\U000e0101": 0xe0101, "\u3164": 0x3164,
	} {
		if got := In(text); got != want {
			t.Errorf("%+q: %U, want %U", text, got, want)
		}
	}
}
