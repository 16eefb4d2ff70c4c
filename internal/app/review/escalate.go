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
	"github.com/git-brew/git-brew/internal/knowledge"
	"github.com/git-brew/git-brew/internal/ledger"
	"github.com/git-brew/git-brew/internal/operation"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/route"
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

// Rung is a rung of the ladder in force for a phase, and why it can't be taken
// now; nil: it can.
type Rung struct {
	rules.Rung
	Closed error
}

// EscalationResult is a phase, and the ladder it stands on.
type EscalationResult struct {
	phase.PhaseResult
	Next   route.Step
	Ladder task.LadderName
	// Iterations is how often its work began since its last escalation, Total how
	// often altogether, verifications counted.
	Iterations, Total int
	Rungs             []Rung
}

// Escalation tells where a phase stands on the ladder, and which rungs are open
// to it.
func (s *Reviews) Escalation(ctx context.Context, id task.ID, arg string, agreed []string) (EscalationResult, error) {
	var r EscalationResult
	t, p, err := s.Phases.NamedPhase(ctx, id, arg, s.Clone.DefaultPhase(task.Phase.InProgress))
	if err != nil {
		return r, err
	}
	ladder, err := s.Phases.Ladder(ctx)
	if err != nil {
		return r, err
	}
	p = t.WorkOf(p)
	r.Task, r.Phase, r.Next, r.Ladder = t, p, s.Next.Step(ctx, t), ladder.Name
	r.Iterations, r.Total = rules.SinceEscalation(t, p), rules.Attempts(t, p)
	for _, rung := range ladder.For(p) {
		r.Rungs = append(r.Rungs, Rung{rung, rung.Open(t, p, agreed)})
	}
	return r, nil
}

// Escalate takes a phase a rung up, and does what the rung says.
func (s *Reviews) Escalate(ctx context.Context, id task.ID, r EscalateRequest) (phase.PhaseResult, error) {
	ladder, err := s.Phases.Ladder(ctx)
	if err != nil {
		return phase.PhaseResult{}, err
	}
	t, p, err := s.Phases.NamedPhase(ctx, id, r.Phase, s.Clone.DefaultPhase(task.Phase.InProgress))
	if err != nil {
		return phase.PhaseResult{}, err
	}
	if err := s.checkAgree(ctx, r.Agreed); err != nil {
		return phase.PhaseResult{}, err
	}
	return s.Phases.Change(ctx, id, phase.Meant{UID: t.WorkOf(p).UID},
		func(ctx context.Context, c *change.Tx, p task.Phase) ([]string, error) {
			rung, err := ladder.Rung(p, r.Action)
			if err == nil {
				err = rung.Open(c.Task, p, r.Agreed)
			}
			if err != nil {
				return nil, err
			}
			does, err := r.drafts(s, p)
			if err != nil {
				return nil, err
			}
			up := ledger.Draft{Kind: task.OpPhaseEscalate, Payload: task.EscalatePayload{
				Phase: p.UID, Action: r.Action, Ladder: ladder.Name, Reason: r.Reason, Agreed: r.Agreed,
			}}
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
func (r EscalateRequest) drafts(s *Reviews, p task.Phase) (all []ledger.Draft, err error) {
	if err := r.fits(); err != nil {
		return nil, err
	}
	kind, titles := task.KindSplit, r.Into
	edit := task.PhaseEditPayload{Phase: p.UID}
	switch r.Action {
	case task.ActionResearch:
		kind, titles = task.KindResearch, []string{phase.CutTitle("Find out why: " + p.Title)}
	case task.ActionUpgrade:
		if edit.Tier = cmp.Or(r.Tier, p.Tier.Above()); edit.Tier == "" || edit.Tier == p.Tier {
			return nil, clone.Refuse("choose another action", "phase %s has the tier %s already", p.ID, p.Tier)
		}
	case task.ActionReassign:
		has := func(in []string) func(string) bool { return func(a string) bool { return slices.Contains(in, a) } }
		edit.AddAgents = slices.DeleteFunc(slices.Clone(r.Agents), has(p.Agents))
		edit.DropAgents = slices.DeleteFunc(slices.Clone(p.Agents), has(r.Agents))
		if edit.Empty() {
			return nil, clone.Refuse("name another one with --agent", "phase %s is assigned to %s already", p.ID,
				strings.Join(r.Agents, ", "))
		}
	case task.ActionAsk:
		pause := task.PausePayload{Cause: task.CauseWaiting, Reason: "phase " + p.ID + ": " + r.Reason}
		return []ledger.Draft{{Kind: task.OpPause, Payload: pause}}, nil
	case task.ActionSplit:
	}
	if !edit.Empty() {
		return []ledger.Draft{{Kind: task.OpPhaseEdit, Payload: edit}}, nil
	}
	for _, title := range titles {
		uid, err := operation.NewID(s.Clone.Random)
		if err != nil {
			return nil, err
		}
		add := task.PhaseAddPayload{Title: title, Kind: kind, Parent: p.UID}
		all = append(all, ledger.Draft{ID: uid, Kind: task.OpPhaseAdd, Payload: add})
	}
	return all, nil
}

// fits reports what an action lacks, or what is another action's.
func (r EscalateRequest) fits() error {
	for _, option := range []struct {
		of          task.EscalationAction
		flag        string
		given, need bool
		lacks, hint string
	}{
		{
			task.ActionSplit, "--into", len(r.Into) > 0, len(r.Into) < 2, "a phase is split into two parts or more",
			"give --into TITLE for each part",
		},
		{
			task.ActionReassign, "--agent", len(r.Agents) > 0, len(r.Agents) == 0, "--action reassign needs an agent",
			"give --agent NAME",
		},
		{task.ActionUpgrade, "--tier", r.Tier != "", false, "", ""},
		{
			task.ActionAsk, "-m", false, strings.TrimSpace(r.Reason) == "", "--action ask needs a question",
			"give -m with the question",
		},
	} {
		switch {
		case option.of == r.Action && option.need:
			return clone.Invalid(option.hint, "%s", option.lacks)
		case option.of != r.Action && option.given:
			return clone.Invalid("leave it out", "%s is for --action %s", option.flag, option.of)
		}
	}
	return nil
}

// escalationNotes tell what an escalation made.
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
		drafts := []ledger.Draft{{
			Kind:    task.OpPhaseError,
			Payload: task.AgentErrorPayload{Phase: phase, Iteration: p.Iteration, Agent: agent, Text: text},
		}}
		if text != "" {
			drafts = append(drafts, s.avoidDraft(agent, p, text)...)
		}
		if p.Errors+1 >= task.MaxErrors {
			drafts = append(drafts, ledger.Draft{Kind: task.OpPhaseFail, Payload: task.PhaseReasonPayload{
				Phase: phase, MustEscalate: ladder.Reached(c.Task, c.Task.WorkOf(p)),
				Reason: strings.TrimSuffix(fmt.Sprintf("%s ended with an error %d times: %s", agent, p.Errors+1, text), ": "),
			}})
		}
		err := c.Do(ctx, drafts...)
		after, _ = c.Task.Phase(phase)
		return err
	})
	return after, err
}

// avoidDraft keeps what an agent failed with as something to avoid, if it is
// worth an entry.
func (s *Reviews) avoidDraft(agent string, p task.Phase, text string) []ledger.Draft {
	e, err := s.Knowledge.Entry(knowledge.Entry{
		T:   knowledge.Avoid,
		Txt: fmt.Sprintf("%s ended with an error in %q: %s", agent, p.Title, text), Src: agent,
	})
	if err == nil {
		e.ID, err = operation.NewID(s.Clone.Random)
	}
	if err != nil {
		return nil
	}
	return []ledger.Draft{learn.AddDraft(e)}
}
