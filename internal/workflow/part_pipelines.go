package workflow

import (
	"io"
)

// Pipelines runs what stands around the steps of a task.
type Pipelines struct {
	output    io.Writer  // see Options.Output
	hooksDone []HookDone // what ran around steps so far
	clone     *Clone
	config    *Config
	engine    *Engine
	locks     *Locks
	records   *Records
}
