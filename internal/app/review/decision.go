package review

import (
	"context"
	"strings"

	"github.com/git-brew/git-brew/internal/app/change"
	"github.com/git-brew/git-brew/internal/task"
)

// DecisionRequest is something that was decided.
type DecisionRequest struct {
	Title, Why string
	Rejected   []string // "ALTERNATIVE: why"
	Phase      string   // as people name it; empty: none
	// Supersedes is the decision whose place it takes; empty: none.
	Supersedes string
}

// AddDecision records a decision, in another's place where that is named.
func (s *Reviews) AddDecision(ctx context.Context, id task.ID, r DecisionRequest) (task.Task, task.Decision, error) {
	p := task.DecisionAddPayload{Title: strings.TrimSpace(r.Title), Why: strings.TrimSpace(r.Why)}
	for _, a := range r.Rejected {
		what, why, _ := strings.Cut(a, ": ")
		p.Rejected = append(p.Rejected, task.Alternative{What: strings.TrimSpace(what), Why: strings.TrimSpace(why)})
	}
	after, err := s.Engine.Update(ctx, id, func(ctx context.Context, c *change.Tx) error {
		if r.Phase != "" {
			phase, err := c.Task.FindPhase(r.Phase)
			if err != nil {
				return err
			}
			p.Phase = phase.UID
		}
		if r.Supersedes != "" {
			old, err := c.Task.FindDecision(r.Supersedes)
			if err != nil {
				return err
			}
			p.Supersedes = old.UID
		}
		return c.Do(ctx, change.Op(task.OpDecisionAdd, p))
	})
	if err != nil {
		return after, task.Decision{}, err
	}
	return after, after.Decisions[len(after.Decisions)-1], nil
}

// RevokeDecision says that a decision holds no more, and that nothing takes its
// place.
func (s *Reviews) RevokeDecision(ctx context.Context, id task.ID, arg, reason string) (task.Task, task.Decision,
	error,
) {
	after, err := s.Engine.Update(ctx, id, func(ctx context.Context, c *change.Tx) error {
		d, err := c.Task.FindDecision(arg)
		if err != nil {
			return err
		}
		return c.Do(ctx, change.Op(task.OpDecisionRevoke,
			task.DecisionRevokePayload{Decision: d.UID, Reason: strings.TrimSpace(reason)}))
	})
	if err != nil {
		return after, task.Decision{}, err
	}
	d, err := after.FindDecision(arg)
	return after, d, err
}
