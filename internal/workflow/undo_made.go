package workflow

import (
	"context"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/operation"
	"github.com/git-brew/git-brew/internal/task"
)

// Made is what this service's last change did to a task.
type Made struct {
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
}

// Made says what takes back the last that was done: nothing was done where Task
// is empty.
func (s *Service) Made(ctx context.Context) Made {
	if s.did.id == "" {
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
	words := []string{"git brew undo"}
	if here, err := s.Here(ctx); err != nil || here != id {
		words = append(words, s.Name(ctx, id))
	}
	if !deed.IsZero() {
		words = append(words, short(deed))
	}
	return strings.Join(words, " ")
}
