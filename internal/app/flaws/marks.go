package flaws

import (
	"go/build/constraint"
	"path"
	"regexp"
	"runtime"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/app/codediff"
)

// marks are all that is known of lines and files of tests, and of lines that work must not add:
// one table, for whoever looks at either.
type marks struct {
	test, check, beside, remark       *regexp.Regexp // lines of a file of tests
	skip, idle, leaveOut, dead        *regexp.Regexp
	settings, putOff, conflict, ended *regexp.Regexp
}

func newMarks() marks {
	return marks{
		test: regexp.MustCompile(`^(async )?def test|^func (Test|Fuzz|Example)|\bt\.Run\(|\bfunction test|` +
			`\b(it|test|specify|scenario)(\.\w+)*(\(|\s+['"])|#\[(\w+::)?test\b|@(Test|ParameterizedTest)\b|` +
			`\[(Fact|Theory|Test|TestMethod)\b|\bTEST(_[FP]|_CASE)?\(|^@test |^test_\w+\s*\(\)`),
		check: regexp.MustCompile(`(?i)assert|expect|should|require|verif|check|must|equal|fail|fatal|error|raises|throws|` +
			`\bexit 1|^\[|^(test|grep|cmp|diff) `),
		beside: regexp.MustCompile(`^(import|from|use|using|#include|package)\b|^(const|let|var) .*\brequire\(`),
		remark: regexp.MustCompile(`^(//|#($|[^\[])|--|\* |\*/)`),
		// What keeps a test from being run, or from saying that it failed.
		skip: regexp.MustCompile(`\bt\.Skip(f|Now)?\(|\b(it|test|describe|context)(\.\w+)*\.(skip|todo|fixme)\b|` +
			`\bx(it|describe|test|context|specify)(\.\w+)*(\(|\s+['"])|\b(def|func) x_?[Tt]est|` +
			`\bpytest\.(mark\.)?(skip|xfail)|@unittest\.(skip|expectedFailure)|@(Disabled|Ignore)\b|#\[ignore|\bskip\(['"]|` +
			`\b[sS]kipTest\b|\bmarkTest(Skipped|Incomplete)\(|^\s*(skip|pending)(\s*$|[\s(]+['"])|` +
			`\[\w*(Fact|Theory)\(.*\bSkip\s*=|^\s*\[(Ignore|Explicit)\b|#!?\[cfg\((any\(\)|false)`),
		// What ends a test before it has done anything.
		ended: regexp.MustCompile(`^return\s*;?\s*((//|#).*)?$`),
		// What passes whatever is tested.
		idle: regexp.MustCompile(`\bassert\s*\(?\s*([Tt]rue|1)\s*\)?\s*;?\s*(#.*)?$|\bassertTrue\(\s*[Tt]rue\s*\)|` +
			`\bexpect\(\s*true\s*\)\.(toBe\(true\)|toBeTruthy\(\))|\bassert\.True\(t, true\)|\bassert!\(true\)`),
		// What leaves tests out, where tests are set up, and the files where they are.
		leaveOut: regexp.MustCompile(`\bcollect_ignore|--ignore(-glob)?[=\s,"']+[A-Z]*[^A-Z0-9\s"',]|--deselect\b|` +
			`\btestPathIgnorePatterns\b|\baddopts\b.*[\s"']-k\b|-[km][\s"',=]+not\b|` +
			`\b(it|test|describe|context)(\.\w+)*\.only\b|^\s*f(it|describe|context|specify)(\(|\s+)['"]`),
		settings: regexp.MustCompile(`^(conftest\.py|\.?pytest\.ini|tox\.ini|noxfile\.py|pyproject\.toml|setup\.cfg|` +
			`(jest|vitest)\.config\.\w+)$`),
		// The end of a name that no tool takes for a test's.
		dead:     regexp.MustCompile(`(\.(bak|old|orig|off|tmp|txt|skip(ped)?|ignored?|disabled)|~)$`),
		putOff:   regexp.MustCompile(`\b(TODO|FIXME|HACK|XXX)\b[^:]{0,40}:`),
		conflict: regexp.MustCompile(`^(<<<<<<<|>>>>>>>)( |$)`),
	}
}

// flaw says what is wrong with a line that work adds to a file; "" for nothing.
func (m marks) flaw(file, added string) string {
	isTest, sets := codediff.IsTest(file), m.settings.MatchString(path.Base(file))
	prose := []string{".md", ".txt", ".json", ".yaml", ".yml", ".rst", ".adoc"} // TODO is a word there
	switch {
	case m.conflict.MatchString(added):
		return "it has a conflict marker"
	case (isTest || sets) && (m.skip.MatchString(added) || notBuilt(added)):
		return "a test is skipped"
	case (isTest || sets) && m.leaveOut.MatchString(added):
		return "tests are left out"
	case isTest && m.idle.MatchString(added):
		return "a test checks nothing"
	case !isTest && !slices.Contains(prose, strings.ToLower(path.Ext(file))) && m.putOff.MatchString(added):
		return "work is put off"
	}
	return ""
}

// notBuilt reports a line that keeps Go from building a file here, unless it is told to.
func notBuilt(line string) bool {
	expr, err := constraint.Parse(line)
	return err == nil && !expr.Eval(func(tag string) bool {
		return tag == runtime.GOOS || tag == runtime.GOARCH || tag == "cgo" || tag == "gc" ||
			tag == "unix" && runtime.GOOS != "windows" || strings.HasPrefix(tag, "go1")
	})
}

// lost reports that no tool takes a file for a test any more, now that it has another name.
func (m marks) lost(from, to string) bool {
	old, now := path.Base(from), path.Base(to)
	hidden := func(name string) bool { return strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_") }
	return !codediff.IsTest(to) || codediff.IsTest(old) && !codediff.IsTest(now) ||
		m.dead.MatchString(now) && !m.dead.MatchString(old) || hidden(now) && !hidden(old)
}
