package workflow

import "github.com/git-brew/git-brew/internal/app/clone"

// Code looks at the commits of a task: ranges, diffs, hand-over.
type Code struct {
	clone   *clone.Clone
	config  *Config
	place   *Place
	records *Records
}
