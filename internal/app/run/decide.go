package run

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/git-brew/git-brew/internal/app/change"
	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/app/trees"
	"github.com/git-brew/git-brew/internal/operation"
	"github.com/git-brew/git-brew/internal/task"
)

// question is what a decider is asked: a phase would fail for good.
type question struct {
	id    string // of no other question
	phase task.Phase
	plan  string
	tree  trees.Tree
	why   string
}

// action is what becomes of a phase that would fail.
type action string

// The actions. undecided: nobody said anything, and the next one is asked.
const (
	undecided action = ""
	retry     action = "retry" // its tier's attempts begin anew
	skip      action = "skip"  // it fails, as it would
	abort     action = "abort" // the run ends, and asks again when it goes on
	pause     action = "pause" // so does the task; the phase is tried again when it goes on
)

type decision struct {
	action action
	// reason is what is recorded of it; what retries a phase is told to its next worker.
	reason string
	by     task.TurnBy
	client string
	cost   task.Cost
}

// decider is asked what becomes of a phase that would fail. It works beside the loop, and may
// take its time; tell tells the person something meanwhile.
type decider func(ctx context.Context, q question, tell func(text string)) (decision, error)

// deciders are those who are asked, one after the other, until one decides. Where all of them
// leave it, the phase fails.
func (r *run) deciders() (all []decider) {
	if file := r.files.command; file != "" {
		all = append(all, commandFile{path: file, wait: commandWait, every: commandEvery}.decide)
	}
	if r.o.Walkaway {
		all = append(all, r.workers.decide)
	}
	return all
}

// giveUp asks what becomes of a phase that would fail, where there is anybody to ask.
func (r *run) giveUp(ctx context.Context, j *job, why string) error {
	why = r.s.said(why)
	all := r.deciders()
	if len(all) == 0 {
		return r.fail(ctx, j, why)
	}
	if r.o.Walkaway && r.isOver() {
		r.forget(j) // the next run goes on with it
		return nil
	}
	if over := r.workers.usedTier(task.TierExecutive, r.spent); r.o.Walkaway && over != "" {
		r.postpone(j, over)
		return nil
	}
	id, err := operation.NewID(r.s.Clone.Random)
	if err != nil {
		return err
	}
	q := question{id: string(id), phase: j.phase, plan: j.plan, tree: j.tree, why: why}
	j.asked = &q
	r.tell(Event{Kind: Asked, Phase: j.phase, Tier: j.tier, Text: why, Decision: q.id})
	tier := j.tier
	r.beside(ctx, j, func(ctx context.Context) result {
		tell := func(text string) {
			r.done <- result{job: j, tell: &Event{Kind: Noted, Phase: q.phase, Tier: tier, Text: text}}
		}
		for _, ask := range all {
			if d, err := ask(ctx, q, tell); err != nil || d.action != undecided {
				return result{decision: &d, err: err}
			}
		}
		return result{decision: &decision{}}
	})
	return nil
}

// afterDecision does what was decided on a phase that would fail.
func (r *run) afterDecision(ctx context.Context, j *job, d decision) error {
	q := *j.asked
	j.asked = nil
	d.reason = r.s.said(d.reason)
	if d.action == undecided {
		return r.fail(ctx, j, q.why)
	}
	r.tell(Event{Kind: Decided, Phase: j.phase, Tier: j.tier, Text: d.reason, Decision: q.id, Action: string(d.action)})
	turn := task.Turn{By: d.by, Client: d.client, Outcome: task.TurnRetried, Reason: d.reason, Cost: d.cost}
	ends := fmt.Sprintf("phase %s: %s", j.phase.ID, cmp.Or(d.reason, q.why))
	switch d.action {
	case abort:
		return clone.Refuse("'git brew run' goes on", "it was decided to end the run: %s", ends)
	case skip:
		turn.Outcome = task.TurnSkipped
	case pause:
		turn.Outcome = task.TurnPaused
	case undecided, retry:
	}
	if err := r.note(ctx, j, turn); err != nil {
		return err
	}
	switch d.action {
	case skip:
		who := "executive"
		if d.by == task.BySupervisor {
			who = string(d.by)
		}
		if err := r.fail(ctx, j, task.WithReason("skipped by the "+who, cmp.Or(d.reason, q.why))); err != nil {
			return err
		}
		return r.tooMany(ctx, d)
	case pause:
		return r.pause(ctx, ends)
	case undecided, retry, abort:
	}
	j.errors = 0
	delete(r.spent, string(j.phase.UID)) // it begins anew
	return r.again(ctx, j)
}

// pause pauses the task, and ends the run.
func (r *record) pause(ctx context.Context, why string) error {
	why = strings.TrimRight(r.s.said(why), ".") // what follows it ends the sentence
	if _, err := r.s.Engine.Update(ctx, r.id, func(ctx context.Context, c *change.Tx) error {
		return c.Do(ctx, change.Op(task.OpPause, task.PausePayload{Cause: task.CauseWaiting, Reason: why}))
	}); err != nil {
		return err
	}
	return clone.Refuse("'git brew run' goes on", "the task was paused: %s", why)
}
