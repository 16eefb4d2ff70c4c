package doctor

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
	Claims   *claim.Claims
	Clone    *clone.Clone
	Config   *config.Config
	Exchange *exchange.Exchange
	Journal  *journal.Journal
	Locks    *lock.Locks
	Place    *worktree.Place
	Records  *records.Records
	Trust    *trust.Trust
}
