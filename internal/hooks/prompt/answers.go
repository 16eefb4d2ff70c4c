package prompt

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// Asks reports whether a prompt asks for something: it is no slash command, no
// answer such as yes, no, a number or a letter, and a person typed some of it.
func Asks(prompt string) bool {
	prompt = strings.TrimSpace(prompt[:min(len(prompt), MaxTyped)])
	if strings.HasPrefix(prompt, "/") {
		return false
	}
	return slices.ContainsFunc(wordsOf(typed(prompt)), func(w word) bool {
		return !w.mark() && utf8.RuneCountInString(w.folded) > 1 && strings.Trim(w.folded, "0123456789.") != "" &&
			!among(answers, w.folded)
	})
}

// answers are words that agree, refuse or thank.
const answers = "yes yeah yep no nope ok okay sure fine right good great perfect thanks thank you please continue stop"

// Approves reads a prompt that approves and says nothing else: a phrase, the phases that
// are meant, as isPhase knows them, polite words and what lets work begin, which is one of
// others. Whatever else somebody says may be what has to change first.
func Approves(prompt string, phrases, others []Phrase,
	isPhase func(word string) bool,
) (said string, phases []string, found bool) {
	heard := Hear(prompt, phrases)
	if heard.long || strings.HasPrefix(strings.TrimSpace(prompt), "/") { // of a slash command it is the argument
		return "", nil, false
	}
	for _, s := range heard.sentences {
		for _, p := range phrases {
			if i := s.place(p); i >= 0 {
				said, found, s = p.text, true, slices.Concat(s[:i], s[i+len(p.words):])
			}
		}
		for _, p := range others {
			if i := s.place(p); i >= 0 {
				s = slices.Concat(s[:i], s[i+len(p.words):])
			}
		}
		listed := false
		for _, w := range s {
			switch {
			case w.folded == "phase" || w.folded == "phases":
				listed = true
			case listed && isPhase(w.folded):
				phases = append(phases, w.folded)
			case w.fills(), w.folded == "is", w.folded == "are":
			default:
				return "", nil, false
			}
		}
	}
	return said, phases, found
}
