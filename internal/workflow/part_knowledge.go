package workflow

import "github.com/git-brew/git-brew/internal/app/clone"

// Knowledge keeps what was learned, and the backlog.
type Knowledge struct {
	clone   *clone.Clone
	config  *Config
	engine  *Engine
	journal *Journal
	records *Records
}
