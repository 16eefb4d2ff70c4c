package run

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/app/config"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/worker"
)

// reviews reports whether an executive reviews a job's work before it is merged.
func (w *workers) reviews(j *job) bool {
	switch w.set.Text(config.KeyRunReview) {
	case config.ReviewAll:
		return true
	case config.ReviewJunior:
		return j.tier == task.TierJunior || owesReview(j.phase)
	}
	return false
}

// owesReview reports a phase that has a junior's commits, or work that a review refused, and that
// no review passed since: whoever goes on with it commits on top of that.
func owesReview(p task.Phase) bool {
	for _, t := range slices.Backward(p.Turns) {
		switch {
		case t.By == task.ByReview && t.Outcome == task.TurnPassed:
			return false
		case t.By == task.ByJunior && t.Commit != p.StartCommit,
			t.By == task.ByReview && t.Outcome == task.TurnRejected:
			return true
		}
	}
	return false
}

func (w *workers) reviewsAny() bool {
	return w.set.Text(config.KeyRunReview) != config.ReviewOff
}

func passed(p task.Phase, commit string) bool {
	return slices.ContainsFunc(p.Turns, func(t task.Turn) bool {
		return t.By == task.ByReview && t.Outcome == task.TurnPassed && t.Commit == commit
	})
}

// maxReviews is how often a reviewer is asked that gives no verdict.
const maxReviews = 2

// review has an executive review work that passed its commands. What is no clear PASS is
// none: a reviewer that gives no verdict is asked again, and then the work is rejected.
func (w *workers) review(ctx context.Context, j *job, p proof, may ceiling) (proof, error) {
	asked, from := promptOf(j.phase, j.plan), p.onto
	if p.beside.text != "" {
		asked.Beside, from = p.beside.since.String()+".."+p.onto.String(), p.beside.since
	}
	asked.Nothing = p.merged == p.onto && p.beside.text == ""
	prompt := asked.Review(from.String(), p.merged.String())
	p.by = task.ByReview
	for range maxReviews {
		if over := may(task.Turn{By: task.ByReview, Client: p.client, Cost: p.cost}); over != "" {
			p.outcome, p.why = task.TurnStopped, over
			return p, nil
		}
		e, client, err := w.executive(ctx, j, "BREW_REVIEW", prompt)
		if p.client, p.cost = client, p.cost.Plus(costOf(e)); err != nil {
			return p, err
		}
		switch {
		case e.Limited && (e.Failure != "" || e.Verdict == ""):
			p.outcome, p.until, p.why = task.TurnLimited, e.LimitedUntil, cmp.Or(e.Failure, "the reviewer's limit is reached")
			return p, nil
		case e.Failure == "" && e.Verdict == worker.Pass:
			return p, nil
		case e.Failure == "" && e.Verdict == worker.Fail:
			p.outcome = task.TurnRejected
			p.why = "The review did not pass:\n" + reasonIn(e.Text)
			return p, nil
		}
		p.why = cmp.Or(e.Failure, "it gave no verdict")
	}
	p.outcome, p.tip = task.TurnRejected, "" // the same work may be reviewed again
	p.why = "The review came to no verdict, a line of <promise>PASS</promise> or FAIL: " + p.why
	return p, nil
}

// executive asks an executive about a job, in its tree; variable tells its program for what.
// An error is that ctx ended it, or that its program can't be run.
func (w *workers) executive(ctx context.Context, j *job, variable, prompt string) (worker.Ended, string, error) {
	args, err := w.command(task.TierExecutive)
	if err != nil {
		return worker.Ended{}, "", err
	}
	log := w.open(j, strings.ToLower(strings.TrimPrefix(variable, "BREW_")))
	e, err := w.ask(ctx, j, task.TierExecutive, args, []byte(prompt), log, variable+"=1")
	return e, clientName(args), err
}

// promptOf is what every prompt about a phase says of it.
func promptOf(p task.Phase, plan string) worker.Prompt {
	return worker.Prompt{Phase: p.ID, Title: p.Title, Plan: plan, Acceptance: p.Acceptance, Commands: p.Verification}
}

// reasonIn is what a reviewer wrote before its verdict, but for notes.
func reasonIn(text string) string {
	text = worker.WithoutNotes(text)
	if at := strings.LastIndex(text, "<promise>"); at >= 0 { // one before that is quoted
		text = text[:at]
	}
	return cmp.Or(strings.TrimSpace(text), "it gave no reason")
}
