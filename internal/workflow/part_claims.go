package workflow

import "github.com/git-brew/git-brew/internal/app/clone"

// Claims takes and gives back locks, at the arbiter where there is one.
type Claims struct {
	clone    *clone.Clone
	config   *Config
	engine   *Engine
	exchange *Exchange
	locks    *Locks
	records  *Records
}
