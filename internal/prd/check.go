package prd

import (
	"slices"
	"strings"
	"unicode"

	"github.com/git-brew/git-brew/internal/shellgate"
)

// The kinds of checks.
const (
	// Pattern looks for a text or a file, and runs nothing of the work.
	Pattern     = "pattern"
	Unit        = "unit"
	Integration = "integration"
	Smoke       = "smoke"
)

var kinds = []string{Pattern, Unit, Integration, Smoke}

// clients are programs that only read, and yet have what answers them run.
var clients = []string{"curl", "wget", "http", "ping"}

// testRunners are words by which a command that runs tests is told.
var testRunners = []string{
	"test", "tests", "jest", "vitest", "pytest", "mocha", "rspec", "phpunit", "ctest",
	"unittest", "tox",
}

// KindOf is the kind of a check: what the file says, else what its command looks like.
func (c Check) KindOf() string {
	words := wordsOf(c.Command)
	switch {
	case slices.Contains(kinds, c.Kind):
		return c.Kind
	case onlyLooks(c.Command):
		return Pattern
	case !anyOf(words, testRunners...):
		return Smoke
	case anyOf(words, "integration", "e2e", "flow"):
		return Integration
	}
	return Unit
}

// Shows reports a check that runs something of the work, whatever the file calls it.
func (c Check) Shows() bool { return c.KindOf() != Pattern && !onlyLooks(c.Command) }

// onlyLooks reports a command that runs nothing of the work: all that it does is reading
// and saying.
func onlyLooks(command string) bool {
	rest := withoutLeaders(strings.Fields(command), "env")
	verdict := shellgate.Judge(strings.Join(rest, " "), shellgate.Options{})
	looks := verdict.ReadOnly || verdict.Finding.Reason == shellgate.Evaluates // a number of $(grep -c …)
	return looks && len(rest) > 0 && !anyOf(wordsOf(command), clients...)
}

// withoutLeaders are the words of a command behind variables that are set for it, and behind
// programs that only start others.
func withoutLeaders(words []string, leaders ...string) []string {
	for len(words) > 1 && (strings.Contains(words[0], "=") || slices.Contains(leaders, words[0])) {
		words = words[1:]
	}
	return words
}

// String is a check as one line: the kind that the file says stands behind the command, as a
// shell's comment.
func (c Check) String() string {
	if !slices.Contains(kinds, c.Kind) {
		return c.Command
	}
	return c.Command + " # " + c.Kind
}

// CheckOf reads what String wrote.
func CheckOf(line string) Check {
	at := strings.LastIndex(line, " # ")
	if at <= 0 || line[at-1] == '\\' || !slices.Contains(kinds, line[at+3:]) {
		return Check{Command: line}
	}
	return Check{Kind: line[at+3:], Command: line[:at]}
}

// wants are the kinds of checks that a story needs one of, by what its title says is done.
// The first row that has a word of the title counts: connecting what was created is more
// than creating it.
var wants = []struct {
	words []string
	kinds []string
}{
	{[]string{"connect", "integrate", "wire"}, []string{Integration}},
	{[]string{"flow", "workflow", "user can"}, []string{Smoke, Integration}},
	{[]string{"add", "create", "implement"}, []string{Unit, Integration, Smoke}},
}

// wantedBy are the kinds of checks that a title asks for one of, and the word that says
// so; nil: any will do.
func wantedBy(title string) (of []string, word string) {
	text := " " + strings.Join(wordsOf(title), " ") + " "
	for _, row := range wants {
		for _, word := range row.words {
			if strings.Contains(text, " "+word+" ") {
				return row.kinds, word
			}
		}
	}
	return nil, ""
}

// wordsOf are the words of a text, in small letters.
func wordsOf(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
}

func anyOf(words []string, wanted ...string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return slices.Contains(wanted, w) })
}

// dangerous says why nobody should run a command to verify something; "" where nothing
// speaks against it. It looks at the first word of each part of what a shell would run, and
// of what that gives to another shell.
func dangerous(command string) string {
	ends := ";&|\n(){}`$"
	if strings.Contains(command, " -c ") {
		ends += `'"`
	}
	parts := strings.FieldsFunc(command, func(r rune) bool { return strings.ContainsRune(ends, r) })
	for _, part := range parts {
		words := withoutLeaders(strings.Fields(part), "exec", "env", "command", "time", "nice", "nohup", "xargs", "!")
		if len(words) == 0 {
			continue
		}
		switch program := words[0][strings.LastIndexByte(words[0], '/')+1:]; program {
		case "rm", "dd", "shred", "mkfs", "shutdown", "reboot", "halt", "poweroff":
			return program + " verifies nothing, and takes away"
		case "sudo", "su", "doas":
			return program + " acts as another user"
		case "git":
			if len(words) > 1 && slices.Contains([]string{"push", "reset", "clean", "checkout", "commit"}, words[1]) {
				return "git " + words[1] + " verifies nothing, and changes the repository"
			}
		}
	}
	return ""
}
