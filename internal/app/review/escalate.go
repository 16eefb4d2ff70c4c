package review

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/app/change"
	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/app/learn"
	"github.com/git-brew/git-brew/internal/app/phase"
	"github.com/git-brew/git-brew/internal/invisible"
	"github.com/git-brew/git-brew/internal/knowledge"
	"github.com/git-brew/git-brew/internal/ledger"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/rules"
)

// EscalateRequest takes a phase up the ladder.
type EscalateRequest struct {
	Phase  string // the current one where empty; of a fix or a verification, what it belongs to
	Action task.EscalationAction
	// Agreed are the agents that want it.
	Agreed []string
	// Reason is why; of ask it is the question.
	Reason string
	// Tier is what upgrade leads to, the one above where empty.
	Tier task.Tier
	// Agents are who reassign gives the phase to.
	Agents []string
	// Into are the titles of the parts that split makes.
	Into []string
}

// Escalation tells the phase that is named, or whose work that is part of, and the ladder in
// force for it.
func (s *Reviews) Escalation(ctx context.Context, id task.ID, arg string) (
	t task.Task, p task.Phase, ladder rules.Ladder, err error,
) {
	if t, p, err = s.Phases.NamedPhase(ctx, id, arg, s.Clone.DefaultPhase(task.Phase.InProgress)); err != nil {
		return t, p, ladder, err
	}
	ladder, err = s.Phases.Ladder(ctx)
	return t, t.WorkOf(p), ladder, err
}

// Escalate takes a phase a rung up, and does what the rung says.
func (s *Reviews) Escalate(ctx context.Context, id task.ID, r EscalateRequest) (phase.PhaseResult, error) {
	_, p, ladder, err := s.Escalation(ctx, id, r.Phase)
	if err != nil {
		return phase.PhaseResult{}, err
	}
	if err := s.checkAgree(ctx, r.Agreed); err != nil {
		return phase.PhaseResult{}, err
	}
	return s.Phases.Change(ctx, id, phase.Meant{UID: p.UID},
		func(ctx context.Context, c *change.Tx, p task.Phase) ([]string, error) {
			rung, err := ladder.Rung(p, r.Action)
			if err == nil {
				err = rung.Open(c.Task, p, r.Agreed)
			}
			if err != nil {
				return nil, err
			}
			does, err := r.drafts(p)
			if err != nil {
				return nil, err
			}
			up := change.Op(task.OpPhaseEscalate, task.EscalatePayload{
				Phase: p.UID, Action: r.Action, Ladder: ladder.Name, Reason: r.Reason, Agreed: r.Agreed,
			})
			before := c.Task
			if err := c.Do(ctx, append([]ledger.Draft{up}, does...)...); err != nil {
				return nil, err
			}
			if r.Action == task.ActionAsk {
				if err := s.Claims.Release(ctx, c); err != nil {
					return nil, err
				}
			}
			return escalationNotes(before, c.Task, p.UID), nil
		})
}

// drafts are the operations of an action, without the escalation itself.
func (r EscalateRequest) drafts(p task.Phase) ([]ledger.Draft, error) {
	for _, option := range []struct {
		of    task.EscalationAction
		flag  string
		given bool
	}{
		{task.ActionSplit, "--into", len(r.Into) > 0},
		{task.ActionReassign, "--agent", len(r.Agents) > 0},
		{task.ActionUpgrade, "--tier", r.Tier != ""},
	} {
		if option.given && option.of != r.Action {
			return nil, clone.Invalid("leave it out", "%s is for --action %s", option.flag, option.of)
		}
	}
	edit := task.PhaseEditPayload{Phase: p.UID}
	switch r.Action {
	case task.ActionResearch:
		return adding(p, task.KindResearch, invisible.CutBytes("Find out why: "+p.Title, task.MaxTitle)), nil
	case task.ActionSplit:
		if len(r.Into) < 2 {
			return nil, clone.Invalid("give --into TITLE for each part", "a phase is split into two parts or more")
		}
		return adding(p, task.KindSplit, r.Into...), nil
	case task.ActionUpgrade:
		if edit.Tier = cmp.Or(r.Tier, p.Tier.Above()); edit.Tier == "" || edit.Tier == p.Tier {
			return nil, clone.Refuse("choose another action", "phase %s has the tier %s already", p.ID, p.Tier)
		}
	case task.ActionReassign:
		if len(r.Agents) == 0 {
			return nil, clone.Invalid("give --agent NAME", "--action reassign needs an agent")
		}
		has := func(in []string) func(string) bool { return func(a string) bool { return slices.Contains(in, a) } }
		edit.AddAgents = slices.DeleteFunc(slices.Clone(r.Agents), has(p.Agents))
		edit.DropAgents = slices.DeleteFunc(slices.Clone(p.Agents), has(r.Agents))
		if edit.Empty() {
			return nil, clone.Refuse("name another one with --agent", "phase %s is assigned to %s already", p.ID,
				strings.Join(r.Agents, ", "))
		}
	case task.ActionAsk:
		if strings.TrimSpace(r.Reason) == "" {
			return nil, clone.Invalid("give -m with the question", "--action ask needs a question")
		}
		return []ledger.Draft{change.Op(task.OpPause,
			task.PausePayload{Cause: task.CauseWaiting, Reason: "phase " + p.ID + ": " + r.Reason})}, nil
	}
	return []ledger.Draft{change.Op(task.OpPhaseEdit, edit)}, nil
}

func adding(p task.Phase, kind task.PhaseKind, titles ...string) (all []ledger.Draft) {
	for _, title := range titles {
		all = append(all, change.Op(task.OpPhaseAdd, task.PhaseAddPayload{Title: title, Kind: kind, Parent: p.UID}))
	}
	return all
}

func escalationNotes(before, after task.Task, uid task.UID) []string {
	var notes []string
	for _, p := range after.Phases {
		if _, known := before.Phase(p.UID); !known {
			notes = append(notes, "phase "+p.ID+" "+p.Title)
		}
	}
	was, _ := before.Phase(uid)
	is, _ := after.Phase(uid)
	if was.Tier != is.Tier {
		notes = append(notes, fmt.Sprintf("tier %s -> %s", was.Tier, is.Tier))
	}
	if !slices.Equal(was.Agents, is.Agents) {
		notes = append(notes, "assigned to "+strings.Join(is.Agents, ", "))
	}
	if before.Status != after.Status {
		notes = append(notes, "the task waits for an answer; its lock is free, and 'git brew start' goes on")
	}
	return append(notes, phase.AlongWith(before, after, uid)...)
}

// AgentFailed records that an agent ended with an error while it worked on a
// phase (BC-52): what it said is kept as something to avoid, and with the second
// error of an iteration the phase fails, to be escalated where the ladder has a
// rung for it, else to be tried again. It gives the phase
// after that; without a UID: nobody works on it. text is one line, without
// secrets.
func (s *Reviews) AgentFailed(ctx context.Context, id task.ID, phase task.UID, agent, text string) (task.Phase, error) {
	if err := s.Sessions.Adopt(ctx, id); err != nil {
		return task.Phase{}, err
	}
	ladder, err := s.Phases.Ladder(ctx)
	if err != nil {
		return task.Phase{}, err
	}
	var after task.Phase
	_, err = s.Engine.Update(ctx, id, func(ctx context.Context, c *change.Tx) error {
		p, ok := c.Task.Phase(phase)
		if !ok || p.Status != task.PhaseInProgress {
			return nil
		}
		drafts := []ledger.Draft{change.Op(task.OpPhaseError,
			task.AgentErrorPayload{Phase: phase, Iteration: p.Iteration, Agent: agent, Text: text})}
		avoid, err := s.Knowledge.Entry(knowledge.Entry{
			T: knowledge.Avoid, Src: agent,
			Txt: fmt.Sprintf("%s ended with an error in %q: %s", agent, p.Title, text),
		})
		if text != "" && err == nil { // else it is not worth an entry
			drafts = append(drafts, learn.AddDraft(avoid))
		}
		if p.Errors+1 >= task.MaxErrors {
			why := task.WithReason(fmt.Sprintf("%s ended with an error %d times", agent, p.Errors+1), text)
			drafts = append(drafts, change.Op(task.OpPhaseFail, task.PhaseReasonPayload{
				Phase: phase, MustEscalate: ladder.Reached(c.Task, c.Task.WorkOf(p)), Reason: why,
			}))
		}
		err = c.Do(ctx, drafts...)
		after, _ = c.Task.Phase(phase)
		return err
	})
	return after, err
}
