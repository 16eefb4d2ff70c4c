package cli

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/git-brew/git-brew/internal/app"
	"github.com/git-brew/git-brew/internal/command"
	"github.com/git-brew/git-brew/internal/refsync"
	"github.com/git-brew/git-brew/internal/task"
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
	p.write(ui.Either(total > 0, fmt.Sprintf("%s %d of %d", step, done, total), string(step)))
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

// Mean notes the task that a command is about, where that is not the one here: what
// is proposed then has to be about that one too.
func (e *Env) Mean(ctx context.Context, s *app.App, arg string, id task.ID) {
	if arg == "" || id == "" {
		return
	}
	if here, err := s.Place.Here(ctx); err != nil || here != id {
		e.Meant = s.Records.Name(ctx, id)
	}
}

// Addressed makes the commands in a text act on the task that was meant.
func (e *Env) Addressed(text string) string { return e.addressTo(text, e.Meant) }

// AddressedAll is addressed of several texts, in their place.
func (e *Env) AddressedAll(texts []string) []string {
	for i, text := range texts {
		texts[i] = e.Addressed(text)
	}
	return texts
}

// addressTo makes the commands in a text act on a task; "" is the one here.
func (e *Env) addressTo(text, name string) string {
	if name == "" || !strings.Contains(text, "git brew ") {
		return text
	}
	ours := regexp.MustCompile(`git brew( [^\s'"();,]+)+`) // the words up to what ends a command
	return ours.ReplaceAllStringFunc(text, func(found string) string { return addressed(found, name) })
}

// addressed makes one command act on a task: by its argument where the task is what
// the verb is about, else by --task. What names a task already stays as it is.
func addressed(line, name string) string {
	words := strings.Fields(line)[2:]
	var about command.Rule
	verb := 0 // how many words name the command
	for _, r := range command.Table {
		path := strings.Fields(r.Path)
		if len(path) > verb && len(path) <= len(words) && slices.Equal(path, words[:len(path)]) {
			about, verb = r, len(path)
		}
	}
	path, rest := "git brew "+strings.Join(words[:verb], " "), words[verb:]
	named := len(rest) > 0 && !strings.HasPrefix(rest[0], "-")
	switch {
	case slices.Contains(words, name), strings.Contains(line, " --task"):
	case about.Has(command.OfTask) && named && strings.HasPrefix(rest[0], ":"):
		return path + " " + name + strings.Join(rest, " ")
	case about.Has(command.OfTask) && !named:
		return strings.Join(append([]string{path, name}, rest...), " ")
	case about.Has(command.OnTask):
		return strings.Join(append([]string{path, "--task", name}, rest...), " ")
	}
	return line
}
