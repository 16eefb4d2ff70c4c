package ui

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestSafe(t *testing.T) {
	for _, c := range []struct{ name, text, want, lines string }{
		{"plain", "add-jwt-auth", "add-jwt-auth", "add-jwt-auth"},
		{
			"letters of every kind", "Größe 日本語 👩‍👩‍👧 é", "Größe 日本語 👩‍👩‍👧 é",
			"Größe 日本語 👩‍👩‍👧 é",
		},
		{"colour", "\x1b[31mred", `\x1b[31mred`, `\x1b[31mred`},
		{"lines", "a\n\tb\r", `a\n\tb\r`, "a\n\tb\\r"},
		{"rubbed out", "a\b\x7f", `a\x08\x7f`, `a\x08\x7f`},
		{"C1", "a\u009b31m", `a\u009b31m`, `a\u009b31m`},
		{"turned around", "a\u202eb", `a\u202eb`, `a\u202eb`},
		{"invisible", "a\U000e0041", `a\U000e0041`, `a\U000e0041`},
		{"no UTF-8", "a\xff\xc3", `a\xff\xc3`, `a\xff\xc3`},
		{"the replacement itself", "a\ufffd", "a\ufffd", "a\ufffd"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := Safe(c.text); got != c.want {
				t.Errorf("Safe: %q, want %q", got, c.want)
			}
			if got := SafeLines(c.text); got != c.lines {
				t.Errorf("SafeLines: %q, want %q", got, c.lines)
			}
		})
	}
}

func FuzzSafe(f *testing.F) {
	f.Add("a\x1b[31m\u202e\xff")
	f.Fuzz(func(t *testing.T, text string) {
		got := Safe(text)
		if !utf8.ValidString(got) || strings.ContainsFunc(got, unicode.IsControl) {
			t.Errorf("%q became %q", text, got)
		}
		if Safe(got) != got {
			t.Errorf("%q is not safe at once", text)
		}
	})
}

func TestWidth(t *testing.T) {
	for text, want := range map[string]int{
		"":                 0,
		"Token model":      11,
		"日本":               4,
		"é":                1,
		"e\u0301":          1,
		"✓→◐○✗⬆…·":         8,
		"\x1b[1mab\x1b[m":  2,
		"한글 ok":            7,
		"\u200bzero":       4,
		"fullwidth Ａ":      12,
		"\x1b[38;5;200mx":  1,
		"\U0001f600 smile": 8,
	} {
		if got := Width(text); got != want {
			t.Errorf("Width(%q) = %d, want %d", text, got, want)
		}
	}
}

func TestTruncate_fitsAndKeepsTheStart(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := Safe(rapid.String().Draw(t, "text"))
		width := rapid.IntRange(0, 40).Draw(t, "width")
		got := Truncate(text, width)
		if Width(got) > width {
			t.Fatalf("%q is %d wide, not %d", got, Width(got), width)
		}
		if Width(text) <= width && got != text {
			t.Fatalf("%q was cut to %q though it fits", text, got)
		}
		if kept := strings.TrimSuffix(got, ellipsis); !strings.HasPrefix(text, kept) {
			t.Fatalf("%q is no start of %q", kept, text)
		}
	})
}

func TestColorWanted(t *testing.T) {
	for _, c := range []struct {
		name, setting string
		able, want    bool
	}{
		{"on a terminal", "", true, true},
		{"into a file", "", false, false},
		{"never", "never", true, false},
		{"false", "false", true, false},
		{"true is auto, as in git", "true", false, false},
		{"always", "always", false, true},
		{"auto", "auto", true, true},
	} {
		if got := ColorWanted(c.setting, c.able); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

func TestStyle_withoutColourIsTheIdentity(t *testing.T) {
	for _, marker := range []Marker{MarkDone, MarkBusy, MarkReview, MarkOpen, MarkFailed, MarkEscalated} {
		if got := (Style{}).Mark(marker); got != string(marker) {
			t.Errorf("%q became %q", marker, got)
		}
		if got := NewStyle(true).Mark(marker); !strings.Contains(got, string(marker)) || Width(got) != 1 {
			t.Errorf("with colour, %q became %q", marker, got)
		}
	}
	if got := (Style{}).Bright("id"); got != "id" {
		t.Errorf("Bright: %q", got)
	}
}
