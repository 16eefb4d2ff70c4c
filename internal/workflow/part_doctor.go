package workflow

import (
	"github.com/git-brew/git-brew/internal/app/claim"
	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/app/config"
	"github.com/git-brew/git-brew/internal/app/exchange"
	"github.com/git-brew/git-brew/internal/app/journal"
	"github.com/git-brew/git-brew/internal/app/lock"
	"github.com/git-brew/git-brew/internal/app/records"
	"github.com/git-brew/git-brew/internal/app/trust"
	"github.com/git-brew/git-brew/internal/app/worktree"
)

// Doctor checks what is recorded here, and mends it.
type Doctor struct {
	claims   *claim.Claims
	clone    *clone.Clone
	config   *config.Config
	exchange *exchange.Exchange
	journal  *journal.Journal
	locks    *lock.Locks
	place    *worktree.Place
	records  *records.Records
	trust    *trust.Trust
}
