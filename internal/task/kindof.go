package task

import (
	"regexp"
	"slices"
	"strings"
)

// Priority is how soon a task is wanted; empty where nobody said.
type Priority string

// The priorities, the most urgent first. PriorityNone takes one away, in an edit.
const (
	PriorityHigh   Priority = "high"
	PriorityMedium Priority = "medium"
	PriorityLow    Priority = "low"
	PriorityNone   Priority = "none"
)

// The forms of a title that tell a type (BW-19, BW-51): before a colon ("fix: …",
// "feat(api)!: …"), and in a name without blanks before a dash or a slash (fix-login,
// docs/readme), with a letter for the priority in front of it (h-fix-login; ? says that
// nobody has decided yet). "Test-driven design" is none, for it is a sentence.
const (
	titleWithType = `^([A-Za-z]+)(\([^)]*\))?(!?):(\s*)(.*)$`
	nameWithType  = `^(?:([hml?])-)?([a-z]+)[-/]\S+$`
)

// KindOfTitle is what the beginning of a title says about the task, both empty where
// it says nothing, and the title that is left: without a type in front of a colon. What
// says more (feat!: …), or is a name, stays as it is.
func KindOfTitle(title string) (typ string, priority Priority, left string) {
	text := strings.TrimSpace(title)
	if m := regexp.MustCompile(nameWithType).FindStringSubmatch(strings.ToLower(text)); m != nil {
		if typ = typeOf(m[2]); typ != "" {
			priority = map[string]Priority{"h": PriorityHigh, "m": PriorityMedium, "l": PriorityLow}[m[1]]
		}
		return typ, priority, title
	}
	m := regexp.MustCompile(titleWithType).FindStringSubmatch(text)
	if m == nil {
		return "", "", title
	}
	typ = typeOf(strings.ToLower(m[1]))
	scope := strings.TrimSpace(strings.Trim(m[2], "()"))
	switch says, rest := m[3], m[5]; {
	case typ == "", says != "", m[4] == "", rest == "", m[2] != "" && scope == "", strings.Contains(scope, ":"):
		return typ, "", title
	case scope != "":
		return typ, "", scope + ": " + rest
	default:
		return typ, "", rest
	}
}

// typeOf is the type that a word in lower case tells, "" for none.
func typeOf(word string) string {
	if slices.Contains(Types, word) {
		return word
	}
	for _, t := range typesByWord {
		if slices.Contains(strings.Fields(t.said), word) {
			return t.of
		}
	}
	return ""
}
