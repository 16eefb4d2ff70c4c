// Package prompt reads what a person typed: which of some phrases were said, as an
// order, as a word to stop, as an approval or as what the prompt is about. What may
// be an order or not is none. It knows no task and looks at nothing.
package prompt

import (
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/app/session"
)

// MaxTyped is how much of a prompt, in bytes, is read for triggers: what is
// longer was pasted.
const MaxTyped = 64 << 10

// The words by which a prompt is read. Phrases of people's own may be in other
// languages, so the usual words of some stand here, too.
const (
	// withdrawn are words by which a sentence is not about the phrase in it: it is negated,
	// asked about, or comes after something else.
	withdrawn = "not no never without cannot nor neither nobody none avoid refrain stop dont doesnt wont cant instead " +
		"rather hold wait " +
		"if unless until till when whenever once after before while assuming provided first later tomorrow yet next " +
		"how what why whether which who should shall " +
		"nicht kein keine nie ne pas não nunca jamais wenn sobald"
	// polite words may stand around a phrase in its clause.
	polite = "please pls ok okay k yes yeah yep yup sure right great good fine perfect cool nice thanks thank you thx " +
		"now then and so just let's lets do claude " +
		"lgtm approved agreed looks all " +
		"und bitte jetzt dann ja gut sí si vale oui"
	// refraining is what a clause begins with that holds the whole prompt back.
	refraining = "wait hold not nothing change_nothing no_changes don't_change do_not_change dont_change without_changing"
)

// Phrase is one of a list of phrases, ready to be looked for.
type Phrase struct {
	text  string // as it was set
	words []string
	// capitals: it counts as it is written only, others in any case (BW-45).
	capitals bool
}

// Phrases makes phrases of texts, as they are set; one without a word is left out.
func Phrases(texts []string) []Phrase {
	all := make([]Phrase, 0, len(texts))
	for _, text := range texts {
		p := Phrase{text: text, capitals: session.Capitals(text)}
		for _, w := range wordsOf(text) {
			if p.capitals {
				w.folded = w.raw
			}
			p.words = append(p.words, strings.ReplaceAll(w.folded, "'", ""))
		}
		if len(p.words) > 0 {
			all = append(all, p)
		}
	}
	return all
}

// is reports whether a word is one of the phrase's (let's, lets), and in no quotation.
func (p Phrase) is(w word, want string) bool {
	if p.capitals {
		return w.raw == want
	}
	return strings.Trim(w.folded, "'") == w.folded && strings.EqualFold(strings.ReplaceAll(w.folded, "'", ""), want)
}

// Heard is what a person said with a prompt, in sentences.
type Heard struct {
	sentences []sentence
	// long: so much that most of it was pasted; only a stop counts.
	long bool
}

// Hear reads a prompt. Code, quotes, and what the client itself wrote, were not
// said. The phrases are those that will be looked for.
func Hear(prompt string, lists ...[]Phrase) Heard {
	long := len(prompt) > MaxTyped
	if long {
		prompt = prompt[:MaxTyped/2] + "\n\n" + prompt[len(prompt)-MaxTyped/2:]
	}
	return Heard{split(typed(prompt), slices.Concat(lists...)), long}
}

// Stop gives the first of the phrases that was said at all: to be told to stop
// is understood in whatever context.
func (h Heard) Stop(phrases []Phrase) (string, bool) {
	return h.first(phrases, sentence.says)
}

// Order gives the first of the phrases that is a sentence of its own, with polite words
// around it at most; one of a single word has to be the whole prompt. What may be an order
// or not is none: a person can say it again, but can't take back what was changed
// meanwhile.
func (h Heard) Order(phrases []Phrase) (string, bool) {
	if h.long || slices.ContainsFunc(h.sentences, sentence.refrains) {
		return "", false
	}
	return h.first(phrases, func(s sentence, p Phrase) bool {
		return s.orders(p) && (len(p.words) > 1 || h.only(s))
	})
}

// only reports whether the other sentences say nothing but polite words.
func (h Heard) only(s sentence) bool {
	return !slices.ContainsFunc(h.sentences, func(o sentence) bool { return !slices.Equal(o, s) && !o.isPolite() })
}

// Topic gives the first of the phrases that the prompt is about, as an order or
// not.
func (h Heard) Topic(phrases []Phrase) (string, bool) {
	if h.long {
		return "", false
	}
	return h.first(phrases, func(s sentence, p Phrase) bool { return !s.withdraws(p) && s.says(p) })
}

func (h Heard) first(phrases []Phrase, fits func(sentence, Phrase) bool) (string, bool) {
	for _, p := range phrases {
		for _, s := range h.sentences {
			if fits(s, p) {
				return p.text, true
			}
		}
	}
	return "", false
}

// place is where a phrase stands in s at first; -1: nowhere.
func (s sentence) place(p Phrase) int {
	for i := 0; i+len(p.words) <= len(s); i++ {
		if slices.EqualFunc(s[i:i+len(p.words)], p.words, p.is) {
			return i
		}
	}
	return -1
}

func (s sentence) says(p Phrase) bool { return s.place(p) >= 0 }

// orders reports whether s is the phrase, with polite words around it at most.
func (s sentence) orders(p Phrase) bool {
	i := s.place(p)
	return i >= 0 && s[:i].isPolite() && s[i+len(p.words):].isPolite()
}

// withdraws reports whether s has a word by which it is not about a phrase in it, beside
// those of the phrase; a question mark is one.
func (s sentence) withdraws(p Phrase) bool {
	return slices.ContainsFunc(s, func(w word) bool {
		if slices.ContainsFunc(p.words, func(own string) bool { return p.is(w, own) }) {
			return false
		}
		return w.raw == "?" || w.raw == "？" || among(withdrawn, w.folded) || strings.HasSuffix(w.folded, "n't")
	})
}

// refrains reports whether a clause of s says that nothing is to be changed now.
func (s sentence) refrains() bool {
	for i := range s {
		begins := i == 0 || s[i-1].mark() || s[i-1].fills()
		if two := s.at(i) + "_" + s.at(i+1); begins && (among(refraining, s.at(i)) || among(refraining, two) ||
			among(refraining, two+"_"+s.at(i+2))) {
			return true
		}
	}
	return false
}

// isPolite reports whether s is nothing but polite words, and marks that end it.
func (s sentence) isPolite() bool {
	return !slices.ContainsFunc(s, func(w word) bool { return !w.fills() })
}

// fills reports a word that says nothing of its own: a polite one, what was taken out, a
// picture or a mark of the end.
func (w word) fills() bool {
	if w.mark() {
		return !strings.ContainsAny(w.raw, "?？=<>[]{}|`\"'"+listed)
	}
	return among(polite, w.folded)
}

// among reports whether a list of words with blanks between holds word.
func among(list, word string) bool { return slices.Contains(strings.Fields(list), word) }
