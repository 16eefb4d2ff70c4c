package prompt

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
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

// notSaid are what nobody said: the start of an element, code between backticks, an open
// fence of two or more going on to the end, and text in quotation marks. An apostrophe
// opens a quotation only at the start of a word, and closes it only at the end of one.
var notSaid = sync.OnceValues(func() (element, quoted *regexp.Regexp) {
	return regexp.MustCompile(`<([A-Za-z_][\w-]*)[\s/>]`),
		regexp.MustCompile("(?s)````+.*?(?:````+|$)|```.*?(?:```|$)|``.*?(?:``|$)|`[^`]*`|" +
			`"[^"]*"|“[^”]*”|„[^“]*“|«[^»]*»|(^|[^\pL\pN])(?:'.*?'|‘.*?’)([^\pL\pN]|$)`)
})

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
	text = withoutLines(text)
	if n := strings.Count(text, `"`); n > 1 && n%2 == 1 { // nobody can tell which are a pair
		text = text[:strings.IndexByte(text, '"')] + taken + text[strings.LastIndexByte(text, '"')+1:]
	}
	_, quoted := notSaid()
	for range 2 { // a blank that ends one quotation may be what another begins behind
		text = quoted.ReplaceAllString(text, "${1}"+taken+"${2}")
	}
	return text
}

// maxUnclosed bounds how many elements are looked for the end of in vain.
const maxUnclosed = 100

// withoutElements takes out every <name …>…</name>, and what begins as an element
// of the client's.
func withoutElements(text string) string {
	element, _ := notSaid()
	for from, unclosed := 0, 0; unclosed < maxUnclosed; {
		at := element.FindStringSubmatchIndex(text[from:])
		if at == nil {
			break
		}
		start, name := from+at[0], text[from+at[2]:from+at[3]]
		closing := "</" + name + ">"
		end := strings.Index(text[start:], closing)
		switch {
		case end >= 0:
			text = text[:start] + taken + text[start+end+len(closing):]
			from = start + len(taken)
		case slices.Contains(clientTags, name):
			return text[:start] + taken
		default:
			from, unclosed = start+1, unclosed+1
		}
	}
	return text
}

// withoutLines takes out quoted lines, fences of tildes, and indented code: lines behind
// an empty one that begin with a tab or four blanks.
func withoutLines(text string) string {
	var b strings.Builder
	fenced, gap := false, false
	for line := range strings.Lines(text) {
		start := strings.TrimSpace(line)
		fence := strings.HasPrefix(start, "~~~")
		code := gap && (strings.HasPrefix(line, "\t") || strings.HasPrefix(line, "    "))
		if fenced || fence || code || strings.HasPrefix(start, ">") {
			b.WriteString(taken + "\n")
		} else {
			b.WriteString(line)
		}
		fenced, gap = fenced != fence, start == "" || code
	}
	return b.String()
}
