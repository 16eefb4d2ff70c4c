package app

import (
	"context"
	"errors"
	"slices"

	"github.com/git-brew/git-brew/internal/app/change"
	"github.com/git-brew/git-brew/internal/app/claim"
	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/app/overlap"
	"github.com/git-brew/git-brew/internal/app/phase"
	"github.com/git-brew/git-brew/internal/app/steps"
	"github.com/git-brew/git-brew/internal/operation"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/lease"
	"github.com/git-brew/git-brew/internal/task/question"
	"github.com/git-brew/git-brew/internal/task/route"
	"github.com/git-brew/git-brew/internal/task/rules"
)

// NextResult is what comes next for a task.
type NextResult struct {
	Task task.Task
	Step route.Step
	// Plan is how the step is taken, where somebody asked; see StepPlan.
	Plan steps.StepPlan
	// Overlap is what the task's branch meets of other tasks', where somebody asked; nil: nobody
	// looked.
	Overlap *overlap.Seen
	// Ready are the phases whose work can begin now. What somebody works on
	// is not among them (S-16), and nothing is while the task itself waits.
	Ready []task.Phase
	// UnderWay are the phases that are worked on.
	UnderWay []task.Phase
	asked    func(route.Step) route.Step
}

// Begin is what comes next for whoever takes one of the phases that are ready.
func (r NextResult) Begin(p task.Phase) route.Step { return r.asked(route.Begin(r.Task, p)) }

// WorkOn is what comes next for whoever works on one that is under way.
func (r NextResult) WorkOn(p task.Phase) route.Step { return r.asked(route.WorkOn(r.Task, p.UID)) }

// Next asks the routing table, for the caller's own phase where it claimed one
// (task.NextFor). Else it reads the task's snapshot alone, so the task has no
// knowledge, and the answer is the one that was given with all that it has.
func (s *Work) Next(ctx context.Context, id task.ID) (NextResult, error) {
	if err := task.CheckWorker(s.Clone.Caller.Worker); err != nil {
		return NextResult{}, err
	}
	b, _, err := s.Records.Brief(ctx, id)
	if err != nil {
		return NextResult{}, err
	}
	asked := func(step route.Step) route.Step { return s.next.AskedBy(ctx, b.Task, step) }
	r := NextResult{Task: b.Task, Step: asked(b.Next)}
	if who := s.Clone.Caller.Whose(); who.Worker != "" || len(route.Own(b.Task, who)) > 0 {
		t, err := s.Records.Task(ctx, id)
		if err != nil {
			return NextResult{}, err
		}
		r = s.nextOf(ctx, t)
	}
	r.asked = asked
	if b.Task.Status != task.InProgress {
		return r, nil
	}
	r.UnderWay = route.WorkedOn(b.Task)
	if len(b.Task.OpenHooks()) == 0 {
		r.Ready = slices.DeleteFunc(route.Ready(b.Task), func(p task.Phase) bool {
			return b.Held && p.Kind != task.KindResearch
		})
	}
	return r, nil
}

func (s *Work) nextOf(ctx context.Context, t task.Task) NextResult {
	step := s.next.Unasked(ctx, t)
	r := NextResult{Task: t, Step: s.next.AskedBy(ctx, t, step)}
	if r.Step.Skip != "" && step != route.Next(t) { // what is passed over is a step of the task
		r.Step.Skip = ""
	}
	return r
}

// SkipStep records that the step which comes next is passed over, where the
// routing table lets it be. Questions that stay open are named in the record.
func (s *Work) SkipStep(ctx context.Context, id task.ID, step, reason string) (NextResult, error) {
	after, err := s.Engine.Update(ctx, id, func(ctx context.Context, c *change.Tx) error {
		if err := s.documents.LookAtPlan(ctx, c); err != nil {
			return err
		}
		p := task.SkipPayload{Passed: route.PassedNext(c.Task), Reason: reason}
		p.Step = step
		if step == task.StepClarify && c.Task.HasDoc(task.DocContext) {
			context, err := s.Records.Document(ctx, c.Task, task.DocContext)
			if err != nil {
				return err
			}
			p.Questions = rules.QuestionTexts(question.ParseQuestions(context.Text))
		}
		if err := route.CheckSkip(c.Task, p); err != nil {
			return err
		}
		return c.Do(ctx, change.Op(task.OpStepSkip, p))
	})
	if err != nil {
		return NextResult{}, err
	}
	return s.nextOf(ctx, after), nil
}

// ClaimResult is the phase that a worker has got.
type ClaimResult struct {
	phase.PhaseResult
	// Next is what comes next on the phase.
	Next route.Step
	// From is who had claimed the phase and left it; "" for nobody.
	From string
	// Again: it is the phase that this worker had already.
	Again bool
}

// ClaimPhase gives a worker a phase to work on, and no other worker the same
// one (S-11): its own, where it is named and has one under way; else the next
// one that is ready, which is started; else one that was claimed and left
// (S-39). A worker works under the task's lock: it is taken where it is free,
// as a start does, and whoever does not hold it is refused.
func (s *Work) ClaimPhase(ctx context.Context, id task.ID, worker string) (ClaimResult, error) {
	var r ClaimResult
	won, err := s.lockForClaim(ctx, id, worker)
	if err != nil {
		return r, err
	}
	var last claim.Claimed
	after, err := s.Engine.Update(ctx, id, func(ctx context.Context, c *change.Tx) error {
		r, last = ClaimResult{}, won
		if err := s.claims.Take(ctx, c, false, &last); err != nil {
			return err
		}
		p, again, err := s.claimable(c, c.Lock, worker)
		if err != nil {
			return err
		}
		r.Phase, r.Again, r.Notes = p, again, last.Notes(s.claims)
		switch {
		case again:
			return nil
		case p.Status == task.PhaseInProgress:
			r.From = p.Claim.By()
			return c.Do(ctx, change.Op(task.OpPhaseClaim, task.ClaimPayload{Phase: p.UID, Worker: worker, From: p.Claim.UID}))
		}
		notes, err := s.phases.StartIn(ctx, c, p, task.PhasePayload{Claimed: true, Worker: worker})
		r.Notes = append(r.Notes, notes...)
		return err
	})
	if err != nil {
		return r, err
	}
	r.Task, r.Next = after, s.next.AskedBy(ctx, after, route.WorkOn(after, r.Phase.UID))
	r.Phase, _ = after.Phase(r.Phase.UID)
	return r, nil
}

// lockForClaim asks the arbiter for the lock, where the caller has it not.
func (s *Work) lockForClaim(ctx context.Context, id task.ID, worker string) (claim.Claimed, error) {
	l, err := s.Records.LockBrief(ctx, id)
	if err != nil && !errors.Is(err, lease.ErrBadLock) {
		return claim.Claimed{}, err
	}
	if l.Held && s.Locks.Allows(l) == nil {
		return claim.Claimed{}, nil
	}
	return s.claims.Decide(ctx, id, false, func(c *change.Tx) error {
		mine := c.Lock
		if !mine.Held || s.Locks.Stale(mine) { // as it will be
			mine.Held, mine.Fence, mine.Session, mine.AcquiredAt = true, operation.MaxClock, s.Clone.Caller.Session,
				s.Clone.Timestamp()
		}
		_, _, err := s.claimable(c, mine, worker)
		return err
	}, nil)
}

// claimable is the phase that a worker gets under a lock; again: it has it already.
func (s *Work) claimable(c *change.Tx, l lease.Lock, worker string) (p task.Phase, again bool, err error) {
	if p, ok := route.ClaimedBy(c.Task, worker); ok && c.Task.Status == task.InProgress {
		return p, true, nil
	}
	free := route.Claimable(c.Task, l, s.Clone.Now())
	if len(free) == 0 && c.Task.Status == task.InProgress {
		free = route.Due(c.Task) // what holds up all work, its start says
	}
	if len(free) > 0 {
		return free[0], false, nil
	}
	return task.Phase{}, false, s.noneFree(c)
}

// noneFree says why no phase can be claimed.
func (s *Work) noneFree(c *change.Tx) error {
	next := route.Next(c.Task)
	if next.Step == task.StepStart || c.Task.Status == task.Paused {
		return clone.Refuse("git brew start", "no phase can be claimed: %s", next.Reason)
	}
	if busy := route.WorkedOn(c.Task); len(busy) > 0 {
		return clone.Refuse("ask again when one is done", "no phase can be claimed: worked on are %s",
			route.NamedUnderWay(busy, "and"))
	}
	return clone.Refuse("see 'git brew next'", "no phase can be claimed: %s", next.Reason)
}
