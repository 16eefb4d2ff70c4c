package run

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/worker"
)

// heartbeat is how often a run tells of workers that are at work.
const heartbeat = 30 * time.Second

// loop begins what can be done, and goes on with what was, until there is nothing left.
func (r *run) loop(ctx context.Context) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	var told time.Time // until when all workers wait
	beat := time.NewTicker(heartbeat)
	defer beat.Stop()
	for {
		if err := r.begin(ctx); err != nil {
			return err
		}
		var wake <-chan time.Time
		if r.until = (time.Time{}); r.busy() == 0 {
			if r.over != nil {
				r.isOver()
				return r.over
			}
			until, waits := r.nextWake()
			if !waits {
				return r.leftOver()
			}
			if told != until {
				r.tell(Event{Kind: Parked, Until: until})
				told = until
			}
			r.until, wake = until, time.After(until.Sub(r.s.Clone.Now()))
		}
		if err := r.wait(ctx, wake, beat.C); err != nil {
			return err
		}
	}
}

// busy counts what is done beside the loop.
func (r *crew) busy() (n int) {
	for _, j := range r.jobs {
		if r.isBusy(j) {
			n++
		}
	}
	if r.looking != nil {
		n++
	}
	return n
}

// beside does something that the loop hears of when it is done. What has the job stopped, ends
// it.
func (r *run) beside(ctx context.Context, j *job, do func(ctx context.Context) result) {
	ctx, stop := context.WithCancel(ctx)
	j.stop = stop
	res := result{job: j}
	go func() {
		defer func() {
			if p := recover(); p != nil { // a crash exits with 2
				res.err = fmt.Errorf("internal error: %v", p)
			}
			r.done <- res
			stop()
		}()
		came := do(ctx)
		came.job = j
		res = came
	}()
}

// maxErrors is how often a check of a phase's work may end with an error before the phase fails:
// what a worker did to its tree is no end of the run.
const maxErrors = 3

// handle goes on with what came of a turn, or of a check of its work.
func (r *run) handle(ctx context.Context, res result) error {
	j := res.job
	if res.tell != nil {
		if res.tell.Kind == Working {
			j.until, j.since = time.Time{}, r.s.Clone.Now()
		}
		r.tell(*res.tell)
		return nil
	}
	if r.looking == j {
		if r.looking = nil; ctx.Err() != nil {
			r.noteEnded(res)
			return ctx.Err()
		}
		return r.afterLook(ctx, j, res)
	}
	j.working = false
	if r.proving == j {
		r.proving = nil
	}
	if j.gone == "" && r.isMissing(j) {
		r.leave(j, treeGone)
	}
	if err := cmp.Or(r.intact(), r.heed(ctx)); err != nil || j.gone != "" {
		j.asked = nil
		r.noteEnded(res)
		r.forget(j)
		return err
	}
	if res.err != nil {
		if ctx.Err() != nil {
			r.noteEnded(res)
			return ctx.Err()
		}
		if missing, is := errors.AsType[notRunError](res.err); is {
			return r.afterNotRun(ctx, res, missing)
		}
		if j.asked != nil {
			return r.afterDecision(ctx, j, decision{})
		}
		if j.errors++; res.turn == nil && j.errors < maxErrors { // a git that was killed, perhaps
			r.queue = append(r.queue, j)
			return nil
		}
		return r.giveUp(ctx, j, "its work can't be checked: "+res.err.Error())
	}
	switch {
	case res.turn != nil:
		return r.afterTurn(ctx, j, *res.turn)
	case res.decision != nil:
		return r.afterDecision(ctx, j, *res.decision)
	}
	return r.afterProof(ctx, j, *res.proof)
}

// afterNotRun has the run begin nothing any more.
func (r *run) afterNotRun(ctx context.Context, res result, why notRunError) error {
	r.over = why.error
	r.forget(res.job)
	if res.turn == nil {
		return nil
	}
	return r.noteTurn(ctx, res.job, *res.turn, task.TurnStopped, res.turn.Failure)
}

// drain waits for what is done beside the loop, which was told to end.
func (r *run) drain() {
	for r.busy() > 0 {
		res := <-r.done
		if res.tell != nil {
			continue
		}
		res.job.working, res.job.asked = false, nil
		if r.proving == res.job {
			r.proving = nil
		}
		if r.looking == res.job {
			r.looking = nil
		}
		r.noteEnded(res)
	}
}

// noteEnded records a turn that ended as the run did: what was through counts as it ended, the
// others as stopped. Where the lock is lost, nothing is recorded any more.
func (r *run) noteEnded(res result) {
	spoiled := r.broken != nil || res.job.gone == treeGone // what failed then is no fault of its own
	ctx, through := context.Background(), res.err == nil && !spoiled
	turn := task.Turn{Outcome: task.TurnStopped, Reason: cmp.Or(res.job.gone, "the run was ended")}
	p, d, v := res.proof, res.decision, res.view
	var err error
	switch {
	case res.turn != nil:
		outcome, why := outcomeOf(*res.turn)
		if said := signalOf(outcome) != worker.None || outcome == task.TurnLimited; through || said && res.err == nil {
			turn.Outcome, turn.Reason = outcome, why
		}
		turn.Cost = costOf(*res.turn)
		err = r.noteTurn(ctx, res.job, *res.turn, turn.Outcome, turn.Reason)
	case p != nil && p.by == task.ByReview && p.client != "":
		if through && p.outcome != task.TurnLimited {
			turn.Outcome, turn.Reason = cmp.Or(p.outcome, task.TurnPassed), p.why
		}
		turn.By, turn.Client, turn.Commit, turn.Cost = p.by, p.client, p.tip, p.cost
		err = r.note(ctx, res.job, turn)
	case d != nil && d.client != "":
		if through && d.action == retry {
			turn.Outcome, turn.Reason = task.TurnRetried, d.reason
		}
		turn.By, turn.Client, turn.Cost = d.by, d.client, d.cost
		err = r.note(ctx, res.job, turn)
	case v != nil && v.client != "":
		if of := v.turn(); through {
			turn = of
		} else {
			turn.By, turn.Client, turn.Cost = of.By, of.Client, of.Cost
		}
		err = r.note(ctx, res.job, turn)
	}
	if err != nil {
		r.ended.Cost = r.ended.Cost.Plus(turn.Cost) // it was spent nevertheless
	}
}
