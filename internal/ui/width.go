package ui

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/width"
)

// DefaultWidth is how many columns a line may take where nobody knows.
const DefaultWidth = 80

// ellipsis stands for what was cut off.
const ellipsis = "…"

// Width is how many columns a terminal needs for text. Colours count nothing.
func Width(text string) int {
	plain := 0
	for plain < len(text) && text[plain] >= ' ' && text[plain] < 0x7f {
		plain++
	}
	width := plain
	text = text[plain:]
	for i := 0; i < len(text); {
		if skip := escapeLen(text[i:]); skip > 0 {
			i += skip
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		width += runeWidth(r)
		i += size
	}
	return width
}

// Truncate cuts text to at most width columns; what is cut off shows as an
// ellipsis. Colours stay around what is left.
func Truncate(text string, width int) string {
	if len(text) <= width || Width(text) <= width {
		return text
	}
	if width < 1 {
		return ""
	}
	used, coloured := 0, false
	for i := 0; i < len(text); {
		if skip := escapeLen(text[i:]); skip > 0 {
			coloured = true
			i += skip
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		w := runeWidth(r)
		if used+w > width-1 {
			text = text[:i] + ellipsis
			break
		}
		used += w
		i += size
	}
	if coloured {
		text += plainAgain
	}
	return text
}

// Pad fills text with blanks up to width columns.
func Pad(text string, width int) string {
	return text + strings.Repeat(" ", max(0, width-Width(text)))
}

// escapeLen is the length of a colour escape at the start of text, else 0.
func escapeLen(text string) int {
	if !strings.HasPrefix(text, "\x1b[") {
		return 0
	}
	for i := 2; i < len(text); i++ {
		if c := text[i]; c >= 0x40 && c <= 0x7e {
			return i + 1
		}
	}
	return 0
}

// runeWidth is how many columns a character takes.
func runeWidth(r rune) int {
	switch {
	case r < ' ', r >= 0x7f && r < 0xa0, r == 0xad:
		return 0
	case r < 0x300:
		return 1
	case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
		return 0
	}
	switch width.LookupRune(r).Kind() {
	case width.EastAsianWide, width.EastAsianFullwidth:
		return 2
	default:
		return 1
	}
}

// Short is a commit's id as people see it.
func Short(commit string) string { return commit[:min(7, len(commit))] }

// Words is a name of the records as people read it: in progress.
func Words(name string) string { return strings.ReplaceAll(name, "_", " ") }

// Either is one of two words.
func Either(first bool, one, other string) string {
	if first {
		return one
	}
	return other
}

// Joined joins those parts that say something.
func Joined(between string, parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(part string) bool { return part == "" }), between)
}

// Some is Plural, and "" for none.
func Some(n int, thing string) string { return Either(n > 0, Plural(n, thing), "") }

// Plural is a number of things: 1 phase, 2 phases.
func Plural(n int, thing string) string {
	return strconv.Itoa(n) + " " + thing + Either(n == 1, "", "s")
}

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

// words are the parts of a text that are not broken, each with the blanks behind it: words
// and commands. "git brew" in front of another word than a command's is a name; one of git's
// own, without quotes, is a command where a sentence or a line begins. How a command is used,
// with <names> and [-options], is broken like any text.
func words(text string) []string {
	const colours, others = `(?:\x1b\[[0-9;]*m)*`, `|config|fetch|ls-remote|push`
	command := func(verbs string) *regexp.Regexp {
		return regexp.MustCompile(`^(` + colours + `\(?'git .*?')(?:[ ).,;:]|$)|^(` + colours + `\(?git (?:` + verbs +
			`)\b(?:"[^"]*"|'[^']*'|[^<\[]|\[[^-])*?)(?:[;,)]|[.:] | \(|$)`)
	}
	begins, within := command(ownCommands+others), command(ownCommands)
	var all []string
	for at := begins; text != ""; {
		n := strings.IndexByte(text+" ", ' ')
		if found := at.FindStringSubmatch(text); found != nil {
			n = len(found[1] + found[2])
			n += len(text[n:]) - len(strings.TrimLeft(text[n:], "');,.:"))
		}
		at = within
		if n > 0 && strings.IndexByte(":;,", text[n-1]) >= 0 {
			at = begins
		}
		n += len(text[n:]) - len(strings.TrimLeft(text[n:], " "))
		all, text = append(all, text[:n]), text[n:]
	}
	return all
}

// ownCommands are the words behind "git" that make a command of ours of it.
const ownCommands = `brew (?:archive|backlog|completion|config|create|decision|delete|diff|doc|doctor|edit|` +
	`escalate|events|export|finish|graph|help|hook|import|init|knowledge|learn|list|lock|log|map|mcp|mode|next|pause|` +
	`phase|pipeline|plugin|purge|question|remark|report|run|session|show|stage|start|stats|status|` +
	`statusline|summary|switch|sync|trigger|trust|undo|uninit|verify|version)`
