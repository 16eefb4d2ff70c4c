package run

import (
	"cmp"
	"context"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/git-brew/git-brew/internal/app/change"
	"github.com/git-brew/git-brew/internal/invisible"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/worker"
)

// clientName names a command line's program, as turns are recorded under it.
func clientName(args []string) string {
	return cmp.Or(task.AgentName(strings.TrimSuffix(filepath.Base(args[0]), ".exe")), "worker")
}

// turn starts a worker on a phase, unless the run has used what it may.
func (r *run) turn(ctx context.Context, j *job) error {
	if r.isOver() {
		r.forget(j) // the next run goes on with it
		return nil
	}
	if why := r.workers.usedTier(j.tier, r.spent); why != "" {
		r.postpone(j, why)
		return nil
	}
	if why := r.workers.usedPhase(j.phase, r.spent); why != "" {
		return r.giveUp(ctx, j, why)
	}
	args, err := r.workers.command(j.tier)
	if err != nil {
		return err
	}
	prompt, err := r.prompt(ctx, j)
	if err != nil {
		return err
	}
	if err := j.tree.Check(ctx); err != nil {
		return r.giveUp(ctx, j, err.Error())
	}
	log, w, pause := r.workers.open(j, string(j.tier)), r.workers, j.pause()
	j.working, j.doing, j.since, j.until, j.slow, j.log = true, Works, r.s.Clone.Now(), time.Time{}, 0, log
	works := Event{Kind: Working, Phase: j.phase, Tier: j.tier, Client: j.client}
	if pause > 0 {
		j.doing, j.until = Rests, j.since.Add(pause)
		r.tell(Event{Kind: Resting, Phase: j.phase, Tier: j.tier, Client: j.client, Until: j.until})
	} else {
		r.tell(works)
	}
	r.beside(ctx, j, func(ctx context.Context) result {
		if err := sleep(ctx, pause); err != nil {
			return result{err: err} // no turn was begun
		}
		if pause > 0 {
			r.done <- result{job: j, tell: &works}
		}
		ended, err := w.ask(ctx, j, j.tier, args, prompt, log)
		return result{turn: &ended, err: err}
	})
	return nil
}

// ask has a program of a tier work in a job's tree until its turn is over. An error is that ctx
// ended it, or that the program can't be run.
func (w *workers) ask(ctx context.Context, j *job, tier task.Tier, args []string, prompt []byte, log *logFile,
	env ...string,
) (worker.Ended, error) {
	defer log.close()
	j.said.Store(nil)
	e, err := worker.Run(ctx, worker.Turn{
		Args: args, Dir: j.tree.Dir, Env: append(w.environ(j, tier), env...), Prompt: prompt, PromptFile: j.tree.Prompt,
		Limit: w.limits.tier[tier], Silence: w.limits.silence, Log: log, Keeper: w.keeper, Held: w.held,
		Said: func(event string) { j.said.Store(&event) },
	}, w.now)
	if err != nil && ctx.Err() == nil { // it has no file for its prompt: that is its failure
		e.Failure, err = err.Error(), nil
	}
	if e.NotRun {
		err = notRunError{refuseCommand(tier, e.Failure)}
	}
	return e, err
}

const (
	// atOnce is how soon a turn ends in vain that tells of its program, or its account, not of the work.
	atOnce = 2 * time.Second
	// maxPause is how long the next turn waits at most after such turns.
	maxPause = time.Minute
)

// backOff counts a turn that ended in vain, where that was at once.
func (j *job) backOff(e worker.Ended) {
	if j.quick++; e.Took >= atOnce || e.TimedOut {
		j.quick = 0
	}
}

// pause is how long the next turn waits: a second after the first turn that ended at once in vain, and
// twice as long after each one more.
func (j *job) pause() time.Duration {
	if j.quick == 0 {
		return 0
	}
	return min(time.Second<<min(j.quick-1, 10), maxPause)
}

// sleep waits for a time, unless ctx ends before.
func sleep(ctx context.Context, d time.Duration) error {
	over := time.NewTimer(d)
	defer over.Stop()
	select {
	case <-over.C:
		return ctx.Err()
	case <-ctx.Done():
		return ctx.Err()
	}
}

// signalOf is what a worker said whose turn came out so; worker.None where it did not say that
// nothing is left to do.
func signalOf(outcome task.TurnOutcome) worker.Signal {
	switch outcome {
	case task.TurnComplete:
		return worker.Complete
	case task.TurnAlreadyDone:
		return worker.AlreadyDone
	case task.TurnAbsorbed:
		return worker.AbsorbedBy
	default:
		return worker.None
	}
}

// outcomeOf is how a turn is recorded, and why.
func outcomeOf(e worker.Ended) (task.TurnOutcome, string) {
	switch {
	case e.Limited && (e.Failure != "" || e.Signal == worker.None): // else it was through before
		return task.TurnLimited, cmp.Or(e.Failure, "its account's limit is reached")
	case e.Failure != "":
		return task.TurnFailed, e.Failure
	case e.Signal == worker.Complete:
		return task.TurnComplete, ""
	case e.Signal == worker.AlreadyDone:
		return task.TurnAlreadyDone, ""
	case e.Signal == worker.AbsorbedBy:
		return task.TurnAbsorbed, "by phase " + e.Absorber
	case e.Signal == worker.Blocked:
		return task.TurnBlocked, cmp.Or(lastLine(worker.WithoutTags(e.Text)), "it does not say why")
	}
	why := "it ended without a line of <promise>"
	if strings.Contains(e.Text, "</promise>") {
		why += " that counts: it is no word of those that it was told, or stands in code"
	}
	return task.TurnSilent, why + "; it said last: " + cmp.Or(lastLine(e.Text), "nothing")
}

// lastLine is the last line of a text that says something beside its notes.
func lastLine(text string) string {
	for _, line := range slices.Backward(strings.Split(worker.WithoutNotes(text), "\n")) {
		if line = strings.TrimSpace(line); line != "" {
			return invisible.Cut(invisible.Line(line), 500)
		}
	}
	return ""
}

// maxTook is longer than any turn takes, but where the clock leaps.
const maxTook = 365 * 24 * time.Hour

func costOf(e worker.Ended) task.Cost {
	return task.Cost{
		MS: min(e.Took, maxTook).Milliseconds(), Input: e.Usage.Input, Output: e.Usage.Output,
		MicroUSD: int64(e.Usage.CostUSD * 1e6),
	}
}

// noteTurn records a worker's turn, with its report where it says that nothing is left to do,
// and keeps the commits that it left.
func (r *record) noteTurn(ctx context.Context, j *job, e worker.Ended, outcome task.TurnOutcome, why string) error {
	turn := task.Turn{By: task.TurnBy(j.tier), Client: j.client, Outcome: outcome, Reason: why, Cost: costOf(e)}
	if tip, err := r.s.Clone.Repo.Refs.Get(ctx, j.tree.Ref()); err == nil {
		turn.Commit = tip.String()
	}
	if e.Limited { // beside what it did, perhaps
		r.limited(&turn, e.LimitedUntil)
	}
	if signalOf(outcome) == worker.None {
		return r.note(ctx, j, turn)
	}
	return r.note(ctx, j, turn, func(ctx context.Context, c *change.Tx) error { return r.report(ctx, c, j, e.Text) })
}

// maxConflicts is how often a worker is asked to merge before its phase counts as blocked.
const maxConflicts = 3

// afterTurn records a turn, and goes on by how it came out.
func (r *run) afterTurn(ctx context.Context, j *job, e worker.Ended) error {
	outcome, why := outcomeOf(e)
	if outcome == task.TurnAbsorbed {
		t, err := r.s.Records.Task(ctx, r.id)
		if err != nil {
			return err
		}
		if by, err := t.FindPhase(e.Absorber); err != nil || by.Status != task.PhaseCompleted {
			outcome, why = task.TurnRejected, "It said that phase "+e.Absorber+" did it, which is not completed."
		}
	}
	if err := r.noteTurn(ctx, j, e, outcome, why); err != nil {
		return err
	}
	r.learn(ctx, j, e)
	r.meet(ctx, j)
	switch outcome {
	case task.TurnFailed, task.TurnSilent:
		j.backOff(e)
	default:
		j.quick = 0
	}
	switch outcome {
	case task.TurnComplete, task.TurnAlreadyDone, task.TurnAbsorbed:
		j.signal = e.Signal
		if r.queue = append(r.queue, j); r.first == j { // nothing is merged before it
			r.queue = append([]*job{j}, r.queue[:len(r.queue)-1]...)
		}
		return nil
	case task.TurnLimited:
		r.forget(j)
		return nil
	case task.TurnBlocked:
		return r.escalate(ctx, j, "it says that it is blocked: "+why)
	case task.TurnFailed:
		if e.TimedOut && j.tier.Above() != "" {
			return r.escalate(ctx, j, why)
		}
	default:
	}
	return r.again(ctx, j)
}

// maxWhy is how much is told of why attempts did not succeed, in characters.
const maxWhy = 400

// again gives a phase another turn, with a worker of a higher tier where this one has had
// as many as the settings allow.
func (r *run) again(ctx context.Context, j *job) error {
	if j.phase.Attempts() >= r.workers.attempts(j.tier) {
		why := task.Counted(j.phase.Attempts(), "attempt") + " as " + string(j.tier) + " did not succeed"
		if j.tier.Above() == "" { // nobody goes on who is told of the last one
			why = task.WithReason(why, invisible.Cut(invisible.Line(lastRefusal(j.phase)), maxWhy))
		}
		return r.escalate(ctx, j, why)
	}
	return r.turn(ctx, j)
}

// escalate gives a phase to a higher tier; above the highest one it fails, with what depends
// on it. What its workers left stays where it is.
func (r *run) escalate(ctx context.Context, j *job, why string) error {
	above := j.tier.Above()
	why = r.s.said(why)
	if above == "" {
		return r.giveUp(ctx, j, why)
	}
	if err := r.change(ctx, j, func(ctx context.Context, c *change.Tx, p task.Phase) ([]string, error) {
		return nil, c.Do(ctx,
			change.Op(task.OpPhaseEscalate, task.EscalatePayload{
				Phase: p.UID, Action: task.ActionUpgrade, Ladder: task.LadderKitchen, Reason: why,
			}),
			change.Op(task.OpPhaseEdit, task.PhaseEditPayload{Phase: p.UID, Tier: above}))
	}); err != nil {
		return err
	}
	below := j.tier
	j.tier = above
	r.tell(Event{Kind: Escalated, Phase: j.phase, Tier: above, From: below, Text: why})
	if j.client = r.workers.program(above); r.parked[j.client].After(r.s.Clone.Now()) {
		r.forget(j)
		return nil
	}
	return r.turn(ctx, j)
}
