package cli

import (
	"context"
	"regexp"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/app"
	"github.com/git-brew/git-brew/internal/command"
	"github.com/git-brew/git-brew/internal/task"
)

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
