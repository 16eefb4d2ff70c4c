package hooks

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// taken stands in a prompt for what was taken out, so that what was on its two
// sides makes no phrase together.
const taken = " \x01 "

// typed returns what a person said with a prompt: without blocks that the
// client wrote, code, quoted lines, quoted text, and the name of a slash
// command.
func typed(prompt string) string {
	text := strings.TrimSpace(prompt)
	for _, tag := range []string{
		"task-notification", "system-reminder", "local-command-stdout", "local-command-stderr",
		"command-name", "command-message", "bash-input", "bash-stdout", "bash-stderr",
	} {
		text = withoutBlocks(text, tag)
	}
	text = strings.TrimSpace(text)
	if strings.HasPrefix(text, "/") {
		end := strings.IndexFunc(text, unicode.IsSpace)
		if end < 0 {
			return ""
		}
		text = text[end:]
	}
	return withoutQuotes(withoutCode(withoutLines(text)))
}

// withoutBlocks takes out <tag …>…</tag>; one that is not closed ends with the
// text.
func withoutBlocks(text, tag string) string {
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(text, "<"+tag)
		b.WriteString(before)
		if !found {
			return b.String()
		}
		b.WriteString(taken)
		_, text, _ = strings.Cut(rest, "</"+tag+">")
	}
}

// withoutLines takes out quoted lines and fences of tildes.
func withoutLines(text string) string {
	var b strings.Builder
	fenced := false
	for line := range strings.Lines(text) {
		start := strings.TrimSpace(line)
		fence := strings.HasPrefix(start, "~~~")
		if fenced || fence || strings.HasPrefix(start, ">") {
			b.WriteString(taken + "\n")
		} else {
			b.WriteString(line)
		}
		if fence {
			fenced = !fenced
		}
	}
	return b.String()
}

// withoutCode takes out code between runs of as many backticks. An open fence
// of three or more goes on to the end; fewer are just backticks.
func withoutCode(text string) string {
	var b strings.Builder
	for {
		start := strings.IndexByte(text, '`')
		if start < 0 {
			b.WriteString(text)
			return b.String()
		}
		run := 1
		for start+run < len(text) && text[start+run] == '`' {
			run++
		}
		b.WriteString(text[:start] + taken)
		rest := text[start+run:]
		length, found := closingRun(rest, run)
		if !found && run >= 3 {
			return b.String()
		}
		text = rest[length:]
	}
}

// closingRun returns the length of what a run of n backticks closes, with it.
func closingRun(text string, n int) (int, bool) {
	for at := 0; at < len(text); {
		i := strings.IndexByte(text[at:], '`')
		if i < 0 {
			break
		}
		at += i
		run := 1
		for at+run < len(text) && text[at+run] == '`' {
			run++
		}
		at += run
		if run == n {
			return at, true
		}
	}
	return 0, false
}

// withoutQuotes takes out text in quotation marks. With an odd number of plain
// marks nobody can tell which are a pair: all between the first and the last is
// taken out.
func withoutQuotes(text string) string {
	if n := strings.Count(text, `"`); n > 1 && n%2 == 1 {
		first, last := strings.IndexByte(text, '"'), strings.LastIndexByte(text, '"')
		text = text[:first] + taken + text[last+1:]
	}
	var b strings.Builder
	missing := map[rune]bool{}
	previous := ' '
	for len(text) > 0 {
		r, size := utf8.DecodeRuneInString(text)
		rest := text[size:]
		if closing, ok := closingMark(r, previous); ok && !missing[r] {
			if end := closeQuote(rest, closing, r == '\'' || r == '‘'); end >= 0 {
				b.WriteString(taken)
				text, previous = rest[end:], ' '
				continue
			}
			missing[r] = true
		}
		b.WriteString(text[:size])
		text, previous = rest, r
	}
	return b.String()
}

// closingMark returns the mark that closes the quotation r opens. An apostrophe
// opens one only at the start of a word.
func closingMark(r, previous rune) (string, bool) {
	switch r {
	case '"':
		return `"`, true
	case '“':
		return "”", true
	case '„':
		return "“", true
	case '«':
		return "»", true
	case '‘':
		return "’", !wordRune(previous)
	case '\'':
		return "'", !wordRune(previous)
	}
	return "", false
}

// closeQuote returns where the text after the closing mark starts, -1 if there
// is none. A single one must end a word: others are apostrophes.
func closeQuote(text, mark string, single bool) int {
	for at := 0; ; {
		i := strings.Index(text[at:], mark)
		if i < 0 {
			return -1
		}
		at += i + len(mark)
		next, _ := utf8.DecodeRuneInString(text[at:])
		if !single || !wordRune(next) {
			return at
		}
	}
}

func wordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
