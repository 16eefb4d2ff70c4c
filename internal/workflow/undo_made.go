package workflow

import (
	"context"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/operation"
	"github.com/git-brew/git-brew/internal/task"
)

// Made is what this service's last change did.
type Made struct {
	// Task is the task that was changed, "" where it was something else.
	Task task.ID
	// Undo is the command that takes it back, "" where none can.
	Undo string
}

// made is noted for Made, once a change is written.
type made struct {
	id      task.ID
	kinds   []operation.Kind
	commit  gitstore.OID
	deleted bool
	// back are the words behind "git brew" that take back what was done to
	// something else than a task, or to its lock.
	back []string
}

// takenBackBy notes for Made which command takes back what was just done. A dry
// run did nothing.
func (s *Service) takenBackBy(words ...string) {
	if !s.Rehearses() {
		s.did = made{back: words}
	}
}

// onTask appends to a command's words the task that it is about, where that is not
// the one here.
func (s *Service) onTask(ctx context.Context, id task.ID, words ...string) []string {
	if here, err := s.Here(ctx); err != nil || here != id {
		words = append(words, s.Name(ctx, id))
	}
	return words
}

// plainly are arguments that are not to be read as options.
func plainly(args []string) []string {
	if slices.ContainsFunc(args, func(arg string) bool { return strings.HasPrefix(arg, "-") }) {
		return append([]string{"--"}, args...)
	}
	return args
}

// command is one of our commands as it can be typed.
func command(words []string) string {
	typed := []string{"git", "brew"}
	for _, w := range words {
		typed = append(typed, ShellWord(w))
	}
	return strings.Join(typed, " ")
}

// ShellWord makes one word of s for a POSIX shell.
func ShellWord(s string) string {
	plain := s != "" && !strings.ContainsFunc(s, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && !strings.ContainsRune("/._-:@+,", r)
	})
	if plain {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// Made says what takes back the last that was done.
func (s *Service) Made(ctx context.Context) Made {
	switch {
	case len(s.did.back) > 0:
		return Made{Undo: command(s.did.back)}
	case s.did.id == "":
		return Made{}
	}
	out := Made{Task: s.did.id}
	for _, kind := range s.did.kinds {
		if _, lasting := task.Lasting(kind); lasting {
			return out
		}
	}
	var deed gitstore.OID
	if slices.ContainsFunc(s.did.kinds, func(k operation.Kind) bool { return k == task.OpUndo || k == task.OpUndoOpen }) {
		if s.did.deleted {
			return out
		}
		deed = s.did.commit
	}
	out.Undo = s.undoCommand(ctx, s.did.id, deed)
	return out
}

// undoCommand is what takes back the last that was done to a task, or the deed of a
// commit, where that is not zero. It names the task where another is meant here, or
// none, as where it was deleted.
func (s *Service) undoCommand(ctx context.Context, id task.ID, deed gitstore.OID) string {
	words := s.onTask(ctx, id, "undo")
	if !deed.IsZero() {
		words = append(words, short(deed))
	}
	return command(words)
}
