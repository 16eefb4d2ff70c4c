// Package codediff looks at the commits of a task: its range, diffs, what was rewritten,
// and what is handed over for review.
package codediff

import (
	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/app/config"
	"github.com/git-brew/git-brew/internal/app/records"
	"github.com/git-brew/git-brew/internal/app/worktree"
)

// Code looks at the commits of a task: ranges, diffs, hand-over.
type Code struct {
	Clone   *clone.Clone
	Config  *config.Config
	Place   *worktree.Place
	Records *records.Records
}
