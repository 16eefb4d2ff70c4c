package flaws

import (
	"context"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/app/codediff"
	"github.com/git-brew/git-brew/internal/app/trees"
	"github.com/git-brew/git-brew/internal/task"
)

// side is what a file of tests has on one side of a diff: lines that say something, and, by
// their text, those that begin a test and those that check something.
type side struct {
	lines         int
	tests, checks map[string]int
	comment       bool   // a comment of several lines goes on
	begun         string // the test that begins with the line before, as it was counted; "" for none
	ended         bool   // it returned before it did anything
}

func newSide() *side { return &side{tests: map[string]int{}, checks: map[string]int{}} }

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
	switch {
	case m.test.MatchString(line):
		s.begun, s.ended = count(s.tests, line), false
	case line == "{":
	case s.begun != "" && m.ended.MatchString(line):
		s.tests[s.begun]--
		s.ended = true
	default:
		s.begun = ""
	}
	if !s.ended && m.check.MatchString(line) && !m.beside.MatchString(line) {
		count(s.checks, line)
	}
}

// What is kept of the lines of a file of tests: so many of them, and so much of each. What is
// beyond that counts as one and the same line.
const (
	maxKinds = 5000
	maxKind  = 200
)

func count(lines map[string]int, line string) string {
	line = strings.Clone(line[:min(len(line), maxKind)])
	if _, known := lines[line]; !known && len(lines) >= maxKinds {
		line = ""
	}
	lines[line]++
	return line
}

func total(lines map[string]int) (n int) {
	for _, times := range lines {
		n += times
	}
	return n
}

// emptied finds the tests that a diff leaves without what they had, in a sentence each. What
// stands in another file of tests now is not lost, and who writes a test anew keeps about as
// much as there was. A test that is gone from a file that stays, and no other one came to it, is
// lost. The diff has all lines of each file, not just those that changed.
func emptied(lines iter.Seq2[string, string]) (all []string) {
	m := newMarks()
	was, is := map[string]*side{}, map[string]*side{}
	for file, line := range lines {
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
		own := map[string]int{}
		gained(own, now.tests, old.tests)
		halved := now.lines*2 < old.lines
		if hadTests > 0 && hasTests == 0 || hadChecks > 0 && hasChecks == 0 ||
			halved && (hasTests*2 < hadTests || hasChecks*2 < hadChecks) ||
			old.lines > 0 && now.lines == 0 && hasTests+hasChecks == 0 {
			all = append(all, fmt.Sprintf("%s: a test was emptied: %s before, %s now", file,
				amount(hadTests, hadChecks, old.lines), amount(hasTests, hasChecks, now.lines)))
		} else if hasTests < hadTests && len(own) == 0 {
			all = append(all, fmt.Sprintf("%s: a test was taken out: %s before, %d now", file,
				task.Counted(hadTests, "test"), hasTests))
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
		if more := n - before[line]; more > 0 {
			to[line] += more
		}
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
func emptiedTests(ctx context.Context, w trees.Tree, done Work, base string) (all []string, err error) {
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
	all = emptied(func(yield func(file, line string) bool) {
		for some := range slices.Chunk(names, testsAtOnce) {
			args := append([]string{"--unified=999999999", "-M", base, done.Tip.String(), "--"}, some...)
			for file, line := range w.Diff(ctx, &err, args...) {
				if !yield(file, line) {
					return
				}
			}
		}
	})
	return all, err
}
