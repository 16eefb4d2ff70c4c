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
	words := []string{"git brew undo"}
	if here, err := s.Here(ctx); err != nil || here != s.did.id {
		words = append(words, s.Name(ctx, s.did.id))
	}
	if slices.ContainsFunc(s.did.kinds, func(k operation.Kind) bool { return k == task.OpUndo || k == task.OpUndoOpen }) {
		if s.did.deleted {
			return out
		}
		words = append(words, short(s.did.commit))
	}
	out.Undo = strings.Join(words, " ")
	return out
}
