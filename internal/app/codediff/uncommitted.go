package codediff

import (
	"context"
	"fmt"
	"strings"

	"github.com/git-brew/git-brew/internal/task"
)

// maxBeside is how many files a note names.
const maxBeside = 5

// uncommitted are the files in which this work tree differs from its HEAD, if it is
// on the task: changed ones, and those that git does not know yet, as now found them
// where it has looked. What services have is not looked at.
func (s *Code) uncommitted(ctx context.Context, t task.Task, now Held) []string {
	if on, err := s.isOn(ctx, t); err != nil || !on || len(t.Services) > 0 {
		return nil
	}
	if now.looked {
		return now.beside
	}
	files, err := s.Clone.Repo.Tree.Unclean(ctx)
	if err != nil {
		return nil
	}
	return files
}

// NameFiles names files in a sentence: the first of them, and how many more.
func NameFiles(files []string) string {
	if n := len(files); n > maxBeside+1 {
		return fmt.Sprintf("%s and %d more", strings.Join(files[:maxBeside], ", "), n-maxBeside)
	}
	return strings.Join(files, ", ")
}
