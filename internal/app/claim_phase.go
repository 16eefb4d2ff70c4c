package app

import (
	"context"
	"errors"

	"github.com/git-brew/git-brew/internal/app/change"
	"github.com/git-brew/git-brew/internal/app/claim"
	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/app/phase"
	"github.com/git-brew/git-brew/internal/operation"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/lease"
	"github.com/git-brew/git-brew/internal/task/route"
)

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
