package claim

import (
	"github.com/git-brew/git-brew/internal/app/change"
	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/app/config"
	"github.com/git-brew/git-brew/internal/app/exchange"
	"github.com/git-brew/git-brew/internal/app/lock"
	"github.com/git-brew/git-brew/internal/app/records"
)

// Claims takes and gives back locks, at the arbiter where there is one.
type Claims struct {
	Clone    *clone.Clone
	Config   *config.Config
	Engine   *change.Engine
	Exchange *exchange.Exchange
	Locks    *lock.Locks
	Records  *records.Records
}
