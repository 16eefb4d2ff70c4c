package ui

import (
	"regexp"
	"strings"
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
	`escalate|events|finish|graph|help|hook|init|knowledge|learn|list|lock|log|mode|next|pause|phase|pipeline|purge|` +
	`question|remark|report|session|show|stage|start|stats|status|statusline|switch|sync|trigger|trust|undo|uninit|` +
	`verify|version)`
