// Package steps runs the pipeline: what stands before and after the steps of a task. Its
// Runner observes changes.
package steps

import (
	"io"

	"github.com/git-brew/git-brew/internal/app/change"
	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/app/config"
	"github.com/git-brew/git-brew/internal/app/lock"
	"github.com/git-brew/git-brew/internal/app/records"
)

// Pipelines runs what stands around the steps of a task.
type Pipelines struct {
	Output    io.Writer  // see Options.Output
	hooksDone []HookDone // what ran around steps so far
	Clone     *clone.Clone
	Config    *config.Config
	Engine    *change.Engine
	Locks     *lock.Locks
	Records   *records.Records
}
