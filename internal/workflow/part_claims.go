package workflow

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
	clone    *clone.Clone
	config   *config.Config
	engine   *change.Engine
	exchange *exchange.Exchange
	locks    *lock.Locks
	records  *records.Records
}
