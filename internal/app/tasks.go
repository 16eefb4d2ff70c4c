package app

import (
	"github.com/git-brew/git-brew/internal/app/change"
	"github.com/git-brew/git-brew/internal/app/claim"
	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/app/config"
	"github.com/git-brew/git-brew/internal/app/journal"
	"github.com/git-brew/git-brew/internal/app/learn"
	"github.com/git-brew/git-brew/internal/app/lock"
	"github.com/git-brew/git-brew/internal/app/records"
	"github.com/git-brew/git-brew/internal/app/session"
	"github.com/git-brew/git-brew/internal/app/trust"
	"github.com/git-brew/git-brew/internal/app/worktree"
)

// Tasks creates, starts, pauses and finishes tasks, and says what comes next.
type Tasks struct {
	claims    *claim.Claims
	clone     *clone.Clone
	config    *config.Config
	engine    *change.Engine
	journal   *journal.Journal
	knowledge *learn.Knowledge
	locks     *lock.Locks
	place     *worktree.Place
	records   *records.Records
	sessions  *session.Sessions
	trust     *trust.Trust
}
