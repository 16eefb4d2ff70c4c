package document

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// How people and agents write what a phase waits for, who works on it, and what was
// learned.

// maxRange bounds how many phases "1-9" may stand for, and how many agents "x9".
const maxRange = 20

// dependencies are the phases that a text says are waited for: "1, 2V", "Phase 1
// complete (why)", "Phases 1-3", "Phase 4 and 5". What names no phase stays as it is
// written; see NamesPhase.
func dependencies(text string) []string {
	var all []string
	for part := range strings.FieldsFuncSeq(withoutBrackets(text), isAny(",;&+")) {
		for _, one := range strings.Split(part, " and ") {
			said := strings.Fields(strings.Trim(bare(unremarked(one)), "."))
			if len(said) > 0 && !isNothing(said[0]) && !strings.EqualFold(said[0], "no") {
				all = append(all, named(said)...)
			}
		}
	}
	return all
}

// isAny reports whether a character is one of some.
func isAny(of string) func(rune) bool {
	return func(r rune) bool { return strings.ContainsRune(of, r) }
}

// named are the phases that some words name; the words themselves where none.
func named(said []string) []string {
	rest := said
	if w := strings.ToLower(said[0]); len(said) > 1 && slices.Contains([]string{"phase", "phases", "step", "task"}, w) {
		rest = said[1:]
	}
	id := strings.TrimRight(rest[0], ":.")
	ends := strings.ToLower(rest[len(rest)-1])
	meant := len(rest) < len(said) && !strings.EqualFold(said[0], "phases") || len(rest) == 1 || id != rest[0] ||
		slices.Contains([]string{"complete", "completed", "done", "finished"}, ends)
	if !meant || !NamesPhase(id) && !strings.EqualFold(id, "FR") {
		return []string{strings.Join(said, " ")}
	}
	from, to, _ := strings.Cut(id, "-")
	first, err := strconv.Atoi(from)
	last, err2 := strconv.Atoi(to)
	if err != nil || err2 != nil || last < first || last-first >= maxRange {
		return []string{id}
	}
	var all []string
	for n := first; n <= last; n++ {
		all = append(all, strconv.Itoa(n))
	}
	return all
}

// NamesPhase reports whether what stands in the place of a phase is meant as one: a
// single word with a number in it, or words for several phases, which are to be named
// one by one. Else it is a remark: "the review by legal".
func NamesPhase(s string) bool {
	lower := strings.ToLower(s)
	return strings.IndexFunc(s, unicode.IsSpace) < 0 && strings.ContainsAny(s, digits) ||
		strings.HasPrefix(lower, "phases ") || lower == "all" || strings.HasPrefix(lower, "all ")
}

// withoutBrackets is a text without what stands in brackets behind a blank.
func withoutBrackets(s string) string {
	for {
		before, rest, ok := strings.Cut(s, " (")
		if !ok {
			return s
		}
		_, after, closed := strings.Cut(rest, ")")
		if !closed {
			return before
		}
		s = before + after
	}
}

// agents are those that a text names: "developer + tester", "reviewer x3",
// who are reviewer, reviewer-2 and reviewer-3.
func agents(text string) []string {
	var all []string
	for part := range strings.FieldsFuncSeq(text, isAny(",;&+/")) {
		for _, one := range strings.Split(part, " and ") {
			name := bare(unremarked(one))
			if isNothing(name) {
				continue
			}
			who, times, _ := strings.Cut(name, " x")
			n, err := strconv.Atoi(times)
			if err != nil || n < 1 || n > maxRange {
				who = name
			}
			all = append(all, who)
			for i := 2; i <= n && who != name; i++ {
				all = append(all, who+"-"+strconv.Itoa(i))
			}
		}
	}
	return all
}

var (
	lessonNames   = []string{"Knowledge", "Knowledge Added", "Learnings", "Lessons Learned"}
	lessonColumns = []string{"Text", "Knowledge", "Entry", "Txt", "Learning", "Lesson"}
)

// maxLessons is how much of a report is learned: more is no digest of it (BC-30).
const maxLessons = 10

// Lessons are what a report says that was learned: the items of its section
// "Knowledge", or the rows of the table there, with the kind in front where it has
// one; and how many more there are. What waits to be filled in is none.
func Lessons(raw []byte) (all []string, more int) {
	t := Read(raw)
	s, ok := t.Find(lessonNames...)
	if !ok {
		return nil, 0
	}
	for _, item := range t.Outermost(s) {
		all = append(all, item.Text)
	}
	for _, row := range t.rows(s, lessonColumns, []string{"Type", "Kind", "T"}) {
		said := row.cell(0)
		if kind := bare(row.cell(1)); said != "" && kind != "" {
			said = kind + ": " + said
		}
		all = append(all, said)
	}
	all = slices.DeleteFunc(all, func(s string) bool { return isNothing(s) || len(Placeholders(s)) > 0 })
	n := min(len(all), maxLessons)
	return all[:n], len(all) - n
}

// list parts a value at its commas; what stands in brackets behind an item is a
// remark. Nothing, and the words for it, are no items.
func list(value string) []string {
	var all []string
	for part := range strings.FieldsFuncSeq(value, isAny(",;")) {
		if part = strings.Trim(bare(unremarked(part)), "."); !isNothing(part) {
			all = append(all, part)
		}
	}
	return all
}

// pathList is list for paths, in which stars and dots mean something: an item is
// what stands in its code, where it has some, commas and all.
func pathList(value string) []pathText {
	var all []pathText
	rest := plain(value) // without code and comments, byte for byte
	for begin := 0; begin <= len(rest); {
		end := len(rest)
		if at := strings.IndexAny(rest[begin:], ",;"); at >= 0 {
			end = begin + at
		}
		part := value[begin:end]
		if inside, _, ok := codeIn(part); ok {
			all = append(all, pathText{inside, true})
		} else if part = unremarked(part); part != "" {
			if part = strings.TrimRight(unwrapped(part), "."); !isNothing(part) {
				all = append(all, pathText{part, false})
			}
		}
		begin = end + 1
	}
	return all
}

// unremarked is an item without what is remarked behind it.
func unremarked(part string) string {
	part = strings.TrimSpace(part)
	if at := strings.Index(part, " ("); at > 0 {
		part = part[:at]
	}
	before, _, _ := strings.Cut(part, " — ")
	return before
}

// isNothing reports the ways in which people say that there is nothing to say.
func isNothing(s string) bool {
	switch strings.ToLower(strings.Trim(bare(s), ".-–— ")) {
	case "", "none", "n/a", "nothing", "not applicable":
		return true
	}
	return false
}

// once are the values without those that were there before.
func once[T comparable](all []T) []T { return onceBy(all, func(v T) T { return v }) }

// onceBy are the values without those whose keys others had before them.
func onceBy[T any, K comparable](all []T, key func(T) K) []T {
	seen := map[K]bool{}
	return slices.DeleteFunc(all, func(v T) bool {
		k := key(v)
		again := seen[k]
		seen[k] = true
		return again
	})
}

// without are the values that are not among others.
func without[T comparable](all, others []T) []T {
	among := map[T]bool{}
	for _, v := range others {
		among[v] = true
	}
	return slices.DeleteFunc(all, func(v T) bool { return among[v] })
}
