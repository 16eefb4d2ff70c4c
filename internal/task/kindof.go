package task

import (
	"strings"
)

// typeWords say which type a title's first word gives a task (BW-19, BW-51): it
// counts before a colon ("fix: …", "feat(api)!: …"), and in a name without blanks
// before a dash or a slash (fix-login, docs/readme). "Test-driven design" is
// none, for it is a sentence.
var typeWords = []struct{ word, typ string }{
	{"feature", "feature"},
	{"feat", "feature"},
	{"implement", "feature"},
	{"fix", "fix"},
	{"bugfix", "fix"},
	{"hotfix", "fix"},
	{"bug", "fix"},
	{"refactor", "refactor"},
	{"docs", "docs"},
	{"doc", "docs"},
	{"test", "test"},
	{"tests", "test"},
	{"chore", "chore"},
	{"build", "chore"},
	{"ci", "chore"},
	{"perf", "perf"},
	{"experiment", "experiment"},
	{"research", "experiment"},
	{"migrate", "migrate"},
}

// Priority is how soon a task is wanted; empty where nobody said.
type Priority string

// The priorities, the most urgent first.
const (
	PriorityHigh   Priority = "high"
	PriorityMedium Priority = "medium"
	PriorityLow    Priority = "low"
)

// PriorityNone takes a priority away, in an edit.
const PriorityNone Priority = "none"

// Priorities are those that people choose from.
var Priorities = []Priority{PriorityHigh, PriorityMedium, PriorityLow}

// priorityLetters stand in front of a type's word, as in h-fix-login; ? says
// that nobody has decided yet.
var priorityLetters = []struct {
	prefix   string
	priority Priority
}{
	{"h-", PriorityHigh},
	{"m-", PriorityMedium},
	{"l-", PriorityLow},
	{"?-", ""},
}

// KindOfTitle is what the beginning of a title says about the task, both empty where
// it says nothing, and the title that is left: without a type in front of a colon. A
// priority counts only in front of a type.
func KindOfTitle(title string) (typ string, priority Priority, left string) {
	text := strings.ToLower(strings.TrimSpace(title))
	if !strings.ContainsAny(text, " \t") {
		for _, l := range priorityLetters {
			if rest, ok := strings.CutPrefix(text, l.prefix); ok {
				if typ := typeOf(rest); typ != "" {
					return typ, l.priority, title
				}
			}
		}
	}
	if typ = typeOf(text); typ == "" {
		return "", "", title
	}
	return typ, "", withoutType(title)
}

// withoutType is a title without the type it begins with: "Crash" of "fix: Crash", and
// "api: Sign in" of "feat(api): Sign in". What says more (feat!: …), or is a name
// (fix-login), stays as it is.
func withoutType(title string) string {
	before, after, ok := strings.Cut(title, ":")
	rest := strings.TrimSpace(after)
	if !ok || rest == "" || after == strings.TrimLeft(after, " \t") || strings.HasSuffix(before, "!") {
		return title
	}
	_, scope, scoped := strings.Cut(before, "(")
	scope, closed := strings.CutSuffix(scope, ")")
	switch scope = strings.TrimSpace(scope); {
	case !scoped:
		return rest
	case !closed || scope == "":
		return title
	}
	return scope + ": " + rest
}

// typeOf is the type of a title in lower case.
func typeOf(text string) string {
	end := strings.IndexFunc(text, func(r rune) bool { return r < 'a' || r > 'z' })
	if end <= 0 {
		return ""
	}
	word, rest := text[:end], text[end:]
	if !beginsTitle(rest, strings.ContainsAny(text, " \t")) {
		return ""
	}
	for _, w := range typeWords {
		if w.word == word {
			return w.typ
		}
	}
	return ""
}

// beginsTitle tells whether what comes after the first word makes that a type's.
func beginsTitle(rest string, sentence bool) bool {
	if after, ok := strings.CutPrefix(rest, "("); ok {
		if _, after, ok = strings.Cut(after, ")"); !ok {
			return false
		}
		return strings.HasPrefix(strings.TrimPrefix(after, "!"), ":")
	}
	if strings.HasPrefix(strings.TrimPrefix(rest, "!"), ":") {
		return true
	}
	return !sentence && len(rest) > 1 && (rest[0] == '-' || rest[0] == '/')
}
