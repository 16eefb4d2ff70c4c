package prompt

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// taken stands in a prompt for what was taken out, so that what was on its two
// sides makes no phrase together.
const taken = " \x01 "

// clientTags are the elements that the client writes into prompts; one that is
// not closed goes on to the end.
var clientTags = []string{
	"task-notification", "system-reminder", "local-command-stdout", "local-command-stderr", "local-command-caveat",
	"command-name", "command-message", "command-args", "bash-input", "bash-stdout", "bash-stderr",
	"ide_selection", "ide_opened_file", "ide_diagnostics", "teammate-message",
}

// typed returns what a person said with a prompt: without elements that the
// client wrote or that were pasted, code, quoted lines, quoted text, and the
// name of a slash command.
func typed(prompt string) string {
	text := strings.TrimSpace(withoutElements(strings.ReplaceAll(prompt, "\r\n", "\n")))
	if strings.HasPrefix(text, "/") {
		end := strings.IndexFunc(text, unicode.IsSpace)
		if end < 0 {
			return ""
		}
		text = text[end:]
	}
	return withoutQuotes(withoutCode(withoutLines(text)))
}

// maxUnclosed bounds how many names of elements are looked for in vain.
const maxUnclosed = 100

// withoutElements takes out every <name …>…</name>, and what begins as an element
// of the client's.
func withoutElements(text string) string {
	var b strings.Builder
	unclosed := map[string]bool{}
	for {
		start := strings.IndexByte(text, '<')
		if start < 0 {
			b.WriteString(text)
			return b.String()
		}
		b.WriteString(text[:start])
		name := elementName(text[start+1:])
		rest := text[start+1+len(name):]
		end := -1
		if name != "" && !unclosed[name] && len(unclosed) < maxUnclosed {
			if end = strings.Index(rest, "</"+name+">"); end < 0 {
				unclosed[name] = true
			}
		}
		switch {
		case end >= 0:
			b.WriteString(taken)
			text = rest[end+len("</>")+len(name):]
		case slices.Contains(clientTags, name):
			b.WriteString(taken)
			return b.String()
		default:
			b.WriteByte('<')
			text = text[start+1:]
		}
	}
}

// elementName is the name at the start of an element, "" where there is none.
func elementName(text string) string {
	end := 0
	for end < len(text) && end < 64 && (isWordByte(text[end]) || end > 0 && text[end] == '-') {
		end++
	}
	if end == 0 || end == len(text) || !strings.ContainsRune("> \t\n/", rune(text[end])) ||
		text[0] >= '0' && text[0] <= '9' {
		return ""
	}
	return text[:end]
}

func isWordByte(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '_'
}

// withoutLines takes out quoted lines, fences of tildes, and indented code: lines
// behind an empty one that begin with a tab or four blanks.
func withoutLines(text string) string {
	var b strings.Builder
	fenced, gap := false, false
	for line := range strings.Lines(text) {
		start := strings.TrimSpace(line)
		fence := strings.HasPrefix(start, "~~~")
		code := gap && (strings.HasPrefix(line, "\t") || strings.HasPrefix(line, "    "))
		if fenced || fence || strings.HasPrefix(start, ">") || code && start != "" {
			b.WriteString(taken + "\n")
		} else {
			b.WriteString(line)
		}
		if fence {
			fenced = !fenced
		}
		gap = start == "" || code
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
		return "’", !WordRune(previous)
	case '\'':
		return "'", !WordRune(previous)
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
		if !single || !WordRune(next) {
			return at
		}
	}
}

// WordRune reports a rune that words are made of.
func WordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
