package app

import (
	"context"
	"fmt"

	"github.com/git-brew/git-brew/internal/app/change"
	"github.com/git-brew/git-brew/internal/app/claim"
	"github.com/git-brew/git-brew/internal/app/config"
	"github.com/git-brew/git-brew/internal/app/exchange"
	"github.com/git-brew/git-brew/internal/app/learn"
	"github.com/git-brew/git-brew/internal/app/next"
	"github.com/git-brew/git-brew/internal/app/phase"
	"github.com/git-brew/git-brew/internal/app/texts"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/lease"
	"github.com/git-brew/git-brew/internal/task/report"
	"github.com/git-brew/git-brew/internal/task/route"
)

// Result is a task that was changed.
type Result struct {
	Task task.Task
	// Notes are remarks for the person: whose lock was taken over, which steps were left
	// behind, which reports are missing.
	Notes []string
}

// StartResult is a task that was started, and its lock.
type StartResult struct {
	Result
	From task.Status
	Lock claim.LockView
}

// Start takes the lock and sets the task in progress: in one step, where this
// clone decides for itself; else the arbiter decides first, and nothing is
// recorded of a start that it refused: what the start does goes to it with the claim,
// so that whoever sees the lock sees the task in progress. Restart leaves a terminal status; steal
// takes the lock from a live holder.
func (s *Work) Start(ctx context.Context, id task.ID, restart, steal bool) (StartResult, error) {
	var r StartResult
	won, err := s.claims.Decide(ctx, id, steal, func(c *change.Tx) error {
		return claim.May(c.Task, task.OpStart, task.StartPayload{Restart: restart})
	}, func(ctx context.Context, c *change.Tx, won claim.Claimed) error { return startIn(ctx, c, restart, won) })
	if err != nil {
		return r, err
	}
	var lock lease.Lock
	var last claim.Claimed
	var was task.Task
	after, err := s.Engine.Update(ctx, id, func(ctx context.Context, c *change.Tx) error {
		r, last, was = StartResult{From: c.Task.Status}, won, c.Task
		if err := s.claims.Take(ctx, c, steal, &last); err != nil {
			return err
		}
		lock = c.Lock
		if came, err := s.exchange.Came(ctx, c, won.Begun); came || err != nil {
			if came {
				r.From, was = won.Begun.Before.Status, won.Begun.Before
			}
			return err
		}
		err := startIn(ctx, c, restart, last)
		lock = c.Lock
		return err
	})
	if err != nil {
		return r, err
	}
	if !goesOn(was, after) {
		s.Engine.Last = change.LastChange{} // it only went on: undo has nothing to take back
	}
	r.Notes = last.Notes(s.claims)
	if len(after.Phases) == 0 {
		r.Notes = append(r.Notes, "the task has no phases yet")
	}
	r.Task = after
	r.Lock, err = s.claims.LockView(ctx, id, lock)
	return r, err
}

// startIn sets the task in progress, under a lock that was taken. A person takes nothing from a
// session that is at work, nor is it recorded.
func startIn(ctx context.Context, c *change.Tx, restart bool, won claim.Claimed) error {
	if kept := c.Lock.Held && c.Lock.Session != "" && c.Engine.Clone.Caller.Session == ""; kept &&
		c.Task.Status == task.InProgress {
		return nil
	}
	p := task.StartPayload{Restart: restart}
	if won.Over.Held {
		p.TookFrom = won.Over.Holder()
	}
	return c.Do(ctx, change.Op(task.OpStart, p))
}

// PauseResult is a task that was paused.
type PauseResult struct {
	Result
	Missing []string // paths of reports that the current phase still owes
}

// HandoffSource is the source of the entries that a hand-off writes.
const HandoffSource = "pre-compact"

// Pause stops the work on a task. What waits says for what; else whoever likes goes on,
// and finds the iteration's summary, and knowledge compacted where that was due. The
// lock is released, but where an agent's context is compacted, whose session goes on.
func (s *Work) Pause(ctx context.Context, id task.ID, cause task.Cause, reason string) (PauseResult, error) {
	var r PauseResult
	set, err := s.Config.Settings(ctx)
	if err != nil {
		return r, err
	}
	after, err := s.Engine.Update(ctx, id, func(ctx context.Context, c *change.Tx) error {
		r = PauseResult{}
		if c.Task.Status == task.InProgress && cause != task.CauseWaiting {
			if r, err = s.prepare(ctx, c, set, cause); err != nil {
				return err
			}
		}
		if err := c.Do(ctx, change.Op(task.OpPause, task.PausePayload{Cause: cause, Reason: reason})); err != nil {
			return err
		}
		if cause == task.CauseCompaction {
			return nil
		}
		return s.claims.Release(ctx, c)
	})
	r.Task = after
	return r, err
}

// prepare gets a task ready for whoever goes on without this context.
func (s *Work) prepare(ctx context.Context, c *change.Tx, set *config.Settings, cause task.Cause) (PauseResult, error) {
	var r PauseResult
	where := "no phase"
	if p, ok := c.Task.CurrentPhase(); ok {
		where, r.Missing = "phase "+p.ID, task.MissingReports(c.Task, p)
		if err := phase.Summarize(ctx, c, p.UID); err != nil {
			return r, err
		}
	}
	for _, path := range r.Missing {
		r.Notes = append(r.Notes, "a report is MISSING: "+path)
	}
	compacted, err := learn.Compact(ctx, c, set, learn.HandoffThreshold(set))
	if err != nil {
		return r, err
	}
	r.Notes = append(r.Notes, phase.CompactedNotes(compacted)...)
	return r, c.Do(ctx, change.Op(task.OpKnowledgeAdd, task.KnowledgeAddPayload{
		TS: s.Clone.Timestamp(), T: "fact", Txt: fmt.Sprintf("Paused at %s: %s", where, cause), Src: HandoffSource,
	}))
}

// Resume goes on with a task whose session was only interrupted.
func (s *Work) Resume(ctx context.Context, id task.ID) error {
	_, err := s.Engine.Update(ctx, id, func(ctx context.Context, c *change.Tx) error {
		if c.Task.Status != task.Paused || c.Task.Cause == task.CauseWaiting {
			return nil
		}
		return c.Do(ctx, change.Op(task.OpResume, task.EmptyPayload{}))
	})
	return err
}

// FinishRequest ends a task.
type FinishRequest struct {
	Status task.Status // finished where empty
	Cause  task.Cause  // task.CauseError: of a failure that is none of the work
	Reason string
}

// FinishResult is a task that has ended.
type FinishResult struct {
	Result
	Report []byte
}

// Finish writes the final report and a terminal status, and releases the lock.
func (s *Work) Finish(ctx context.Context, id task.ID, r FinishRequest) (FinishResult, error) {
	if r.Status == "" {
		r.Status = task.Finished
	}
	var out FinishResult
	after, err := s.Engine.Update(ctx, id, func(ctx context.Context, c *change.Tx) error {
		// The report tells the end, so it is written from the state after it;
		// the check that the end is allowed comes first.
		end := task.FinishPayload{Status: r.Status, Cause: r.Cause, Reason: r.Reason}
		if r.Status == task.Finished {
			end.Passed = route.PassedBy(c.Task, task.StageComplete)
			if err := phase.MayPass(c, end.Passed); err != nil {
				return err
			}
		}
		out.Notes = phase.PassedNotes(c.Task, end.Passed)
		if err := c.Do(ctx, change.Op(task.OpFinish, end)); err != nil {
			return err
		}
		if err := phase.SummarizeAgain(ctx, c); err != nil {
			return err
		}
		story, err := s.Engine.Story(ctx, c.Task)
		if err != nil {
			return err
		}
		out.Report = []byte(report.FinalReport(c.Task, story, s.Clone.Timestamp()))
		if err := c.SetText(ctx, task.DocFinal, out.Report); err != nil {
			return err
		}
		return s.claims.Release(ctx, c)
	})
	if out.Task = after; err != nil || s.Clone.DryRun() {
		return out, err
	}
	final, err := s.Records.Document(ctx, after, task.DocFinal) // what ran after it may stand there
	out.Report = final.Text
	return out, err
}

// SetStage sets the stage by hand.
func (s *Work) SetStage(ctx context.Context, id task.ID, to task.Stage) (Result, error) {
	var out Result
	after, err := s.Engine.Update(ctx, id, func(ctx context.Context, c *change.Tx) error {
		if out.Notes = nil; c.Task.Stage == to {
			return nil
		}
		if err := s.documents.LookAtPlan(ctx, c); err != nil {
			return err
		}
		passed := route.PassedBy(c.Task, to)
		if err := phase.MayPass(c, append(route.Unsaid(c.Task, to), passed...)); err != nil {
			return err
		}
		out.Notes = phase.PassedNotes(c.Task, passed)
		return c.Do(ctx, change.Op(task.OpStage, task.StagePayload{Stage: to, Passed: passed}))
	})
	out.Task = after
	return out, err
}

// Work begins and ends work on a task: start, pause, finish, the stage, claims, what comes
// next.
type Work struct {
	*change.Engine
	next      *next.Next
	claims    *claim.Claims
	documents *texts.Documents
	exchange  *exchange.Exchange
	phases    *phase.Phases
}
