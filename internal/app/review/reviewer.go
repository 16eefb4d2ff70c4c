// Package review judges work: verification, remarks and boards, verdicts, escalation,
// decisions.
package review

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/git-brew/git-brew/internal/app/change"
	"github.com/git-brew/git-brew/internal/app/claim"
	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/app/journal"
	"github.com/git-brew/git-brew/internal/app/learn"
	"github.com/git-brew/git-brew/internal/app/next"
	"github.com/git-brew/git-brew/internal/app/phase"
	"github.com/git-brew/git-brew/internal/app/session"
	"github.com/git-brew/git-brew/internal/app/steps"
	"github.com/git-brew/git-brew/internal/event"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/rules"
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

// reviewer is who speaks on a board under a name; without one it is the user, whom no
// agent speaks for. A person speaks as whom they like, for a colleague too. An agent's
// session is one voter, and each agent that it started is one more.
func (s *Reviews) reviewer(ctx context.Context, name string) (task.Reviewer, error) {
	who := task.Reviewer{Name: phase.WithoutPlugin(name)}
	if !s.Clone.Caller.Reached().Agent() {
		return who, nil
	}
	if name == "" {
		return who, clone.Invalid("give --reviewer NAME; what is said without is the user's own word",
			"an agent speaks as a reviewer")
	}
	config, err := s.Clone.Repo.Config.Read(ctx)
	if err != nil {
		return who, err
	}
	me, _ := config.Get("user.name")
	isName := func(name string) bool { return strings.EqualFold(name, who.Name) }
	if slices.ContainsFunc(append(strings.Fields(me), "user"), isName) {
		return who, clone.Refuse("an agent takes a name of its own", "%s is a person's name", who.Name)
	}
	if s.Clone.Caller.Session == "" {
		who.Voter = task.VoterID("agent-" + s.Clone.ID) // its shell does not say: all of them here are one
		return who, nil
	}
	who.Voter = task.VoterID(s.Clone.Caller.Session)
	started, err := s.startedAgent(ctx, strings.ToLower(who.Name))
	if started {
		who.Voter += task.VoterID("/" + strings.ToLower(who.Name))
	}
	return who, err
}

// startedAgent reports whether the session started an agent that goes by a name, as
// hooks recorded it: its type, or of several the type with a number, as reviewer-2.
func (s *Reviews) startedAgent(ctx context.Context, name string) (bool, error) {
	kind, number := "", 0
	if at := strings.LastIndexByte(name, '-'); at > 0 {
		kind = name[:at]
		number, _ = strconv.Atoi(name[at+1:])
	}
	found, several := false, map[string]bool{}
	_, err := s.Journal.Events(ctx, journal.EventsRequest{Session: s.Clone.Caller.Session, Type: string(event.AgentStart)},
		func(e event.Event) error {
			agent := strings.ToLower(task.AgentName(e.Agent))
			switch {
			case agent == "" || e.AgentID == "" || e.Session != s.Clone.Caller.Session:
			case agent == name:
				found = true
			case agent == kind:
				several[e.AgentID] = true
			}
			return nil
		})
	return found || number > 1 && number <= len(several), err
}

// checkAgree refuses agents that are not as many as they look: each has one vote.
func (s *Reviews) checkAgree(ctx context.Context, names []string) error {
	by := map[task.VoterID]string{}
	for _, name := range names {
		who, err := s.reviewer(ctx, name)
		if err != nil {
			return err
		}
		if other, taken := by[who.Voter]; taken && who.Voter != "" && !strings.EqualFold(other, name) {
			return clone.Refuse("a sub-agent that this session starts counts, too; 'git brew pause -m REASON' asks the "+
				"user at once",
				"this session can't agree as %s and as %s: it is one agent", other, name)
		}
		by[who.Voter] = name
	}
	return nil
}

// untrusted is the refusal to run commands, by their hashes, that wait for the user's trust.
func (s *Reviews) untrusted(p task.Phase, hashes []string) error {
	add, wait := "'git brew trust add "+strings.Join(hashes, " ")+"'", next.CommandsWait(len(hashes), p)
	if caller := s.Clone.Caller.Reached(); caller.Agent() {
		return clone.Refuse(caller.InTerminal("they look at it with 'git brew trust list', and say so with "+add),
			"%s for the user's trust", wait)
	}
	return clone.Refuse("look at them with 'git brew trust list', then "+add, "%s for your trust", wait)
}

// orUntrusted is the error of an approval that wants a phase verified: where its commands wait
// for trust that is what helps, and 'git brew verify' is not.
func (s *Reviews) orUntrusted(ctx context.Context, t task.Task, p task.Phase, err error) error {
	refusal, is := errors.AsType[*task.RefusedError](err)
	if !is || refusal.Code != task.CodeVerification || !strings.HasPrefix(refusal.Hint, "git brew verify") {
		return err
	}
	hashes, terr := s.Records.UntrustedOf(ctx, rules.VerifyCommands(t, p))
	if terr != nil || len(hashes) == 0 {
		return err
	}
	return s.untrusted(p, hashes)
}
