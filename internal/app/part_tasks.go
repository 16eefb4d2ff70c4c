package app

import (
	"github.com/git-brew/git-brew/internal/app/change"
	"github.com/git-brew/git-brew/internal/app/claim"
	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/app/codediff"
	"github.com/git-brew/git-brew/internal/app/config"
	"github.com/git-brew/git-brew/internal/app/exchange"
	"github.com/git-brew/git-brew/internal/app/journal"
	"github.com/git-brew/git-brew/internal/app/learn"
	"github.com/git-brew/git-brew/internal/app/lock"
	"github.com/git-brew/git-brew/internal/app/next"
	"github.com/git-brew/git-brew/internal/app/phase"
	"github.com/git-brew/git-brew/internal/app/records"
	"github.com/git-brew/git-brew/internal/app/review"
	"github.com/git-brew/git-brew/internal/app/session"
	"github.com/git-brew/git-brew/internal/app/steps"
	"github.com/git-brew/git-brew/internal/app/texts"
	"github.com/git-brew/git-brew/internal/app/trust"
	"github.com/git-brew/git-brew/internal/app/worktree"
)

// Tasks creates, starts, pauses and finishes tasks, and says what comes next.
type Tasks struct {
	next      *next.Next
	claims    *claim.Claims
	clone     *clone.Clone
	code      *codediff.Code
	config    *config.Config
	documents *texts.Documents
	engine    *change.Engine
	exchange  *exchange.Exchange
	journal   *journal.Journal
	knowledge *learn.Knowledge
	locks     *lock.Locks
	phases    *phase.Phases
	pipelines *steps.Pipelines
	place     *worktree.Place
	records   *records.Records
	reviews   *review.Reviews
	sessions  *session.Sessions
	trust     *trust.Trust
}
