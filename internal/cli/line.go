package cli

import (
	"errors"
	"io/fs"
	"strings"
	"syscall"
	"time"

	"github.com/git-brew/git-brew/internal/ui"
)

// fileError: a file that the command line names is no use.
type fileError struct {
	err  error
	hint string
}

func (e *fileError) Error() string { return e.err.Error() }
func (e *fileError) Unwrap() error { return e.err }

// plainPath is an error's text in which the system's word on a path is one that
// people read.
func plainPath(err error) string {
	text := err.Error()
	at, ok := errors.AsType[*fs.PathError](err)
	if !ok {
		return text
	}
	plain := ""
	switch {
	case errors.Is(at, fs.ErrPermission):
		plain = "no permission for " + at.Path
	case errors.Is(at, syscall.EROFS):
		plain = at.Path + " is on a read-only file system"
	case errors.Is(at, syscall.ENOSPC):
		plain = "no space left for " + at.Path
	case errors.Is(at, fs.ErrNotExist):
		plain = at.Path + " does not exist"
	default:
		return text
	}
	return strings.Replace(text, at.Error(), plain, 1)
}

// OneLine folds a text, such as git's own words, into one safe line: what git
// lists below a line follows its colon, other lines are parted by semicolons,
// and ids of objects are as short as people know them.
func OneLine(text string) string {
	var b strings.Builder
	listed := false
	for line := range strings.Lines(strings.TrimSpace(text)) {
		words := strings.Join(strings.Fields(line), " ")
		if words == "" {
			continue
		}
		item := line[0] == '\t' || line[0] == ' '
		switch before := b.String(); {
		case before == "":
		case strings.HasSuffix(before, ":"), strings.HasSuffix(before, "."), strings.HasSuffix(before, ";"):
			b.WriteString(" ")
		case item && listed:
			b.WriteString(", ")
		case item:
			b.WriteString(": ")
		default:
			b.WriteString("; ")
		}
		b.WriteString(words)
		listed = item
	}
	return ui.Safe(shortIDs(b.String()))
}

// shortIDs shortens every object id in a text.
func shortIDs(text string) string {
	var b strings.Builder
	for i := 0; i < len(text); {
		n := i
		for n < len(text) && strings.IndexByte("0123456789abcdef", text[n]) >= 0 {
			n++
		}
		switch {
		case n-i == 40 || n-i == 64:
			b.WriteString(ui.Short(text[i:n]))
		case n == i:
			n++
			b.WriteByte(text[i])
		default:
			b.WriteString(text[i:n])
		}
		i = n
	}
	return b.String()
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
