package hooks

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxTyped is how much of a prompt, in bytes, is read for triggers: what is
// longer was pasted.
const maxTyped = 64 << 10

// modeWish is what a prompt says about the mode.
type modeWish struct {
	To     Mode   // empty: nothing
	Phrase string // the trigger or stop word
}

// readPrompt finds the trigger or stop word in what a person typed. A stop word
// wins: a whole word in capitals, anywhere. A trigger is a whole phrase in any
// case, not after a negation in its sentence. Code, quotes, and what the client
// itself wrote, do not count.
func readPrompt(prompt string, triggers, stopWords []string) modeWish {
	long := len(prompt) > maxTyped
	if long {
		prompt = prompt[:maxTyped/2] + "\n\n" + prompt[len(prompt)-maxTyped/2:]
	}
	phrases := foldAll(triggers)
	sentences := split(typed(prompt), phrases)
	for _, stop := range stopWords {
		capitals := strings.Fields(strings.ToUpper(stop))
		for _, s := range sentences {
			if s.find(capitals, rawWord, func(sentence) bool { return true }) {
				return modeWish{ModeDiscussion, strings.Join(capitals, " ")}
			}
		}
	}
	if long {
		return modeWish{}
	}
	for i, phrase := range phrases {
		for _, s := range sentences {
			if s.find(phrase, foldedWord, func(before sentence) bool { return !before.negated() }) {
				return modeWish{ModeImplementation, triggers[i]}
			}
		}
	}
	return modeWish{}
}

// promptWord is one word of a sentence: as typed, and folded for comparing.
type promptWord struct{ raw, folded string }

func rawWord(w promptWord) string    { return w.raw }
func foldedWord(w promptWord) string { return w.folded }

type sentence []promptWord

// find reports whether phrase stands in s with something before it that good
// agrees to.
func (s sentence) find(phrase []string, form func(promptWord) string, good func(before sentence) bool) bool {
	if len(phrase) == 0 {
		return false
	}
	for i := 0; i+len(phrase) <= len(s); i++ {
		same := slices.EqualFunc(s[i:i+len(phrase)], phrase, func(w promptWord, p string) bool { return form(w) == p })
		if same {
			// A negation before the first place is before all others.
			return good(s[:i])
		}
	}
	return false
}

// negated reports whether s holds a word that turns around what follows it.
func (s sentence) negated() bool {
	for i, w := range s {
		previous, next := "", ""
		if i > 0 {
			previous = s[i-1].folded
		}
		if i+1 < len(s) {
			next = s[i+1].folded
		}
		switch w.folded {
		case "not":
			if previous != "why" { // "why not, go ahead"
				return true
			}
		case "no":
			switch next {
			case "problem", "problems", "worries", "objection", "objections", "doubt", "questions", "concerns":
			default:
				return true
			}
		case "never", "without", "cannot", "nor", "neither", "avoid", "refrain", "stop",
			"dont", "doesnt", "didnt", "wont", "cant", "shouldnt", "mustnt", "wouldnt", "couldnt", "neednt", "isnt":
			return true
		case "instead", "rather", "hold", "before":
			switch w.folded + " " + next {
			case "instead of", "rather than", "hold off", "before you", "before we", "before i", "before it":
				return true
			}
		default:
			if strings.HasSuffix(w.folded, "n't") {
				return true
			}
		}
	}
	return false
}

// split splits text into sentences of words. A line break ends a sentence where
// a new one visibly starts, and around a line that is one of the phrases and
// nothing else: a wrapped sentence goes on.
func split(text string, phrases [][]string) []sentence {
	var all []sentence
	var now sentence
	end := func() {
		if len(now) > 0 {
			all = append(all, now)
		}
		now = nil
	}
	for line := range strings.SplitSeq(text, "\n") {
		alone := slices.ContainsFunc(phrases, func(p []string) bool { return slices.Equal(p, foldText(line)) })
		if alone || opens(line) {
			end()
		}
		for _, part := range parts(line) {
			now = append(now, part.words...)
			if part.ended {
				end()
			}
		}
		if alone {
			end()
		}
	}
	end()
	return all
}

// part of a line: some words of one sentence, and whether it ends there.
type part struct {
	words sentence
	ended bool
}

// parts splits one line. A mark between words is an empty word, so that no
// phrase reaches across it.
func parts(line string) []part {
	var all []part
	var now sentence
	for token := range strings.FieldsSeq(line) {
		for token != "" {
			i := strings.IndexFunc(token, separates)
			if i < 0 {
				i = len(token)
			}
			mark, size := utf8.DecodeRuneInString(token[i:])
			text := token[:i]
			token = token[i+size:]
			if w := strings.TrimFunc(text, edge); w != "" {
				now = append(now, promptWord{raw: w, folded: fold(w)})
			}
			switch {
			case size > 0 && ends(mark), token == "" && strings.HasSuffix(strings.TrimRightFunc(text, closes), "."):
				all = append(all, part{now, true})
				now = nil
			case size > 0:
				now = append(now, promptWord{})
			}
		}
	}
	return append(all, part{words: now})
}

// opens reports whether a sentence starts with this line.
func opens(line string) bool {
	line = strings.TrimSpace(line)
	for _, r := range line {
		return unicode.IsUpper(r) || unicode.IsDigit(r) || strings.ContainsRune("-*+•#", r)
	}
	return true // an empty line
}

// separates reports the runes that end a word wherever they stand; others, such
// as the dot in "execute.go", are part of it.
func separates(r rune) bool { return strings.ContainsRune(",;!?…—()[]{}<>|\"“”„«»=", r) }

// ends reports the runes that end a sentence wherever they stand.
func ends(r rune) bool { return strings.ContainsRune(";!?…", r) }

// edge reports the runes that are no part of a word at its start or end.
func edge(r rune) bool { return strings.ContainsRune(".:'’‘*_~", r) }

func closes(r rune) bool { return strings.ContainsRune("'’*_~", r) }

func fold(word string) string {
	return strings.ToLower(strings.NewReplacer("’", "'", "‘", "'", "ʼ", "'").Replace(word))
}

// foldText returns the words of a text, with its marks as parts has them.
func foldText(text string) []string {
	var words []string
	for _, p := range parts(text) {
		for _, w := range p.words {
			if w.folded != "" || len(words) > 0 {
				words = append(words, w.folded)
			}
		}
	}
	for len(words) > 0 && words[len(words)-1] == "" {
		words = words[:len(words)-1]
	}
	return words
}

func foldAll(phrases []string) [][]string {
	folded := make([][]string, len(phrases))
	for i, p := range phrases {
		folded[i] = foldText(p)
	}
	return folded
}
