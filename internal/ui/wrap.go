package ui

import (
	"strings"
	"unicode/utf8"
)

// Wrap breaks the lines of a text that are wider than a terminal; what follows of
// a line stands below it, two columns further in. A width of 0 breaks nothing.
//
// A command that is to be typed, such as 'git brew status', is never broken, nor
// is a single word.
func Wrap(text string, width int) string {
	if width <= 0 || len(text) <= width {
		return text
	}
	var b strings.Builder
	for line := range strings.Lines(text) {
		line, end := strings.CutSuffix(line, "\n")
		words := strings.TrimLeft(line, " ")
		indent := line[:len(line)-len(words)]
		if Width(line) <= width {
			words, indent = line, ""
		}
		for i, part := range fold(words, max(leastFold, width-len(indent)-2)) {
			if i > 0 {
				b.WriteString("\n" + indent + "  ")
			} else {
				b.WriteString(indent)
			}
			b.WriteString(part)
		}
		if end {
			b.WriteString("\n")
		}
	}
	return b.String()
}

// fold breaks a text between its words into lines of a width, at least one.
func fold(text string, width int) []string {
	if Width(text) <= width {
		return []string{text}
	}
	var lines []string
	line, used := "", 0
	for _, word := range words(text) {
		w := Width(word)
		if bare := strings.TrimRight(word, " "); used > 0 && used+Width(bare) > width {
			lines = append(lines, strings.TrimRight(line, " "))
			line, used = "", 0
		}
		line += word
		used += w
	}
	return append(lines, strings.TrimRight(line, " "))
}

// words are the parts of a text that are not broken, each with the blanks behind it:
// words, commands, and the characters of scripts that are written without blanks.
func words(text string) []string {
	var all []string
	begins := true // a command may begin here
	for text != "" {
		n := commandLen(text, begins)
		if n == 0 {
			n = wordLen(text)
		}
		begins = n > 0 && strings.IndexByte(":;,", text[n-1]) >= 0
		for n < len(text) && text[n] == ' ' {
			n++
		}
		all, text = append(all, text[:n]), text[n:]
	}
	return all
}

// commandLen is the length of the command that text begins with, 0 for none: it stands
// in quotes or parentheses, or begins what is said.
func commandLen(text string, begins bool) int {
	for mark, until := range map[string]string{"'git ": "'", "(git ": ")"} {
		if end := strings.Index(text, until+" "); strings.HasPrefix(text, mark) && end > 0 {
			return end + 1
		} else if strings.HasPrefix(text, mark) {
			return len(text)
		}
	}
	i := 0
	for skip := escapeLen(text); skip > 0; skip = escapeLen(text[i:]) {
		i += skip
	}
	if !begins || !strings.HasPrefix(text[i:], "git brew ") {
		return 0
	}
	end := len(text)
	if at := strings.IndexAny(text, ";,)"); at >= 0 {
		end = at + 1
	}
	if strings.ContainsAny(Plain(text[:end]), "[<") { // how it is used, not what is typed
		return 0
	}
	return end
}

// endsLine are characters that no line begins with.
const endsLine = "。、，．：；！？）」』】〉》"

// wordLen is the length of the word that text begins with, without blanks.
func wordLen(text string) int {
	wide := false
	for i := 0; i < len(text); {
		if skip := escapeLen(text[i:]); skip > 0 {
			i += skip
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		isWide := runeWidth(r) == 2
		switch {
		case r == ' ':
			return i
		case strings.ContainsRune(endsLine, r):
		case wide, isWide && i > 0:
			return i
		}
		wide = wide || isWide
		i += size
	}
	return len(text)
}
