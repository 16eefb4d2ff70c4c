package phase

import (
	"context"

	"github.com/git-brew/git-brew/internal/app/change"
	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/app/records"
	"github.com/git-brew/git-brew/internal/task"
)

// PhaseEditRequest changes what a phase is; what is empty stays. Phases are named
// by the ids that people see.
type PhaseEditRequest struct {
	Title                      string
	Tier                       task.Tier
	Acceptance, NoAcceptance   []string
	Verify, NoVerify           []string
	Agents, NoAgents           []string
	DependsOn, NoLongerDepends []string
}

// EditPhase changes a phase. Only a person takes out what verifies it.
func (s *Phases) EditPhase(ctx context.Context, id task.ID, arg string, r PhaseEditRequest) (PhaseResult, error) {
	if len(r.NoVerify) > 0 {
		if err := s.Clone.Caller.ForPeople("take out what verifies its work",
			"the user can, with 'git brew phase edit'"); err != nil {
			return PhaseResult{}, err
		}
	}
	if err := checkSimple(r.Verify); err != nil {
		return PhaseResult{}, err
	}
	return s.Change(ctx, id, Meant{Arg: arg, Pick: s.Clone.DefaultPhase(task.Phase.InProgress)},
		func(ctx context.Context, c *change.Tx, p task.Phase) ([]string, error) {
			edit := task.PhaseEditPayload{
				Phase: p.UID, Title: r.Title, Tier: r.Tier, AddAcceptance: r.Acceptance, DropAcceptance: r.NoAcceptance,
				AddVerification: r.Verify, DropVerification: r.NoVerify, AddAgents: r.Agents, DropAgents: r.NoAgents,
			}
			for _, list := range []struct {
				ids []string
				to  *[]task.UID
			}{{r.DependsOn, &edit.AddDependsOn}, {r.NoLongerDepends, &edit.DropDependsOn}} {
				found, err := findPhases(c.Task, list.ids)
				if err != nil {
					return nil, err
				}
				*list.to = found
			}
			if err := c.Do(ctx, change.Op(task.OpPhaseEdit, edit)); err != nil {
				return nil, err
			}
			var set []clone.Content
			for _, command := range r.Verify {
				set = append(set, records.CommandContent(command))
			}
			return nil, s.Clone.TrustOwn(ctx, c.Ledger, set...)
		})
}

// DropPhase ends a phase that is not wanted any more, with what belongs to it. An agent
// drops only what nobody has begun, and nothing that verifies work: else it would go
// round the review.
func (s *Phases) DropPhase(ctx context.Context, id task.ID, arg, reason string) (PhaseResult, error) {
	agent := s.Clone.Caller.Reached().Agent()
	return s.Change(ctx, id, Meant{Arg: arg, Pick: s.Clone.DefaultPhase(task.Phase.InProgress)},
		func(ctx context.Context, c *change.Tx, p task.Phase) ([]string, error) {
			if p.Kind == task.KindVerification {
				if err := s.Clone.Caller.ForPeople("drop what verifies its work",
					"the user can, with 'git brew phase drop'"); err != nil {
					return nil, err
				}
			}
			before := c.Task
			if err := c.Do(ctx, change.Op(task.OpPhaseDrop, task.PhaseReasonPayload{Phase: p.UID, Reason: reason})); err != nil {
				return nil, err
			}
			for _, q := range c.Task.Phases {
				was, _ := before.Phase(q.UID)
				if agent && q.Status != was.Status && q.Status == task.PhaseDropped && was.Status != task.PhasePending {
					return nil, clone.Refuse("the user drops it, with 'git brew phase drop "+p.ID+" -m WHY' in a terminal",
						"phase %s is %s; an agent drops only what nobody has begun", q.ID, was.Status)
				}
			}
			return AlongWith(before, c.Task, p.UID), nil
		})
}
