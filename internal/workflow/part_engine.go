package workflow

import (
	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/app/codediff"
	"github.com/git-brew/git-brew/internal/app/config"
	"github.com/git-brew/git-brew/internal/app/journal"
	"github.com/git-brew/git-brew/internal/app/lock"
	"github.com/git-brew/git-brew/internal/app/records"
	"github.com/git-brew/git-brew/internal/app/worktree"
)

// Engine changes a task: it reads, decides and writes once.
type Engine struct {
	last      lastChange
	observers []observer // of changes
	clone     *clone.Clone
	code      *codediff.Code
	config    *config.Config
	journal   *journal.Journal
	locks     *lock.Locks
	place     *worktree.Place
	records   *records.Records
}
