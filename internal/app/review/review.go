// Package review judges work: verification, remarks and boards, verdicts, escalation,
// decisions.
package review

import (
	"github.com/git-brew/git-brew/internal/app/change"
	"github.com/git-brew/git-brew/internal/app/claim"
	"github.com/git-brew/git-brew/internal/app/learn"
	"github.com/git-brew/git-brew/internal/app/next"
	"github.com/git-brew/git-brew/internal/app/phase"
	"github.com/git-brew/git-brew/internal/app/session"
	"github.com/git-brew/git-brew/internal/app/steps"
)

// Reviews records verdicts, remarks, verification and escalation.
type Reviews struct {
	*change.Engine
	Next      *next.Next
	Claims    *claim.Claims
	Knowledge *learn.Knowledge
	Phases    *phase.Phases
	Pipelines *steps.Pipelines
	Sessions  *session.Sessions
}
