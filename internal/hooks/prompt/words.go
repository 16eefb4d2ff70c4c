package prompt

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
)

// word is one word of a sentence: as typed, and folded for comparing. What stands between
// words, a comma, a dash, a picture, is one without letters, so that no phrase reaches
// across it.
type word struct{ raw, folded string }

type sentence []word

func (w word) mark() bool { return strings.IndexFunc(w.raw, WordRune) < 0 }

// parts reports a mark that only parts words: no question, and nothing that says something
// in itself, such as a picture or what was taken out.
func (w word) parts() bool {
	return strings.Contains(",;:!…—()[]{}<>|\"“”„«»=。！，、；：¡¿", w.raw)
}

// WordRune reports a rune that words are made of.
func WordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

func (s sentence) at(i int) string {
	if i >= len(s) {
		return ""
	}
	return s[i].folded
}

// inLines are what lines and words are read by: the mark of a heading, an item of a list
// or a table, and the parts of a line, each up to a rune that ends a word wherever it
// stands. Others, such as the dot in "execute.go", are part of one.
var inLines = sync.OnceValues(func() (mark, part *regexp.Regexp) {
	return regexp.MustCompile(`^\s*(?:[-*+•|]|#+|\d+[.)])\s`),
		regexp.MustCompile("[^\\s,;!?…—()\\[\\]{}<>|\"“”„«»=`。！？，、；：¡¿]+|\\S")
})

// listed stands at the start of a sentence that is a heading or an item.
const listed = "#"

// split splits text into sentences of words. A line break ends a sentence where a new one
// visibly starts, and around a line that is one of the phrases and nothing else: a wrapped
// sentence goes on.
func split(text string, phrases []Phrase) []sentence {
	var all []sentence
	var now sentence
	end := func() {
		if len(now) > 0 {
			all = append(all, now)
		}
		now = nil
	}
	mark, part := inLines()
	for line := range strings.SplitSeq(text, "\n") {
		line = strings.TrimSpace(line)
		words := wordsOf(line)
		alone := slices.ContainsFunc(phrases, func(p Phrase) bool {
			return len(words) == len(p.words) && words.place(p) == 0
		})
		opens := strings.IndexFunc(line, func(r rune) bool {
			return unicode.IsUpper(r) || unicode.IsDigit(r) || strings.ContainsRune("-*+•#|", r)
		})
		if alone || opens == 0 || line == "" {
			end()
		}
		if head := mark.FindString(line + " "); head != "" {
			now, line = append(now, word{raw: listed}), line[min(len(head), len(line)):]
		}
		for _, text := range part.FindAllString(line, -1) {
			now = append(now, readWord(text)...)
			if strings.ContainsAny(text, ";!?…。！？；") || strings.HasSuffix(strings.TrimRight(text, "*_~"), ".") {
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

// apostrophes are one, however a keyboard writes it. It is made once: a prompt has many words.
var apostrophes = strings.NewReplacer("’", "'", "‘", "'", "ʼ", "'", "＇", "'")

// readWord reads a part of a line: a word, and the colon behind it.
func readWord(text string) sentence {
	var s sentence
	if bare := strings.Trim(text, ".:*_~"); bare != "" {
		s = sentence{{bare, apostrophes.Replace(strings.ToLower(bare))}}
	}
	if strings.HasSuffix(strings.TrimRight(text, "*_~"), ":") {
		s = append(s, word{raw: ":"})
	}
	return s
}

// wordsOf returns the words of a text, with the marks between them.
func wordsOf(text string) sentence {
	var words sentence
	_, part := inLines()
	for _, text := range part.FindAllString(text, -1) {
		words = append(words, readWord(text)...)
	}
	for len(words) > 0 && words[0].parts() {
		words = words[1:]
	}
	for len(words) > 0 && words[len(words)-1].parts() {
		words = words[:len(words)-1]
	}
	return words
}
