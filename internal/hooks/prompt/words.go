package prompt

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// promptWord is one word of a sentence: as typed, and folded for comparing. A
// mark is a word whose folded form is empty; the question mark is kept.
type promptWord struct{ raw, folded string }

// mark reports what stands between words: a comma, a dash, a picture.
func (w promptWord) mark() bool {
	return strings.IndexFunc(w.folded, WordRune) < 0 && w.folded != strings.TrimSpace(taken)
}

type sentence []promptWord

// at is the word at i, folded; "" for a mark and where there is none.
func (s sentence) at(i int) string {
	if i < 0 || i >= len(s) || s[i].mark() {
		return ""
	}
	return s[i].folded
}

// Marks at the start of a sentence that say where its line begins.
const (
	listMark    = "•"
	headingMark = "#"
)

// split splits text into sentences of words. A line break ends a sentence where
// a new one visibly starts, and around a line that is one of the phrases and
// nothing else: a wrapped sentence goes on.
func split(text string, phrases []Phrase) []sentence {
	var all []sentence
	var now sentence
	end := func() {
		if len(now) > 0 {
			all = append(all, now)
		}
		now = nil
	}
	for line := range strings.SplitSeq(text, "\n") {
		alone := slices.ContainsFunc(phrases, func(p Phrase) bool {
			return slices.EqualFunc(wordsOf(line), p.words, func(w promptWord, want string) bool { return p.form(w) == want })
		})
		if alone || opens(line) {
			end()
		}
		kind, line := lineKind(line)
		if kind != "" {
			now = append(now, promptWord{raw: kind})
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

// lineKind takes the mark of a list's item or of a heading off a line.
func lineKind(line string) (kind, rest string) {
	start := strings.TrimSpace(line)
	if text := strings.TrimLeft(start, "#"); len(text) < len(start) && strings.HasPrefix(text, " ") {
		return headingMark, text
	}
	mark, rest, found := strings.Cut(start, " ")
	number := strings.TrimRight(mark, ".)")
	switch {
	case !found:
	case mark == "-", mark == "*", mark == "+", mark == "•",
		len(number) < len(mark) && len(number) > 0 && strings.Trim(number, "0123456789") == "":
		return listMark, rest
	}
	return "", line
}

// part of a line: some words of one sentence, and whether it ends there.
type part struct {
	words sentence
	ended bool
}

// parts splits one line. A mark between words is a word without letters, so that
// no phrase reaches across it.
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
			if size == 0 && strings.HasSuffix(strings.TrimRightFunc(text, closes), ":") {
				now = append(now, promptWord{raw: ":"})
			}
			if mark == '?' || mark == '？' {
				now = append(now, promptWord{raw: "?", folded: "?"})
			}
			switch {
			case size > 0 && ends(mark), token == "" && strings.HasSuffix(strings.TrimRightFunc(text, closes), "."):
				all = append(all, part{now, true})
				now = nil
			case size > 0:
				now = append(now, promptWord{raw: string(mark)})
			}
		}
	}
	return append(all, part{words: now})
}

// opens reports whether a sentence starts with this line.
func opens(line string) bool {
	line = strings.TrimSpace(line)
	for _, r := range line {
		return unicode.IsUpper(r) || unicode.IsDigit(r) || strings.ContainsRune("-*+•#|", r)
	}
	return true // an empty line
}

// separates reports the runes that end a word wherever they stand; others, such
// as the dot in "execute.go", are part of it.
func separates(r rune) bool {
	return strings.ContainsRune(",;!?…—()[]{}<>|\"“”„«»=。！？，、；：¡¿", r)
}

// ends reports the runes that end a sentence wherever they stand.
func ends(r rune) bool { return strings.ContainsRune(";!?…。！？；", r) }

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
