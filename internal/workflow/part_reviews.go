package workflow

import (
	"github.com/git-brew/git-brew/internal/app/change"
	"github.com/git-brew/git-brew/internal/app/claim"
	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/app/codediff"
	"github.com/git-brew/git-brew/internal/app/config"
	"github.com/git-brew/git-brew/internal/app/journal"
	"github.com/git-brew/git-brew/internal/app/learn"
	"github.com/git-brew/git-brew/internal/app/lock"
	"github.com/git-brew/git-brew/internal/app/next"
	"github.com/git-brew/git-brew/internal/app/phase"
	"github.com/git-brew/git-brew/internal/app/records"
	"github.com/git-brew/git-brew/internal/app/session"
	"github.com/git-brew/git-brew/internal/app/steps"
)

// Reviews records verdicts, remarks, verification and escalation.
type Reviews struct {
	next      *next.Next
	claims    *claim.Claims
	clone     *clone.Clone
	code      *codediff.Code
	config    *config.Config
	engine    *change.Engine
	journal   *journal.Journal
	knowledge *learn.Knowledge
	locks     *lock.Locks
	phases    *phase.Phases
	pipelines *steps.Pipelines
	records   *records.Records
	sessions  *session.Sessions
	tasks     *Tasks
}
