package app

import (
	"github.com/git-brew/git-brew/internal/app/change"
	"github.com/git-brew/git-brew/internal/app/claim"
	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/app/config"
	"github.com/git-brew/git-brew/internal/app/exchange"
	"github.com/git-brew/git-brew/internal/app/lock"
	"github.com/git-brew/git-brew/internal/app/next"
	"github.com/git-brew/git-brew/internal/app/phase"
	"github.com/git-brew/git-brew/internal/app/records"
	"github.com/git-brew/git-brew/internal/app/texts"
)

// Work begins and ends work on a task: start, pause, finish, the stage, claims, what comes
// next.
type Work struct {
	next      *next.Next
	claims    *claim.Claims
	clone     *clone.Clone
	config    *config.Config
	documents *texts.Documents
	engine    *change.Engine
	exchange  *exchange.Exchange
	locks     *lock.Locks
	phases    *phase.Phases
	records   *records.Records
}
