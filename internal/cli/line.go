package cli

import (
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/git-brew/git-brew/internal/refsync"
	"github.com/git-brew/git-brew/internal/ui"
)

// fileError: a file that the command line names is no use.
type fileError struct {
	err  error
	hint string
}

func (e *fileError) Error() string { return e.err.Error() }
func (e *fileError) Unwrap() error { return e.err }

// OneLine folds a text, such as git's own words, into one safe line: lines are parted by
// semicolons, and ids of objects are as short as people know them.
func OneLine(text string) string {
	one := ""
	for line := range strings.Lines(text) {
		words := strings.Join(strings.Fields(line), " ")
		switch {
		case one == "" || words == "":
			one += words
		case strings.ContainsAny(one[len(one)-1:], ":.;"):
			one += " " + words
		default:
			one += "; " + words
		}
	}
	return ui.Safe(regexp.MustCompile(`\b([0-9a-f]{7})([0-9a-f]{33}|[0-9a-f]{57})\b`).ReplaceAllString(one, "$1"))
}

// Sentence begins a line with a capital letter.
func Sentence(text string) string {
	if text == "" || text[0] < 'a' || text[0] > 'z' {
		return text
	}
	return string(text[0]-'a'+'A') + text[1:]
}

// FirstOnly is a label in front of the first of several lines.
func FirstOnly(label string, i int) string {
	if i > 0 {
		return ""
	}
	return label
}

// Ago is a recorded time for people.
func Ago(e *Env, recorded string) string {
	t, err := time.Parse(time.RFC3339, recorded)
	if err != nil {
		return ui.Safe(recorded)
	}
	return ui.Ago(t, e.Now())
}

// progressLine is one line on a terminal that is written over and over.
type progressLine struct {
	e     *Env
	shown bool
}

func NewProgress(e *Env) *progressLine { return &progressLine{e: e} }

// waiting says on a terminal what is waited for, until it is over.
func (e *Env) waiting(what string) (done func()) {
	line := NewProgress(e)
	line.write(what + " …")
	return line.Clear
}

func (p *progressLine) Show(step refsync.Step, done, total int) {
	text := string(step)
	if total > 0 {
		text = fmt.Sprintf("%s %d of %d", text, done, total)
	}
	p.write(text)
}

func (p *progressLine) write(text string) {
	if !p.e.ErrTerminal || p.e.Flags.Quiet || p.e.Getenv("TERM") == "dumb" {
		return
	}
	fmt.Fprintf(p.e.Err, "\r%s\x1b[K", ui.Truncate(ui.Safe(text), p.e.Width()-1))
	p.shown = true
}

func (p *progressLine) Clear() {
	if p.shown {
		fmt.Fprint(p.e.Err, "\r\x1b[K")
	}
}
