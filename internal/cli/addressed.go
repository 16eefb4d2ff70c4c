package cli

import (
	"context"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-brew/git-brew/internal/app"
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
	if name == "" || e.Tree == nil || !strings.Contains(text, "git brew ") {
		return text
	}
	root := e.Tree()
	ours := regexp.MustCompile(`git brew( [^\s'"();,]+)+`) // the words up to what ends a command
	return ours.ReplaceAllStringFunc(text, func(found string) string { return addressed(root, found, name) })
}

// addressed makes one command act on a task: by its argument where the task is what
// the verb is about, else by --task. What names a task already stays as it is.
func addressed(root *cobra.Command, line, name string) string {
	if words := strings.Fields(line); slices.Contains(words, name) {
		return line
	}
	words := strings.Fields(line)[2:]
	cmd, rest, err := root.Find(words)
	if err != nil || cmd == root {
		return line
	}
	path := "git brew " + strings.Join(words[:len(words)-len(rest)], " ")
	first := ""
	if takes := Arguments(cmd.Use); len(takes) > 0 {
		first = takes[0]
	}
	switch named := len(rest) > 0 && !strings.HasPrefix(rest[0], "-"); {
	case named && strings.HasPrefix(rest[0], ":") && strings.HasPrefix(first, "[<task>"):
		return path + " " + name + strings.Join(rest, " ")
	case strings.HasPrefix(first, "[<task>") && !named:
		return strings.Join(append([]string{path, name}, rest...), " ")
	case cmd.Flags().Lookup("task") != nil && !strings.Contains(line, " --task"):
		return strings.Join(append([]string{path, "--task", name}, rest...), " ")
	}
	return line
}
