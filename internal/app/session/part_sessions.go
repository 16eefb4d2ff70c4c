package session

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
	Claims  *claim.Claims
	Clone   *clone.Clone
	Code    *codediff.Code
	Config  *config.Config
	Engine  *change.Engine
	Journal *journal.Journal
	Locks   *lock.Locks
	Place   *worktree.Place
	Records *records.Records
}
