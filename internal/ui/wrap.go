package ui

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// Wrap breaks the lines of a text that are wider than a terminal; what follows of
// a line stands below it, two columns further in. A width of 0 breaks nothing.
//
// A command that is to be typed, such as 'git brew status', is never broken, wherever
// it stands in a sentence, nor is a single word: they may be wider than the terminal.
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
			b.WriteString(line)
		} else {
			b.WriteString(indent + strings.Join(fold(words, max(leastFold, width-len(indent)-2)), "\n"+indent+"  "))
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
	begins := true // what is said begins here
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

// commandLen is the length of the command that text begins with, with the marks around
// it, 0 for none. "git brew" in front of another word than a command's is a name, and so
// is "git" within a sentence.
func commandLen(text string, begins bool) int {
	at := 0
	for skip := escapeLen(text); skip > 0; skip = escapeLen(text[at:]) {
		at += skip
	}
	opened := len(text[at:]) - len(strings.TrimLeft(text[at:], "('"))
	command := text[at+opened:]
	rest, ours := strings.CutPrefix(command, "git brew ")
	rest, gits := strings.CutPrefix(rest, "git ")
	verb := rest[:lettersLen(rest)]
	switch {
	case !ours && !gits, verb == "" && opened == 0:
		return 0
	case opened > 0: // marks say that it is one
	case ours && !slices.Contains(ownCommands, verb), gits && !(begins && slices.Contains(gitCommands, verb)):
		return 0
	}
	n := typedLen(command, opened > 0 && text[at+opened-1] == '\'')
	if plain := Plain(command[:n]); opened == 0 && (strings.Contains(plain, "[-") || strings.Contains(plain, "<")) {
		return 0 // how it is used, not what is typed
	}
	n += at + opened
	for n < len(text) && strings.IndexByte("');,.:", text[n]) >= 0 {
		n++
	}
	return n
}

// typedLen is how far a command goes that text begins with: to the quote behind it where
// it is quoted, else to a mark, or the end of a sentence. Its own words may be quoted.
func typedLen(text string, quoted bool) int {
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quoted && c == '\'' && (i+1 == len(text) || strings.IndexByte(" ).,;:", text[i+1]) >= 0):
			return i
		case !quoted && (c == '"' || c == '\'') && text[i-1] == ' ':
			if end := strings.IndexByte(text[i+1:], c); end >= 0 {
				i += end + 1
			}
		case !quoted && strings.IndexByte(";,)", c) >= 0,
			!quoted && strings.HasPrefix(text[i:], " ("),
			!quoted && strings.IndexByte(".:", c) >= 0 && i+1 < len(text) && text[i+1] == ' ':
			return i
		}
	}
	return len(text)
}

// lettersLen is the length of the letters that text begins with.
func lettersLen(text string) int {
	return len(text) - len(strings.TrimLeft(text, "abcdefghijklmnopqrstuvwxyz-"))
}

// ownCommands are the words behind "git brew" that make a command of it.
var ownCommands = strings.Fields(`
	archive backlog completion config create decision delete diff doc doctor edit
	escalate events finish graph help hook init knowledge learn list lock log mode
	next pause phase pipeline purge question remark report session show stage start
	stats status statusline switch sync trigger trust undo uninit verify version`)

// gitCommands are those of git's that are proposed where a sentence, or a line, begins.
var gitCommands = []string{"config", "fetch", "ls-remote", "push"}

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
