package invisible_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/git-brew/git-brew/internal/invisible"
)

func TestLine(t *testing.T) {
	for in, want := range map[string]string{
		"":                                     "",
		" a\t b\r\nc ":                         "a b c",
		"a\x1b[31mb\u202ec\x00d":               "abcd",
		"\xffé":                                "é",
		"\x1b]0;title\x07 \x1b[31":             "]0;title",
		"a family: \U0001f468\u200d\U0001f469": "a family: \U0001f468\u200d\U0001f469",
	} {
		if got := invisible.Line(in); got != want {
			t.Errorf("Line(%q) = %q, want %q", in, got, want)
		}
	}
	if got := invisible.Lines("a\tb  c\r\n\x1b[2Jd\u200b\xff\n"); got != "a\tb  c\nd\uFFFD\n" {
		t.Errorf("Lines: %q", got)
	}
}

// What was cut is as short as was asked for, and cut once.
func TestCut(t *testing.T) {
	for _, c := range []struct {
		s    string
		n    int
		want string
	}{
		{"one two", 7, "one two"},
		{"one two three", 9, "one two…"},
		{"one two three", 8, "one two…"},
		{"abcdefghij", 5, "abcd…"},
		{"abc", 0, ""},
		{"äöüäöü", 4, "äöü…"},
	} {
		if got := invisible.Cut(c.s, c.n); got != c.want {
			t.Errorf("Cut(%q, %d) = %q, want %q", c.s, c.n, got, c.want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		s, n := strings.ToValidUTF8(rapid.String().Draw(t, "s"), ""), rapid.IntRange(0, 20).Draw(t, "n")
		if got := invisible.Cut(s, n); utf8.RuneCountInString(got) > n || invisible.Cut(got, n) != got ||
			!utf8.ValidString(got) {
			t.Fatalf("Cut(%q, %d) = %q", s, n, got)
		}
		if got := invisible.CutBytes(s, n); len(got) > n || invisible.CutBytes(got, n) != got || !utf8.ValidString(got) {
			t.Fatalf("CutBytes(%q, %d) = %q", s, n, got)
		}
	})
}
