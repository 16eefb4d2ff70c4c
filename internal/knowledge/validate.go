package knowledge

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/git-brew/git-brew/internal/invisible"
)

// RejectedError says why a text is not worth remembering, or can't be.
type RejectedError struct {
	Reason string // completes "not recorded: …"
}

func (e *RejectedError) Error() string { return "not recorded: " + e.Reason }

// blocked is the list of what is no knowledge, by words. '#' stands for a word
// that begins with a digit. The first group is Brewcode's, the second what its
// coordinator must never extract.
var blocked = []struct {
	reason   string
	whole    bool // the text is that, else it begins so
	patterns []string
}{
	{"it tells progress, not knowledge", false, []string{
		"working", "starting", "completed", "finished", "beginning",
	}},
	{"it tells an intention, not knowledge", false, []string{"let me", "let's", "i will", "i am", "i'll", "i'm"}},
	{"it tells nothing that can be used again", false, []string{
		"looks good", "lgtm", "done", "fixed", "great job", "well done",
	}},
	{"it sums up a phase; reports do that", false, []string{"phase #"}},
	{"it sums up a task; reports do that", false, []string{
		"task completed", "task complete", "task done", "task finished",
	}},
	{"it tells the next step, not knowledge", false, []string{
		"now i", "now i'll", "now we", "now let", "now let's",
		"next i", "next i'll", "next we", "next let", "next let's",
		"then i", "then i'll", "then we", "then let", "then let's",
	}},

	{"it holds for this task alone", false, []string{"in this iteration", "in this phase", "in this session"}},
	{"it tells nothing that can be used again", true, []string{
		"code looks good", "the code looks good", "everything looks good", "all good",
		"works", "it works", "everything works", "works as expected", "works fine",
		"all tests pass", "tests pass", "no issues", "no issues found",
		"good job", "good work", "great work", "nice job", "nice work", "perfect", "excellent",
	}},
}

// Validate checks an entry before it is recorded and returns it as it is to be
// stored: its text, source and paths cleaned. A refusal is a *RejectedError.
// Rules: BC-74 and BC-39 of the systems whose work git brew goes on with.
func Validate(e Entry) (Entry, error) {
	e.Txt = invisible.Line(e.Txt)
	e.Src = invisible.Cut(invisible.Line(e.Src), maxSrc/4) // a character has at most four bytes
	e.TS = invisible.Line(e.TS)
	w := words(e.Txt)
	reject := func(format string, args ...any) (Entry, error) {
		return e, &RejectedError{fmt.Sprintf(format, args...)}
	}
	switch {
	case len(w) == 0:
		return reject("the text is empty")
	case len(e.Txt) > MaxText:
		return reject("the text has %d bytes, at most %d", len(e.Txt), MaxText)
	case e.T == "":
		return reject("it has no kind")
	case !e.T.Valid():
		return reject("kind %q is none of avoid, practice, fact", invisible.Cut(invisible.Line(string(e.T)), 40))
	case len(e.TS) > maxTime:
		return reject("its time is no time")
	case len(e.Paths) > maxPaths:
		return reject("%d paths, at most %d", len(e.Paths), maxPaths)
	}
	var paths []string
	for _, p := range e.Paths {
		switch {
		case p == "":
		case !storable(p, maxPath):
			return reject("path %q is too long or not plain", invisible.Cut(invisible.Line(p), 40))
		default:
			paths = append(paths, p)
		}
	}
	e.Paths = paths
	if e.Handoff() {
		return e, nil
	}
	for _, b := range blocked {
		if slices.ContainsFunc(b.patterns, func(p string) bool { return matches(w, p, b.whole) }) {
			return e, &RejectedError{b.reason}
		}
	}
	return e, nil
}

func matches(w []string, pattern string, whole bool) bool {
	p := strings.Fields(pattern)
	if len(w) < len(p) || whole && len(w) != len(p) {
		return false
	}
	for i, want := range p {
		if want == "#" {
			if w[i][0] < '0' || w[i][0] > '9' {
				return false
			}
		} else if w[i] != want {
			return false
		}
	}
	return true
}

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
	lower := strings.ToLower(strings.ToUpper(strings.Join(strings.Fields(s), " "))) // of both sigmas one
	return cmp.Or(strings.TrimRight(lower, ".!?;: "), lower)
}

// words are the words of a normalised text: letters, digits, and apostrophes
// inside; everything else separates.
func words(s string) []string {
	s = strings.ReplaceAll(Normalize(s), "’", "'")
	return strings.FieldsFunc(s, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '\'' && r != '_'
	})
}
