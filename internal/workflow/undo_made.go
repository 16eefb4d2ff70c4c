package workflow

import (
	"context"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/operation"
	"github.com/git-brew/git-brew/internal/task"
)

// Made is what this service's last change of a task did. What changes something
// else, as settings, trust or a mode, has commands of its own to go back.
type Made struct {
	// Undo is the command that takes it back, "" where none can.
	Undo string
}

// made is noted for Made, once a change is written.
type made struct {
	id      task.ID
	kinds   []operation.Kind
	commit  gitstore.OID
	deleted bool
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

// Made says what takes back the last that was done to a task.
func (s *Service) Made(ctx context.Context) Made {
	if s.did.id == "" {
		return Made{}
	}
	if slices.Contains(s.did.kinds, task.OpCreate) {
		if s.caller.reached().agent() {
			return Made{} // see unmake
		}
		return Made{command([]string{"undo", s.Name(ctx, s.did.id)})} // soon another one may be checked out
	}
	for _, kind := range s.did.kinds {
		if _, lasting := task.Lasting(kind); lasting {
			return Made{}
		}
	}
	var deed gitstore.OID
	if slices.ContainsFunc(s.did.kinds, func(k operation.Kind) bool { return k == task.OpUndo || k == task.OpUndoOpen }) {
		if s.did.deleted {
			return Made{}
		}
		deed = s.did.commit
	}
	return Made{s.undoCommand(ctx, s.did.id, deed)}
}

// undoCommand is what takes back the last that was done to a task, or the deed of a
// commit, where that is not zero. It names the task where another is meant here, or
// none, as where it was deleted.
func (s *Service) undoCommand(ctx context.Context, id task.ID, deed gitstore.OID) string {
	words := []string{"undo"}
	if here, err := s.Here(ctx); err != nil || here != id {
		words = append(words, s.Name(ctx, id))
	}
	if !deed.IsZero() {
		words = append(words, short(deed))
	}
	return command(words)
}
