package run

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/git-brew/git-brew/internal/app/change"
	"github.com/git-brew/git-brew/internal/app/journal"
	"github.com/git-brew/git-brew/internal/app/phase"
	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/invisible"
	"github.com/git-brew/git-brew/internal/knowledge"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/worker"
)

// maxConflicts is how often a worker is asked to merge before its phase counts as blocked.
const maxConflicts = 3

// record is what a run has on record, and tells: it changes the task.
type record struct {
	s     *Runs
	o     Options
	id    task.ID
	trees trees
	began time.Time
	files files
	ended Summary
	// parked says until when no worker of a client is started.
	parked map[string]time.Time
	// skipped are the phases that an executive skipped since the last one was completed.
	skipped []string
	// task is the task as it was read last, when its record and lock were at seen.
	task task.Task
	seen tips
}

// change makes a change of a job's phase.
func (r *record) change(ctx context.Context, j *job,
	do func(ctx context.Context, c *change.Tx, p task.Phase) ([]string, error),
) error {
	return patiently(ctx, func() error {
		res, err := r.s.Phases.Change(ctx, r.id, phase.Meant{UID: j.phase.UID}, do)
		if err == nil {
			j.phase = res.Phase
		}
		return err
	})
}

// lockTries is how often a change is tried that finds a ref locked: for a second each time.
const lockTries = 15

// patiently makes a change, and waits for what has a ref locked longer than a person would:
// a git that goes on after its run was killed, on a machine with much to do.
func patiently(ctx context.Context, do func() error) (err error) {
	for range lockTries {
		if err = do(); !errors.Is(err, gitstore.ErrLocked) || ctx.Err() != nil {
			return err
		}
	}
	return err
}

// said is a text of a program as a reason that is recorded.
func (s *Runs) said(text string) string {
	return invisible.CutBytes(s.Journal.WithoutSecrets("reason", invisible.Lines(text)), task.MaxReason)
}

// note records a turn, with what else is to be told of it.
func (r *record) note(ctx context.Context, j *job, turn task.Turn,
	more ...func(context.Context, *change.Tx) error,
) error {
	turn.Reason = r.s.said(turn.Reason)
	if err := r.change(ctx, j, func(ctx context.Context, c *change.Tx, p task.Phase) ([]string, error) {
		if oid, err := gitstore.ParseOID(turn.Commit); err == nil { // whatever becomes of the branch
			if err := c.Ledger.Keep(ctx, string(c.ID), oid); err != nil {
				return nil, err
			}
		}
		err := c.Do(ctx, change.Op(task.OpPhaseTurn,
			task.TurnPayload{Phase: p.UID, Iteration: p.Iteration, Turn: turn}))
		if turn.Client != "" {
			c.Engine.Journal.RecordAfter(c.Ledger, journal.TurnEvent(c.ID, p.ID, turn))
		}
		for _, do := range more {
			if err == nil {
				err = do(ctx, c)
			}
		}
		return nil, err
	}); err != nil {
		return err
	}
	r.ended.Cost = r.ended.Cost.Plus(turn.Cost)
	e := Event{Kind: Turned, Phase: j.phase, Tier: j.tier, Turn: turn}
	if turn.By == task.TurnBy(j.tier) && j.log != nil {
		e.Log, j.log = j.log.path, nil
	}
	r.tell(e)
	return nil
}

// noteTurn records a worker's turn, with its report where it says that nothing is left to do,
// and keeps the commits that it left.
func (r *record) noteTurn(ctx context.Context, j *job, e worker.Ended, outcome task.TurnOutcome, why string) error {
	turn := task.Turn{By: task.TurnBy(j.tier), Client: j.client, Outcome: outcome, Reason: why, Cost: costOf(e)}
	if tip, err := r.s.Clone.Repo.Refs.Get(ctx, j.tree.ref()); err == nil {
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

// limited notes until when the client of a turn does not begin another one.
func (r *record) limited(turn *task.Turn, until time.Time) {
	if until.IsZero() {
		until = r.s.Clone.Now().Add(unknownLimit)
	}
	until = until.Add(afterLimit)
	r.parked[turn.Client] = until
	turn.Until = until.UTC().Format(timeForm)
}

// afterTurn records a turn, and goes on by how it came out.
func (r *run) afterTurn(ctx context.Context, j *job, e worker.Ended) error {
	outcome, why := outcomeOf(e)
	if outcome == task.TurnAbsorbed {
		t, err := r.s.Records.Task(ctx, r.id)
		if err != nil {
			return err
		}
		if by, err := t.FindPhase(e.Absorber); err != nil || by.Status != task.PhaseCompleted {
			outcome, why = task.TurnRejected, "You said that phase "+e.Absorber+" did it, which is not completed."
		}
	}
	if err := r.noteTurn(ctx, j, e, outcome, why); err != nil {
		return err
	}
	r.learn(ctx, j, e)
	r.meet(ctx, j)
	if outcome != task.TurnFailed {
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
		delete(r.jobs, j.phase.UID)
		return nil
	case task.TurnBlocked:
		return r.escalate(ctx, j, "it says that it is blocked: "+why)
	case task.TurnFailed:
		if j.backOff(e); e.TimedOut && j.tier.Above() != "" {
			return r.escalate(ctx, j, why)
		}
	case task.TurnSilent, task.TurnStopped, task.TurnRejected, task.TurnConflict, task.TurnPassed,
		task.TurnRetried, task.TurnPaused, task.TurnSkipped, task.TurnOnTrack, task.TurnConcerns, task.TurnRemediated:
	}
	return r.again(ctx, j)
}

// learn keeps what a worker learned, within the task's bounds, and what it found beside its
// work. What is no entry is left out: nobody asked for it.
func (r *record) learn(ctx context.Context, j *job, e worker.Ended) {
	for _, text := range e.Learnings {
		kind, text := knowledge.Parse(invisible.Line(text))
		_, _ = r.s.Knowledge.Learn(ctx, r.id, knowledge.Entry{T: kind, Txt: text, Src: string(j.tier) + "-worker"})
	}
	if len(e.Learnings) > 0 {
		_, _ = r.s.Knowledge.Compact(ctx, r.id, false)
	}
	for _, text := range e.Backlog {
		_, _ = r.s.Knowledge.AddBacklog(ctx, invisible.Line(text), string(j.tier)+"-worker", r.id)
	}
}

// report files what a worker said in the end as its report, for each agent that the phase
// is assigned to.
func (r *record) report(ctx context.Context, c *change.Tx, j *job, text string) error {
	agents := j.phase.Agents
	if len(agents) == 0 {
		agents = []string{string(j.tier) + "-worker"}
	}
	text = cmp.Or(worker.WithoutTags(text), "It says that it is done, and no more.")
	for _, agent := range agents {
		if _, err := r.s.Phases.ReportIn(ctx, c, phase.ReportRequest{
			Phase: j.phase.ID, Agent: agent, Text: []byte(invisible.Lines(text) + "\n"),
		}); err != nil {
			return err
		}
	}
	return nil
}

// again gives a phase another turn, with a worker of a higher tier where this one has had
// as many as the settings allow.
func (r *run) again(ctx context.Context, j *job) error {
	if j.phase.Attempts() >= r.workers.attempts(j.tier) {
		did := task.Counted(j.phase.Attempts(), "attempt")
		return r.escalate(ctx, j, fmt.Sprintf("%s as %s did not succeed", did, j.tier))
	}
	args, err := r.workers.command(j.tier)
	if err != nil {
		return err
	}
	return r.turn(ctx, j, args)
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
	j.tier = above
	r.tell(Event{Kind: Escalated, Phase: j.phase, Tier: above, Text: why})
	args, err := r.workers.command(above)
	if err != nil {
		return err
	}
	if j.client = clientName(args); r.parked[j.client].After(r.s.Clone.Now()) {
		delete(r.jobs, j.phase.UID)
		return nil
	}
	return r.turn(ctx, j, args)
}

// fail fails a phase, and what depends on it. What its workers left stays where it is.
func (r *run) fail(ctx context.Context, j *job, why string) error {
	why = r.withForeign(r.s.said(why))
	if err := r.change(ctx, j, func(ctx context.Context, c *change.Tx, p task.Phase) ([]string, error) {
		return nil, c.Do(ctx, change.Op(task.OpPhaseFail, task.PhaseReasonPayload{Phase: p.UID, Reason: why}))
	}); err != nil {
		return err
	}
	delete(r.jobs, j.phase.UID)
	r.ended.Failed = append(r.ended.Failed, j.phase.ID)
	r.tell(Event{Kind: Failed, Phase: j.phase, Tier: j.tier, Text: why, Dir: j.tree.dir})
	return nil
}
