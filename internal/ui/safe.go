package ui

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/git-brew/git-brew/internal/invisible"
)

// Safe gives text in a form that can't steer a terminal: control characters,
// characters that reorder or hide text, and bytes that are no UTF-8 are shown
// as Go and C spell them (\n, \x1b, \u202e). It always gives one line.
func Safe(text string) string { return clean(text, "") }

// SafeLines is Safe for longer texts: line ends and tabs stay.
func SafeLines(text string) string { return clean(text, "\n\t") }

func clean(text, keep string) string {
	if isSafe(text, keep) {
		return text
	}
	var b strings.Builder
	for i, r := range text {
		size := utf8.RuneLen(r)
		switch {
		case r == utf8.RuneError && !strings.HasPrefix(text[i:], "\uFFFD"):
			fmt.Fprintf(&b, `\x%02x`, text[i])
		case strings.ContainsRune(keep, r) || !invisible.Hides(r):
			b.WriteString(text[i : i+size])
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\r':
			b.WriteString(`\r`)
		case r == '\t':
			b.WriteString(`\t`)
		case r < 0x80:
			fmt.Fprintf(&b, `\x%02x`, r)
		case r < 0x10000:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			fmt.Fprintf(&b, `\U%08x`, r)
		}
	}
	return b.String()
}

// isSafe is the quick answer for nearly every text.
func isSafe(text, keep string) bool {
	for i := range len(text) {
		if c := text[i]; c >= utf8.RuneSelf || c == 0x7f || c < ' ' && strings.IndexByte(keep, c) < 0 {
			return c >= utf8.RuneSelf && utf8.ValidString(text) && !strings.ContainsFunc(text, func(r rune) bool {
				return invisible.Hides(r) && !strings.ContainsRune(keep, r)
			})
		}
	}
	return true
}

// Plain is text without its colours.
func Plain(text string) string {
	var b strings.Builder
	for {
		start := strings.IndexByte(text, '\x1b')
		if start < 0 {
			b.WriteString(text)
			return b.String()
		}
		b.WriteString(text[:start])
		text = text[start+max(1, escapeLen(text[start:])):]
	}
}

// Diff returns a unified diff, coloured and safe for a terminal.
func Diff(s Style, unified string) string {
	var b strings.Builder
	head := 2 // lines that name the two texts
	for line := range strings.Lines(unified) {
		text := SafeLines(strings.TrimSuffix(line, "\n"))
		switch {
		case head > 0 && (strings.HasPrefix(text, "--- ") || strings.HasPrefix(text, "+++ ")):
			text = s.Bright(text)
			head--
		case strings.HasPrefix(text, "@@"):
			text = s.Busy(text)
		case strings.HasPrefix(text, "-"):
			text = s.Bad(text)
		case strings.HasPrefix(text, "+"):
			text = s.Good(text)
		}
		b.WriteString(text + "\n")
	}
	return b.String()
}

// Style emphasises text, or leaves it as it is. The zero Style has no colour.
// Colour marks state and never carries it alone.
type Style struct{ colour bool }

// NewStyle returns a style with or without colour.
func NewStyle(colour bool) Style { return Style{colour} }

// Bright marks what can be typed next: ids, commands.
func (s Style) Bright(text string) string { return s.sgr("1", text) }

// Dim marks hints and what matters less.
func (s Style) Dim(text string) string { return s.sgr("2", text) }

// Good marks what is done.
func (s Style) Good(text string) string { return s.sgr("32", text) }

// Warn marks what waits for somebody.
func (s Style) Warn(text string) string { return s.sgr("33", text) }

// Bad marks what failed.
func (s Style) Bad(text string) string { return s.sgr("31", text) }

// Busy marks what goes on now.
func (s Style) Busy(text string) string { return s.sgr("36", text) }

func (s Style) sgr(code, text string) string {
	return Either(!s.colour || text == "", text, "\x1b["+code+"m"+text+plainAgain)
}

// plainAgain ends every colour.
const plainAgain = "\x1b[m"

// ColorWanted decides about colour as git does, by color.brew, color.ui or --color: "always"
// colours in any case, everything else only where the output is able to.
func ColorWanted(setting string, able bool) bool {
	switch setting {
	case "always":
		return true
	case "never", "false", "no", "off", "0":
		return false
	}
	return able
}

// LineWriter passes on what is printed, line by line, each as a function gives it.
// Close writes a last line that has no end.
type LineWriter struct {
	to   io.Writer
	line func(string) string
	rest []byte
}

// maxUnended is how much is held back of a line that does not end.
const maxUnended = 64 << 10

// NewLineWriter returns a LineWriter.
func NewLineWriter(to io.Writer, line func(string) string) *LineWriter {
	return &LineWriter{to: to, line: line}
}

// Write is io.Writer's.
func (w *LineWriter) Write(p []byte) (int, error) {
	end := bytes.LastIndexByte(p, '\n') + 1
	if len(w.rest)+len(p) > maxUnended {
		end = len(p)
	}
	if end == 0 {
		w.rest = append(w.rest, p...)
		return len(p), nil
	}
	var out strings.Builder
	for line := range strings.Lines(string(w.rest) + string(p[:end])) {
		out.WriteString(w.line(line))
	}
	w.rest = append(w.rest[:0], p[end:]...)
	if _, err := io.WriteString(w.to, out.String()); err != nil {
		return 0, err
	}
	return len(p), nil
}

// Close writes what is left, where there is something. It closes nothing.
func (w *LineWriter) Close() error {
	if len(w.rest) == 0 {
		return nil
	}
	_, err := io.WriteString(w.to, w.line(string(w.rest)))
	w.rest = nil
	return err
}

const (
	colour   = "\x1b[" // what a colour begins with
	colourly = "0123456789;"
)

// SafeColoured is SafeLines for a line that git has coloured. Whose colours they are
// nobody can tell, so what they can do is bounded: they hide nothing, and end with
// the line.
func SafeColoured(line string) string {
	if !strings.Contains(line, colour) {
		return SafeLines(line)
	}
	line, end, ended := strings.Cut(line, "\n")
	if ended {
		end = "\n" + end
	}
	var b strings.Builder
	coloured := false
	for {
		before, rest, found := strings.Cut(line, colour)
		b.WriteString(SafeLines(before))
		if !found {
			break
		}
		codes := rest[:len(rest)-len(strings.TrimLeft(rest, colourly))]
		if line = rest; !strings.HasPrefix(rest[len(codes):], "m") || hides(codes) {
			b.WriteString(SafeLines(colour))
			continue
		}
		b.WriteString(colour + codes + "m")
		coloured = codes != "" && codes != "0"
		line = rest[len(codes)+1:]
	}
	if coloured {
		b.WriteString(plainAgain)
	}
	return b.String() + end
}

// hides tells whether a colour's codes conceal text.
func hides(codes string) bool {
	list := strings.Split(codes, ";")
	for i := 0; i < len(list); i++ {
		switch strings.TrimLeft(list[i], "0") {
		case "8":
			return true
		case "38", "48", "58": // a colour of many: 5;N or 2;R;G;B
			if i+1 < len(list) && list[i+1] == "2" {
				i += 2
			}
			i += 2
		}
	}
	return false
}
