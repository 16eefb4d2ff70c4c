package run

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"github.com/git-brew/git-brew/internal/app/change"
	"github.com/git-brew/git-brew/internal/app/journal"
	"github.com/git-brew/git-brew/internal/app/phase"
	"github.com/git-brew/git-brew/internal/app/trees"
	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/invisible"
	"github.com/git-brew/git-brew/internal/knowledge"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/worker"
)

// record is what a run has on record, and tells: it changes the task.
type record struct {
	s     *Runs
	o     Options
	id    task.ID
	trees trees.Trees
	began time.Time
	files files
	ended Summary
	spent Spent
	// parked says until when no worker of a client is started.
	parked map[string]time.Time
	// skipped are the phases that an executive skipped since the last one was completed.
	skipped []string
	// task is the task as it was read last, when its record and lock were at seen.
	task task.Task
	seen tips
}

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
	r.spent.add(j.phase.UID, turn)
	e := Event{Kind: Turned, Phase: j.phase, Tier: j.tier, Turn: turn}
	if turn.By == task.ByLook { // which is about none
		e.Phase = task.Phase{}
	}
	if turn.By == task.TurnBy(j.tier) && j.log != nil {
		e.Log, j.log = j.log.path, nil
	}
	r.tell(e)
	return nil
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
	before, _ := r.s.Knowledge.Backlog(ctx, true)
	for _, text := range e.Backlog {
		item, err := r.s.Knowledge.AddBacklog(ctx, invisible.Line(text), string(j.tier)+"-worker", r.id)
		if err == nil && !slices.ContainsFunc(before, func(have knowledge.Item) bool { return have.ID == item.ID }) {
			before = append(before, item)
			r.noted(j.phase, "noted for later: "+item.Txt+"; 'git brew backlog promote --phase "+string(item.ID)[:8]+
				" --task "+r.s.Records.Name(ctx, r.id)+"' makes a phase of it")
		}
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

// fail fails a phase, and what depends on it. What its workers left stays where it is.
func (r *run) fail(ctx context.Context, j *job, why string) error {
	why = r.withForeign(r.s.said(why))
	if err := r.change(ctx, j, func(ctx context.Context, c *change.Tx, p task.Phase) ([]string, error) {
		return nil, c.Do(ctx, change.Op(task.OpPhaseFail, task.PhaseReasonPayload{Phase: p.UID, Reason: why}))
	}); err != nil {
		return err
	}
	r.forget(j)
	r.ended.Failed = append(r.ended.Failed, j.phase.ID)
	r.tell(Event{Kind: Failed, Phase: j.phase, Tier: j.tier, Text: why, Dir: j.tree.Dir})
	return nil
}
