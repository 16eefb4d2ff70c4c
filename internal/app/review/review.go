// Package review judges work: verification, remarks and boards, verdicts, escalation,
// decisions.
package review

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
	Next      *next.Next
	Claims    *claim.Claims
	Clone     *clone.Clone
	Code      *codediff.Code
	Config    *config.Config
	Engine    *change.Engine
	Journal   *journal.Journal
	Knowledge *learn.Knowledge
	Locks     *lock.Locks
	Phases    *phase.Phases
	Pipelines *steps.Pipelines
	Records   *records.Records
	Sessions  *session.Sessions
}
