package clone

import (
	"fmt"

	"github.com/git-brew/git-brew/internal/task"
)

// Counted is a number with the words that follow it.
func Counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

func DeletedError(id task.ID) error {
	return NotFoundAs(task.ErrNoTask, fmt.Sprintf("'git brew undo %s' brings it back", id), "task %q is deleted", id)
}
