package prd

import (
	"slices"
	"strings"
	"unicode"
)

// The kinds of checks.
const (
	// Pattern looks for a text or a file, and runs nothing of the work.
	Pattern     = "pattern"
	Unit        = "unit"
	Integration = "integration"
	Smoke       = "smoke"
)

// kinds are the kinds that a file may name.
var kinds = []string{Pattern, Unit, Integration, Smoke}

// lookers are the programs that only look.
var lookers = []string{"grep", "rg", "egrep", "fgrep", "test", "[", "[[", "stat", "ls", "cat", "find", "head", "true"}

// testRunners are words by which a command that runs tests is told.
var testRunners = []string{
	"test", "tests", "jest", "vitest", "pytest", "mocha", "rspec", "phpunit", "ctest",
	"unittest", "tox",
}

// KindOf is the kind of a check: what the file says, else what its command looks like.
func (c Check) KindOf() string {
	if slices.Contains(kinds, c.Kind) {
		return c.Kind
	}
	words := wordsOf(c.Command)
	switch program, _, _ := strings.Cut(strings.TrimSpace(c.Command), " "); {
	case slices.Contains(lookers, program):
		return Pattern
	case !anyOf(words, testRunners...):
		return Smoke
	case anyOf(words, "integration", "e2e", "flow"):
		return Integration
	}
	return Unit
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
// speaks against it. It looks at the first word of each part of what a shell would run.
func dangerous(command string) string {
	parts := strings.FieldsFunc(command, func(r rune) bool { return strings.ContainsRune(";&|\n(){}`$", r) })
	for _, part := range parts {
		words := strings.Fields(part)
		for len(words) > 1 && (strings.Contains(words[0], "=") || words[0] == "exec" || words[0] == "env") {
			words = words[1:]
		}
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
