package hooks

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

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
	return w.folded
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
	return h.first(phrases, func(_, _ sentence) bool { return true })
}

// order gives the first of the phrases that was said so that it is meant: not
// after a negation in its sentence, not with "not yet" behind it, not in a
// question about it, not somewhere in a paste.
func (h heard) order(phrases []phrase) (string, bool) {
	if h.long {
		return "", false
	}
	return h.first(phrases, func(before, after sentence) bool {
		return !before.negated() && !after.postponed() && !before.questions(after)
	})
}

// anything reports whether there was a word.
func (h heard) anything() bool {
	return slices.ContainsFunc(h.sentences, func(s sentence) bool {
		return slices.ContainsFunc(s, func(w promptWord) bool { return w.folded != "" && w.folded != strings.TrimSpace(taken) })
	})
}

func (h heard) first(phrases []phrase, meant func(before, after sentence) bool) (string, bool) {
	for _, p := range phrases {
		for _, s := range h.sentences {
			if s.find(p, meant) {
				return p.text, true
			}
		}
	}
	return "", false
}

// promptWord is one word of a sentence: as typed, and folded for comparing.
type promptWord struct{ raw, folded string }

type sentence []promptWord

// find reports whether a phrase stands in s and is meant, by what is before and
// behind its first place.
func (s sentence) find(p phrase, meant func(before, after sentence) bool) bool {
	for i := 0; i+len(p.words) <= len(s); i++ {
		same := slices.EqualFunc(s[i:i+len(p.words)], p.words, func(w promptWord, want string) bool { return p.form(w) == want })
		if same {
			// A negation before the first place is before all others.
			return meant(s[:i], s[i+len(p.words):])
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
			if previous != "why" && (next != "only" && next != "just") { // "why not, go ahead"; "not only …"
				return true
			}
		case "no":
			switch next {
			case "problem", "problems", "worries", "objection", "objections", "doubt", "questions", "concerns":
			default:
				return true
			}
		case "never", "without", "cannot", "nor", "neither", "avoid", "refrain", "stop",
			"dont", "doesnt", "didnt", "wont", "cant", "shouldnt", "mustnt", "wouldnt", "couldnt", "neednt", "isnt",
			"nicht", "kein", "keine", "nie", "niemals", "nunca", "jamais", "pas": // own phrases may be in other languages
			return true
		case "instead", "rather", "hold", "before":
			switch w.folded + " " + next {
			case "instead of", "rather than", "hold off", "before you", "before we", "before i", "before it":
				return true
			}
		default:
			if strings.HasSuffix(w.folded, "n't") && previous != "why" { // "why don't you go ahead"
				return true
			}
		}
	}
	return false
}

// postponed reports whether s, which follows a phrase, takes it back: "go ahead,
// but not yet".
func (s sentence) postponed() bool {
	for i, w := range s {
		if i+1 == len(s) || w.folded != "not" && !strings.HasSuffix(w.folded, "n't") && w.folded != "dont" {
			continue
		}
		switch s[i+1].folded {
		case "yet", "now", "before", "until", "till":
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
		next := ""
		if i+1 < len(s) {
			next = s[i+1].folded
		}
		switch w.folded {
		case "please":
			return true
		case "can", "could", "will", "would":
			if next == "you" && (i == 0 || !slices.Contains([]string{"how", "what", "when", "where", "why", "which"}, s[i-1].folded)) {
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

// split splits text into sentences of words. A line break ends a sentence where
// a new one visibly starts, and around a line that is one of the phrases and
// nothing else: a wrapped sentence goes on.
func split(text string, phrases []phrase) []sentence {
	var all []sentence
	var now sentence
	end := func() {
		if len(now) > 0 {
			all = append(all, now)
		}
		now = nil
	}
	for line := range strings.SplitSeq(text, "\n") {
		alone := slices.ContainsFunc(phrases, func(p phrase) bool {
			return slices.EqualFunc(wordsOf(line), p.words, func(w promptWord, want string) bool { return p.form(w) == want })
		})
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
			if mark == '?' {
				now = append(now, promptWord{raw: "?", folded: "?"})
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

// fold is a word in the form in which case does not count: of the letters that
// are one by Unicode's simple folding, the first.
func fold(word string) string {
	return strings.Map(func(r rune) rune {
		switch r {
		case '’', '‘', 'ʼ', '＇':
			return '\''
		}
		if 'a' <= r && r <= 'z' || r < 'A' {
			return r
		}
		least := r
		for next := unicode.SimpleFold(r); next != r; next = unicode.SimpleFold(next) {
			least = min(least, next)
		}
		return unicode.ToLower(least)
	}, word)
}

// wordsOf returns the words of a text, with its marks as parts has them.
func wordsOf(text string) sentence {
	var words sentence
	for _, p := range parts(text) {
		for _, w := range p.words {
			if w.folded != "" || len(words) > 0 {
				words = append(words, w)
			}
		}
	}
	for len(words) > 0 && words[len(words)-1].folded == "" {
		words = words[:len(words)-1]
	}
	return words
}
