package workflow

import (
	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/app/config"
	"github.com/git-brew/git-brew/internal/app/records"
	"github.com/git-brew/git-brew/internal/app/worktree"
)

// Code looks at the commits of a task: ranges, diffs, hand-over.
type Code struct {
	clone   *clone.Clone
	config  *config.Config
	place   *worktree.Place
	records *records.Records
}
