package workflow

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
	output    io.Writer  // see Options.Output
	hooksDone []HookDone // what ran around steps so far
	clone     *clone.Clone
	config    *config.Config
	engine    *change.Engine
	locks     *lock.Locks
	records   *records.Records
}
