package hooks

import (
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/workflow"
)

// maxTyped is how much of a prompt, in bytes, is read for triggers: what is
// longer was pasted.
const maxTyped = 64 << 10

// phrase is one of a list of phrases, ready to be looked for.
type phrase struct {
	text  string // as it was set
	words []string
	// capitals: it counts as it is written only, others in any case (BW-45).
	capitals bool
}

func phrasesOf(texts []string) []phrase {
	all := make([]phrase, 0, len(texts))
	for _, text := range texts {
		p := phrase{text: text, capitals: workflow.Capitals(text)}
		for _, w := range wordsOf(text) {
			p.words = append(p.words, p.form(w))
		}
		if len(p.words) > 0 {
			all = append(all, p)
		}
	}
	return all
}

// form is what of a word is compared with the phrase.
func (p phrase) form(w promptWord) string {
	if p.capitals {
		return w.raw
	}
	return strings.ReplaceAll(w.folded, "'", "") // let's, lets
}

// heard is what a person said with a prompt, in sentences.
type heard struct {
	sentences []sentence
	// long: so much that most of it was pasted; only a stop counts.
	long bool
}

// hear reads a prompt. Code, quotes, and what the client itself wrote, were not
// said. The phrases are those that will be looked for.
func hear(prompt string, lists ...[]phrase) heard {
	long := len(prompt) > maxTyped
	if long {
		prompt = prompt[:maxTyped/2] + "\n\n" + prompt[len(prompt)-maxTyped/2:]
	}
	return heard{split(typed(prompt), slices.Concat(lists...)), long}
}

// stop gives the first of the phrases that was said at all: to be told to stop
// is understood in whatever context.
func (h heard) stop(phrases []phrase) (string, bool) {
	return h.first(phrases, func(phrase, sentence, sentence) bool { return true })
}

// order gives the first of the phrases that stands in the prompt as an order, to
// be followed now. What may be one or not is none: a person can say it again,
// but can't take back what was changed meanwhile.
func (h heard) order(phrases []phrase) (string, bool) {
	if h.long {
		return "", false
	}
	text, found := h.first(phrases, func(p phrase, before, after sentence) bool {
		return meant(before, after) && ordered(p, before, after)
	})
	if !found || h.holdsBack() {
		return "", false
	}
	return text, true
}

// topic gives the first of the phrases that the prompt is about, as an order or
// not.
func (h heard) topic(phrases []phrase) (string, bool) {
	if h.long {
		return "", false
	}
	return h.first(phrases, func(_ phrase, before, after sentence) bool { return meant(before, after) })
}

// meant: not after a negation in the sentence, not with "not yet" behind it, not
// in a question about it.
func meant(before, after sentence) bool {
	return !before.negated() && !after.postponed() && !before.questions(after)
}

// anything reports whether there was a word.
func (h heard) anything() bool {
	return slices.ContainsFunc(h.sentences, func(s sentence) bool {
		return slices.ContainsFunc(s, func(w promptWord) bool { return w.folded != "" && w.folded != strings.TrimSpace(taken) })
	})
}

func (h heard) first(phrases []phrase, as func(p phrase, before, after sentence) bool) (string, bool) {
	for _, p := range phrases {
		for _, s := range h.sentences {
			if s.find(p, as) {
				return p.text, true
			}
		}
	}
	return "", false
}

// maxPlaces is how many places of a phrase in one sentence are looked at.
const maxPlaces = 20

// find reports whether a phrase stands in s so that what is before and behind it
// is right.
func (s sentence) find(p phrase, as func(p phrase, before, after sentence) bool) bool {
	places := 0
	for i := 0; i+len(p.words) <= len(s) && places < maxPlaces; i++ {
		if !slices.EqualFunc(s[i:i+len(p.words)], p.words, func(w promptWord, want string) bool { return p.form(w) == want }) {
			continue
		}
		if places++; as(p, s[:i], s[i+len(p.words):]) {
			return true
		}
	}
	return false
}

// negated reports whether s holds a word that turns around what follows it.
func (s sentence) negated() bool { return s.negation() < len(s) }

// negation is where the first of these words stands, the length of s if nowhere.
func (s sentence) negation() int {
	for i, w := range s {
		previous, next := s.at(i-1), s.at(i+1)
		switch {
		case w.folded == "not":
			if previous != "why" && next != "only" && next != "just" { // "why not, go ahead"; "not only …"
				return i
			}
		case w.folded == "no":
			if among("further more other", next) {
				next = s.at(i + 2)
			}
			if !among(harmless, next) {
				return i
			}
		case among(negations, w.folded):
			return i
		case among(negatedPairs, w.folded+"_"+next):
			return i
		case strings.HasSuffix(w.folded, "n't") && previous != "why": // "why don't you go ahead"
			return i
		}
	}
	return len(s)
}

// postponed reports whether s, which follows a phrase, takes it back: "go ahead,
// but not yet".
func (s sentence) postponed() bool {
	for i, w := range s {
		if (w.folded == "not" || w.folded == "dont" || strings.HasSuffix(w.folded, "n't")) && among("yet now before until till", s.at(i+1)) {
			return true
		}
		if w.folded == "not" && s.at(i+1) == "" && (i == 0 || s[i-1].mark()) || i == 0 && among(turning, w.folded) {
			return true
		}
	}
	return false
}

// questions reports whether a phrase with s before it and after behind it is part
// of a question that asks about it ("should I go ahead?"), rather than for it
// ("can you go ahead?", "go ahead, will you?").
func (s sentence) questions(after sentence) bool {
	if len(after) == 0 || after[len(after)-1].folded != "?" {
		return false
	}
	return !s.requests() && !after.requests()
}

// requests reports words with which a question asks for something.
func (s sentence) requests() bool {
	for i, w := range s {
		next := s.at(i + 1)
		switch w.folded {
		case "please":
			return true
		case "can", "could", "will", "would":
			if next == "you" && !among(askingWords, s.at(i-1)) {
				return true
			}
		case "why":
			if next == "not" || next == "dont" || strings.HasSuffix(next, "n't") {
				return true
			}
		}
	}
	return false
}

// among reports whether a list of words with blanks between holds word.
func among(list, word string) bool {
	if word == "" {
		return false
	}
	for one := range strings.FieldsSeq(list) {
		if one == word {
			return true
		}
	}
	return false
}
