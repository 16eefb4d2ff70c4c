package prompt

import (
	"regexp"
	"slices"
	"strings"
	"sync"
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

// withoutElements takes out comments, every <name …>…</name>, and what begins as an
// element of the client's. What an agent wrote stands in one of those and may hold its
// closing tag, so one goes on to the last of its closing tags.
func withoutElements(text string) string {
	text = without(without(text, "<!--", "-->"), "<![CDATA[", "]]>")
	element, _ := notSaid()
	for from, unclosed := 0, 0; unclosed < maxUnclosed; {
		at := element.FindStringSubmatchIndex(text[from:])
		if at == nil {
			break
		}
		start, name := from+at[0], text[from+at[2]:from+at[3]]
		closing, ofClient := "</"+name+">", slices.Contains(clientTags, name)
		end := strings.Index(text[start:], closing)
		if ofClient {
			end = strings.LastIndex(text[start:], closing)
		}
		switch {
		case end >= 0:
			text = text[:start] + taken + text[start+end+len(closing):]
			from = start + len(taken)
		case ofClient:
			return text[:start] + taken
		default:
			from, unclosed = start+1, unclosed+1
		}
	}
	return text
}

// without takes out what stands between two marks; what is not closed goes on to the end.
func without(text, opening, closing string) string {
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(text, opening)
		if b.WriteString(before); !found {
			return b.String()
		}
		b.WriteString(taken)
		_, text, _ = strings.Cut(rest, closing)
	}
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

// Asks reports whether a prompt asks for something: it is no slash command, no
// answer such as yes, no, a number or a letter, and a person typed some of it.
func Asks(prompt string) bool {
	prompt = strings.TrimSpace(prompt[:min(len(prompt), MaxTyped)])
	if strings.HasPrefix(prompt, "/") {
		return false
	}
	return slices.ContainsFunc(wordsOf(typed(prompt)), func(w word) bool {
		return !w.mark() && utf8.RuneCountInString(w.folded) > 1 && strings.Trim(w.folded, "0123456789.") != "" &&
			!among(answers, w.folded)
	})
}

// answers are words that agree, refuse or thank.
const answers = "yes yeah yep no nope ok okay sure fine right good great perfect thanks thank you please continue stop"

// Approves reads a prompt that approves and says nothing else: a phrase, the phases that
// are meant, as isPhase knows them, polite words and what lets work begin, which is one of
// others. Whatever else somebody says may be what has to change first.
func Approves(prompt string, phrases, others []Phrase,
	isPhase func(word string) bool,
) (said string, phases []string, found bool) {
	heard := Hear(prompt, phrases)
	if heard.long || strings.HasPrefix(strings.TrimSpace(prompt), "/") { // of a slash command it is the argument
		return "", nil, false
	}
	for _, s := range heard.sentences {
		for _, p := range phrases {
			if i := s.place(p); i >= 0 {
				said, found, s = p.text, true, slices.Concat(s[:i], s[i+len(p.words):])
			}
		}
		for _, p := range others {
			if i := s.place(p); i >= 0 {
				s = slices.Concat(s[:i], s[i+len(p.words):])
			}
		}
		listed := false
		for _, w := range s {
			switch {
			case w.folded == "phase" || w.folded == "phases":
				listed = true
			case listed && isPhase(w.folded):
				phases = append(phases, w.folded)
			case w.fills(), w.folded == "is", w.folded == "are":
			default:
				return "", nil, false
			}
		}
	}
	return said, phases, found
}
