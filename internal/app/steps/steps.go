// Package steps runs the pipeline: what stands before and after the steps of a task. Its
// Runner observes changes.
package steps

import (
	"github.com/git-brew/git-brew/internal/app/change"
)

// Pipelines runs what stands around the steps of a task.
type Pipelines struct {
	*change.Engine
	hooksDone []HookDone // what ran around steps so far
}
