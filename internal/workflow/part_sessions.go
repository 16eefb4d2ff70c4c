package workflow

import (
	"github.com/git-brew/git-brew/internal/app/change"
	"github.com/git-brew/git-brew/internal/app/claim"
	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/app/codediff"
	"github.com/git-brew/git-brew/internal/app/config"
	"github.com/git-brew/git-brew/internal/app/journal"
	"github.com/git-brew/git-brew/internal/app/lock"
	"github.com/git-brew/git-brew/internal/app/records"
	"github.com/git-brew/git-brew/internal/app/worktree"
)

// Sessions keeps what agents' sessions are at: their mode, their view, their end.
type Sessions struct {
	claims  *claim.Claims
	clone   *clone.Clone
	code    *codediff.Code
	config  *config.Config
	engine  *change.Engine
	journal *journal.Journal
	locks   *lock.Locks
	place   *worktree.Place
	records *records.Records
}
