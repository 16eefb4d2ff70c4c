package document

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// How people and agents write what a phase waits for, who works on it, and what was
// learned.

// maxRange bounds how many phases "1-9" may stand for, and how many agents "x9";
// maxBefore is how many "all previous phases" may be.
const (
	maxRange  = 20
	maxBefore = 100
)

// dependencies are the phases that a text says are waited for: "1, 2V", "Phase 1
// complete (why)", "Phases 1-3", "Phase 4 and 5", "all previous phases", those with the
// ids before. What names no phase stays as it is written; see NamesPhase.
func dependencies(text string, before []string) []string {
	var all []string
	for one := range strings.FieldsFuncSeq(strings.ReplaceAll(withoutBrackets(text), " and ", ","), isAny(",;&+")) {
		said := strings.Fields(strings.Trim(bare(unremarked(one)), "."))
		if len(said) == 0 || isNothing(said[0]) || strings.EqualFold(said[0], "no") {
			continue
		}
		if strings.EqualFold(said[0], "all") && len(before) <= maxBefore &&
			endsIn(said, "all", "phases", "previous", "above") {
			all = append(all, before...)
			continue
		}
		all = append(all, named(said)...)
	}
	return all
}

func isAny(of string) func(rune) bool {
	return func(r rune) bool { return strings.ContainsRune(of, r) }
}

// named are the phases that some words name; the words themselves where none.
func named(said []string) []string {
	rest := said
	if w := strings.ToLower(said[0]); len(said) > 1 && (w == "phase" || w == "phases" || w == "step" || w == "task") {
		rest = said[1:]
	}
	id := strings.TrimRight(rest[0], ":.")
	meant := len(rest) < len(said) || len(rest) == 1 || id != rest[0] ||
		endsIn(rest, "complete", "completed", "done", "finished")
	if !meant || !NamesPhase(id) && !strings.EqualFold(id, "FR") {
		return []string{strings.Join(said, " ")}
	}
	from, to, isRange := strings.Cut(strings.ReplaceAll(id, "–", "-"), "-")
	if len(rest) > 2 && slices.Contains([]string{"-", "–", "to", "through"}, strings.ToLower(rest[1])) {
		from, to, isRange = id, rest[2], true
	}
	first, err := strconv.Atoi(from)
	last, err2 := strconv.Atoi(to)
	if !isRange || err != nil || err2 != nil || last < first || last-first >= maxRange {
		return []string{id}
	}
	var all []string
	for n := first; n <= last; n++ {
		all = append(all, strconv.Itoa(n))
	}
	return all
}

func endsIn(said []string, words ...string) bool {
	return slices.Contains(words, strings.ToLower(said[len(said)-1]))
}

// NamesPhase reports whether what stands in the place of a phase is meant as one: a
// single word with a number in it. Else it is a remark: "the review by legal".
func NamesPhase(s string) bool {
	return strings.IndexFunc(s, unicode.IsSpace) < 0 && strings.ContainsAny(s, digits)
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
	for one := range strings.FieldsFuncSeq(strings.ReplaceAll(text, " and ", ","), isAny(",;&+/")) {
		name, n := counted(one)
		if name = bare(unremarked(name)); isNothing(name) {
			continue
		}
		all = append(all, name)
		for i := 2; i <= n; i++ {
			all = append(all, name+"-"+strconv.Itoa(i))
		}
	}
	return all
}

// counted parts "reviewer x3" and "reviewer (×3)".
func counted(s string) (name string, n int) {
	s = strings.TrimSpace(s)
	at := strings.LastIndexByte(s, ' ')
	times, ok := strings.CutPrefix(strings.ReplaceAll(strings.Trim(s[at+1:], " ()"), "×", "x"), "x")
	if n, err := strconv.Atoi(times); ok && err == nil && at > 0 && n > 0 && n <= maxRange {
		return s[:at], n
	}
	return s, 1
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
	for _, item := range t.items(s) {
		all = append(all, item.said())
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
