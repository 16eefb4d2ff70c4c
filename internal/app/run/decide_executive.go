package run

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/worker"
)

const (
	// maxRetries is how often an executive may have a phase tried again, before it is skipped.
	maxRetries = 2
	// maxSkips is how many phases in a row it may skip, before somebody has to look.
	maxSkips = 3
)

// decide asks an executive what becomes of a phase that would fail, where nobody is there
// (BR-20). Where it says nothing clear, the phase is tried again once, and skipped then.
func (w *workers) decide(ctx context.Context, q question, tell func(string)) (decision, error) {
	tried := retries(q.phase)
	d := decision{action: skip, by: task.ByDecision}
	if tried >= maxRetries {
		d.reason = fmt.Sprintf("it was tried again %d times already: %s", tried, q.why)
		return d, nil
	}
	for {
		e, client, err := w.executive(ctx, &job{phase: q.phase, tree: q.tree}, "BREW_DECIDE",
			promptOf(q.phase, q.plan).Decide(q.why, tried))
		if d.client, d.cost = client, d.cost.Plus(costOf(e)); err != nil {
			return d, err
		}
		switch {
		case e.Limited && (e.Failure != "" || e.Verdict == ""):
			if err := w.wait(ctx, e.LimitedUntil, tell); err != nil {
				return d, err
			}
			continue
		case e.Failure == "" && e.Verdict == worker.Retry:
			d.action, d.reason = retry, reasonIn(e.Text)
		case e.Failure == "" && e.Verdict == worker.Skip:
			d.reason = reasonIn(e.Text)
		default:
			d.reason = "the executive came to no decision: " + cmp.Or(e.Failure, lastLine(e.Text), "it said nothing")
			if tried == 0 {
				d.action = retry
			}
		}
		return d, nil
	}
}

// retries counts how often an executive had a phase tried again since it was skipped last.
func retries(p task.Phase) (n int) {
	for _, turn := range slices.Backward(p.Turns) {
		switch {
		case turn.Outcome == task.TurnSkipped:
			return n
		case turn.Outcome == task.TurnRetried && turn.By == task.ByDecision:
			n++
		}
	}
	return n
}

// tooMany pauses the task where an executive has skipped so many phases in a row that a person
// has to look.
func (r *run) tooMany(ctx context.Context, d decision) error {
	if d.by != task.ByDecision {
		return nil
	}
	last := r.ended.Failed[len(r.ended.Failed)-1]
	if r.skipped = append(r.skipped, last); len(r.skipped) < maxSkips {
		return nil
	}
	return r.pause(ctx, fmt.Sprintf("%d phases in a row were skipped, %s: look at why, the last one was: %s",
		len(r.skipped), strings.Join(r.skipped, ", "), d.reason))
}
