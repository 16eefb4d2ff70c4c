package run

import (
	"context"
	"fmt"
	"iter"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/git-brew/git-brew/internal/app/codediff"
	"github.com/git-brew/git-brew/internal/task"
)

// diffLines gives the lines of a diff's hunks, each with its mark, and the file that it is in.
// What a file says can't pass for the name of another one: it stands behind a mark.
func diffLines(diff string) iter.Seq2[string, string] {
	return func(yield func(file, line string) bool) {
		file, inHunk := "", false
		for line := range strings.Lines(diff) {
			line = strings.TrimRight(line, "\r\n")
			switch {
			case strings.HasPrefix(line, "diff --git "):
				file, inHunk = "", false
			case strings.HasPrefix(line, "@@ "):
				inHunk = true
			case inHunk:
				if !yield(file, line) {
					return
				}
			case strings.HasPrefix(line, "--- "), strings.HasPrefix(line, "+++ "):
				if name := nameIn(line[len("+++ "):]); name != "" {
					file = name
				}
			}
		}
	}
}

// nameIn is the name of a file in a diff's header, "" for none.
func nameIn(text string) string {
	text = strings.TrimSuffix(text, "\t") // behind a name with a space
	if plain, err := strconv.Unquote(text); err == nil {
		text = plain
	}
	if strings.HasPrefix(text, "a/") || strings.HasPrefix(text, "b/") {
		return text[2:]
	}
	return ""
}

// side is what a file of tests has on one side of a diff: lines that say something, and, by
// their text, those that begin a test and those that check something.
type side struct {
	lines         int
	tests, checks map[string]int
	comment       bool // a comment of several lines goes on
}

func newSide() *side { return &side{tests: map[string]int{}, checks: map[string]int{}} }

// marks tell the lines of a file of tests.
type marks struct{ test, check, beside, remark *regexp.Regexp }

func newMarks() marks {
	return marks{
		test: regexp.MustCompile(`^(async )?def test|^func (Test|Fuzz|Example)|\bt\.Run\(|\bfunction test|` +
			`\b(it|test|specify|scenario)(\.\w+)*(\(|\s+['"])|#\[(\w+::)?test\b|@(Test|ParameterizedTest)\b|` +
			`\[(Fact|Theory|Test|TestMethod)\b|\bTEST(_[FP]|_CASE)?\(|^@test |^test_\w+\s*\(\)`),
		check: regexp.MustCompile(`(?i)assert|expect|should|require|verif|check|must|equal|fail|fatal|error|raises|throws|` +
			`\bexit 1|^\[|^(test|grep|cmp|diff) `),
		beside: regexp.MustCompile(`^(import|from|use|using|#include|package)\b|^(const|let|var) .*\brequire\(`),
		remark: regexp.MustCompile(`^(//|#($|[^\[])|--|\* |\*/)`),
	}
}

// add counts a line.
func (s *side) add(m marks, line string) {
	line = strings.TrimSpace(line)
	switch {
	case s.comment:
		s.comment = !strings.Contains(line, "*/")
		return
	case strings.HasPrefix(line, "/*"):
		s.comment = !strings.Contains(line, "*/")
		return
	case line == "", m.remark.MatchString(line):
		return
	}
	s.lines++
	if m.test.MatchString(line) {
		s.tests[line]++
	}
	if m.check.MatchString(line) && !m.beside.MatchString(line) {
		s.checks[line]++
	}
}

func total(lines map[string]int) (n int) {
	for _, times := range lines {
		n += times
	}
	return n
}

// emptied finds the tests that a diff leaves without what they had, in a sentence each. What
// stands in another file of tests now is not lost, and who writes a test anew keeps about as
// much as there was. The diff has all lines of each file, not just those that changed.
func emptied(diff string) (all []string) {
	m := newMarks()
	was, is := map[string]*side{}, map[string]*side{}
	for file, line := range diffLines(diff) {
		if was[file] == nil {
			was[file], is[file] = newSide(), newSide()
		}
		mark, text := line[:min(1, len(line))], line[min(1, len(line)):]
		if mark == "-" || mark == " " {
			was[file].add(m, text)
		}
		if mark == "+" || mark == " " {
			is[file].add(m, text)
		}
	}
	tests, checks := map[string]int{}, map[string]int{} // what files have that they did not have
	for file := range is {
		gained(tests, is[file].tests, was[file].tests)
		gained(checks, is[file].checks, was[file].checks)
	}
	for _, file := range slices.Sorted(maps.Keys(was)) {
		old, now := was[file], is[file]
		hadTests, hasTests := total(old.tests), total(now.tests)+moved(tests, old.tests, now.tests)
		hadChecks, hasChecks := total(old.checks), total(now.checks)+moved(checks, old.checks, now.checks)
		halved := now.lines*2 < old.lines
		if hadTests > 0 && hasTests == 0 || hadChecks > 0 && hasChecks == 0 ||
			halved && (hasTests*2 < hadTests || hasChecks*2 < hadChecks) ||
			old.lines > 0 && now.lines == 0 && hasTests+hasChecks == 0 {
			all = append(all, fmt.Sprintf("%s: a test was emptied: %s before, %s now", file,
				amount(hadTests, hadChecks, old.lines), amount(hasTests, hasChecks, now.lines)))
		}
	}
	return all
}

// amount says how much a file of tests has.
func amount(tests, checks, lines int) string {
	return task.Counted(tests, "test") + ", " + task.Counted(checks, "check") + ", " + task.Counted(lines, "line")
}

// gained adds what lines have beyond those of before.
func gained(to, lines, before map[string]int) {
	for line, n := range lines {
		to[line] += max(0, n-before[line])
	}
}

// moved counts the lines that a file lost, and others have gained, which are used up by it.
func moved(others, before, now map[string]int) (n int) {
	for line, times := range before {
		found := min(max(0, times-now[line]), others[line])
		others[line] -= found
		n += found
	}
	return n
}

// testsAtOnce is how many files one git is asked about: a command line has an end.
const testsAtOnce = 200

// emptiedTests are the tests that work left empty, a sentence each.
func (w tree) emptiedTests(ctx context.Context, done work, base string) (all []string, err error) {
	var names []string
	lost := false
	for _, f := range done.files {
		if f.status != "D" && codediff.IsTest(f.path) {
			names = append(names, f.path)
			lost = lost || f.status != "A"
			if f.from != "" {
				names = append(names, f.from)
			}
		}
	}
	if !lost {
		return nil, nil
	}
	var diff strings.Builder
	for some := range slices.Chunk(names, testsAtOnce) {
		out, err := w.run(ctx, slices.Concat([]string{
			"--literal-pathspecs", "-c", "core.quotePath=false", "diff", "--no-ext-diff", "--no-textconv", "--no-color",
			"--text", "--submodule=short", "--src-prefix=a/", "--dst-prefix=b/", "--unified=999999999", "-M", base,
			done.tip.String(), "--",
		}, some)...)
		if err != nil {
			return nil, err
		}
		diff.WriteString(out + "\n")
	}
	return emptied(diff.String()), nil
}
