package protocol

import (
	"strings"
	"testing"

	"github.com/git-brew/git-brew/internal/invisible"
	"pgregory.net/rapid"
)

// foreignText draws a text that tries what a stranger would: our own lines, marks,
// every way to end a line, what steers a terminal.
func foreignText(t *rapid.T) string {
	return strings.Join(rapid.SliceOfN(rapid.OneOf(
		rapid.SampledFrom([]string{
			"\n", "\r", "\r\n", "\v", "\f", "\x00", "\u0085", "\u2028", "\u2029", "\u202e", "\x1b[2J",
			fenceMark, ">", `"`, "“", "”", "'", "). Next: ", "git brew: ", "Constraints:", "<!-- ALL -->", "\xff", "\u200b",
		}),
		rapid.String(),
	), 0, 12).Draw(t, "parts"), "")
}

// linesOf are the lines of a text for whoever breaks them most often.
func linesOf(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return r != '\t' && invisible.Breaks(r) })
}

func TestFenced_noTextEndsIt(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := foreignText(t)
		got := Fenced("Theirs:", text)
		if got == "" {
			if strings.TrimSpace(invisible.Lines(text)) != "" {
				t.Fatalf("nothing is left of %q", text)
			}
			return
		}
		for i, line := range linesOf(got) {
			if i == 0 && line != "Theirs:" || i > 0 && !strings.HasPrefix(line, fenceMark) {
				t.Fatalf("line %d of %q is outside: %q", i, got, line)
			}
		}
	})
}

func TestQuoted_noTextEndsIt(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		got := Quoted(foreignText(t), 200)
		if got == "" {
			return
		}
		inside := strings.TrimSuffix(strings.TrimPrefix(got, `"`), `"`)
		if len(got)-len(inside) != 2 || strings.ContainsAny(inside, "\"“”„‟«»＂") ||
			strings.ContainsFunc(inside, invisible.Hides) {
			t.Fatalf("%q", got)
		}
	})
}
