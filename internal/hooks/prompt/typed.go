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

// spans are what stands between marks: code between backticks, an open fence of two or
// more going on to the end, and text in quotation marks. An apostrophe opens a quotation
// only at the start of a word, and closes it only at the end of one.
var spans = sync.OnceValues(func() (code, quotes *regexp.Regexp) {
	return regexp.MustCompile("(?s)````+.*?(?:````+|$)|```.*?(?:```|$)|``.*?(?:``|$)|`[^`]*`?"),
		regexp.MustCompile(`(?s)"[^"]*"|“[^”]*”|„[^“]*“|«[^»]*»|(^|[^\pL\pN])(?:'.*?'|‘.*?’)([^\pL\pN]|$)`)
})

// withoutCode takes out code between backticks.
func withoutCode(text string) string {
	code, _ := spans()
	return code.ReplaceAllStringFunc(text, func(found string) string {
		if strings.HasPrefix(found, "``") || strings.Count(found, "`") > 1 {
			return taken
		}
		return taken + found[1:] // just a backtick
	})
}

// withoutQuotes takes out text in quotation marks. With an odd number of plain
// marks nobody can tell which are a pair: all between the first and the last is
// taken out.
func withoutQuotes(text string) string {
	if n := strings.Count(text, `"`); n > 1 && n%2 == 1 {
		first, last := strings.IndexByte(text, '"'), strings.LastIndexByte(text, '"')
		text = text[:first] + taken + text[last+1:]
	}
	_, quotes := spans()
	for range 2 { // a blank that ends one quotation may be what another begins behind
		text = quotes.ReplaceAllString(text, "${1}"+taken+"${2}")
	}
	return text
}

// WordRune reports a rune that words are made of.
func WordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
