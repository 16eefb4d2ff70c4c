package change

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
	Last      LastChange
	Observers []Observer // of changes
	Clone     *clone.Clone
	Code      *codediff.Code
	Config    *config.Config
	Journal   *journal.Journal
	Locks     *lock.Locks
	Place     *worktree.Place
	Records   *records.Records
}
