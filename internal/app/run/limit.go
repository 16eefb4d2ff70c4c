package run

import (
	"context"
	"encoding/json"
	"time"

	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/task"
)

// park finds in the records which clients have reached a limit, and until when, in this task and in
// others.
func (r *record) park(t task.Task) {
	r.parked = limitsOf(t, r.s.Clone.Now())
	for id, limits := range r.s.limits {
		for client, until := range limits {
			if id != r.id && until.After(r.s.Clone.Now()) && until.After(r.parked[client]) {
				r.parked[client] = until
			}
		}
	}
}

// limitsOf are the clients that have reached a limit in a task, and until when, in whichever phase
// that was: but for those that were reset, and those that nobody works on any more.
func limitsOf(t task.Task, now time.Time) map[string]time.Time {
	limits := map[string]time.Time{}
	for _, p := range t.Phases {
		if p.Status == task.PhasePending || p.Status == task.PhaseFailed || p.Status == task.PhaseDropped {
			continue
		}
		for _, turn := range p.Turns[min(p.TierSince, len(p.Turns)):] {
			until, ok := clone.ParseTime(turn.Until)
			if ok && until.After(now) && until.After(limits[turn.Client]) {
				limits[turn.Client] = until
			}
		}
	}
	return limits
}

// readLimits finds which clients of this person have reached a limit in any task that is open. What
// can't be read parks nobody.
func (s *Runs) readLimits(ctx context.Context) {
	s.limits = map[task.ID]map[string]time.Time{}
	me, err := s.Clone.Repo.Config.Identity(ctx)
	if err != nil {
		return
	}
	all, err := s.Records.Index(ctx)
	if err != nil {
		return
	}
	for _, row := range all {
		if row.Err != nil || row.State.Deleted || row.State.Status.Terminal() || row.State.Status == task.Pending {
			continue
		}
		t, err := s.Records.Task(ctx, task.ID(row.ID))
		if limits := limitsOf(t, s.Clone.Now()); err == nil && len(limits) > 0 {
			s.limits[t.ID] = s.reachedBy(ctx, t.ID, me.Email, limits)
		}
	}
}

// reachedBy are those of a task's limits that somebody's runs reached: others have accounts of their
// own.
func (s *Runs) reachedBy(ctx context.Context, id task.ID, email string, limits map[string]time.Time,
) map[string]time.Time {
	steps, err := s.Records.History(ctx, id)
	if err != nil {
		return nil
	}
	mine := map[string]time.Time{}
	for _, step := range steps {
		var p task.TurnPayload
		if step.Op == nil || step.Op.Kind != task.OpPhaseTurn || step.Op.Actor.Email != email ||
			json.Unmarshal(step.Op.Payload, &p) != nil {
			continue
		}
		if until, ok := clone.ParseTime(p.Until); ok && until.Equal(limits[p.Client]) {
			mine[p.Client] = until
		}
	}
	return mine
}

// nextWake is when the first client that reached its limit may go on, where a phase waits for one.
func (r *run) nextWake() (until time.Time, waits bool) {
	for _, p := range r.candidates(r.task) {
		tier, _ := tierOf(r.task, p)
		at, parked := r.parked[r.workers.waitsFor(p, r.workers.program(tier))]
		if parked && (!waits || at.Before(until)) {
			until, waits = at, true
		}
	}
	return until, waits
}

// localTime is a time as the person's clock has it.
func localTime(t, now time.Time) string { return t.In(now.Location()).Format("2006-01-02 15:04") }

// waitsFor is the client that a phase needs next: that of its worker, or the reviewer's, where it
// was this one's limit that was reached.
func (w *workers) waitsFor(p task.Phase, client string) string {
	last, reset := p.LastTurn(), p.Status == task.PhasePending || p.TierSince >= len(p.Turns)
	if last.By == task.ByReview && last.Outcome == task.TurnLimited && !reset {
		return w.program(task.TierExecutive)
	}
	return client
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

// wait waits for the end of a limit, and a minute.
func (w *workers) wait(ctx context.Context, until time.Time, tell func(string)) error {
	if until.IsZero() {
		until = w.now().Add(unknownLimit)
	}
	until = until.Add(afterLimit)
	tell("the executive waits for its client's limit, until " + localTime(until, w.now()))
	return sleep(ctx, until.Sub(w.now()))
}
