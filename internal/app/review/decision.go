package review

import (
	"context"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/app/codediff"

	"github.com/git-brew/git-brew/internal/app/change"
	"github.com/git-brew/git-brew/internal/ledger"
	"github.com/git-brew/git-brew/internal/operation"
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

// DecisionResult is a decision after a change.
type DecisionResult struct {
	Task     task.Task
	Decision task.Decision
}

// AddDecision records a decision, in another's place where that is named.
func (s *Reviews) AddDecision(ctx context.Context, id task.ID, r DecisionRequest) (DecisionResult, error) {
	uid, err := operation.NewID(s.Clone.Random)
	if err != nil {
		return DecisionResult{}, err
	}
	p := task.DecisionAddPayload{Title: strings.TrimSpace(r.Title), Why: strings.TrimSpace(r.Why)}
	for _, a := range r.Rejected {
		p.Rejected = append(p.Rejected, task.ParseAlternative(a))
	}
	return s.decided(ctx, id, uid, func(ctx context.Context, c *change.Tx) error {
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
		return c.Do(ctx, ledger.Draft{ID: uid, Kind: task.OpDecisionAdd, Payload: p})
	})
}

// RevokeDecision says that a decision holds no more, and that nothing takes its
// place.
func (s *Reviews) RevokeDecision(ctx context.Context, id task.ID, arg, reason string) (DecisionResult, error) {
	d, err := s.Decision(ctx, id, arg)
	if err != nil {
		return d, err
	}
	uid := d.Decision.UID
	return s.decided(ctx, id, uid, func(ctx context.Context, c *change.Tx) error {
		return c.Do(ctx, change.Op(task.OpDecisionRevoke,
			task.DecisionRevokePayload{Decision: uid, Reason: strings.TrimSpace(reason)}))
	})
}

// decided changes the task's decisions, and returns the one named uid.
func (s *Reviews) decided(ctx context.Context, id task.ID, uid task.UID,
	decide func(ctx context.Context, c *change.Tx) error,
) (DecisionResult, error) {
	after, err := s.Engine.Update(ctx, id, decide)
	if err != nil {
		return DecisionResult{}, err
	}
	d, err := after.FindDecision(after.DecisionID(uid))
	return DecisionResult{Task: after, Decision: d}, err
}

// Decision finds a decision of a task.
func (s *Reviews) Decision(ctx context.Context, id task.ID, arg string) (DecisionResult, error) {
	t, err := s.Records.Task(ctx, id)
	if err != nil {
		return DecisionResult{}, err
	}
	d, err := t.FindDecision(arg)
	return DecisionResult{Task: t, Decision: d}, err
}

// unchanged notes that a phase which is approved changed no file since it was
// started: that may be as it should, and nobody should learn it from the diff alone.
// What looks or finds out changes none; where nobody can tell, nothing is said.
func (s *Reviews) unchanged(ctx context.Context, t task.Task, p task.Phase) []string {
	if p.StartCommit == "" || !slices.Contains(task.WorkKinds, p.Kind) {
		return nil
	}
	r, err := s.Code.ReviewRange(ctx, t, p)
	if err != nil || len(r.Missing) > 0 || slices.ContainsFunc(r.Files,
		func(f codediff.ReviewFile) bool { return f.Status != "" }) {
		return nil
	}
	return []string{"phase " + p.ID + " changed no file since it was started"}
}
