package run

import (
	"context"
	"errors"
	"slices"

	"github.com/git-brew/git-brew/internal/app/change"
	"github.com/git-brew/git-brew/internal/app/trees"
	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/route"
	"github.com/git-brew/git-brew/internal/worker"
)

// begin gives free workers the phases that can be worked on: first those that were begun
// and left, then those that are ready, in order.
func (r *run) begin(ctx context.Context) error {
	err := r.intact() // whatever is read then is read as it was
	if err == nil {
		err = r.heed(ctx)
	}
	if err == nil {
		err = r.settings(ctx)
	}
	if err != nil {
		return err
	}
	t := r.task
	branch, tip, err := r.tip(ctx, t)
	if err == nil {
		err = r.notice(ctx, branch, tip)
	}
	if err != nil {
		return err
	}
	if err := r.proveNext(ctx, tip); err != nil {
		return err
	}
	r.park(t)
	for _, p := range r.candidates(t) {
		if r.working() >= r.parallel || r.isOver() {
			break
		}
		if r.keptApart(ctx, p, tip) {
			continue
		}
		if err := r.take(ctx, t, p, tip); err != nil {
			return err
		}
	}
	return r.proveNext(ctx, tip)
}

func (r *crew) working() (n int) {
	for _, j := range r.jobs {
		if j.working && r.proving != j {
			n++
		}
	}
	return n
}

// candidates are the phases that wait for a worker, or for the run itself.
func (r *run) candidates(t task.Task) []task.Phase {
	var all []task.Phase
	for _, p := range t.Phases {
		if t.WithWorkers(p) && r.o.wanted(t, p) {
			all = append(all, p)
		}
	}
	for _, p := range route.Ready(t) {
		if r.o.wanted(t, p) {
			all = append(all, p)
		}
	}
	return slices.DeleteFunc(all, func(p task.Phase) bool { return r.jobs[p.UID] != nil || r.postponed[p.UID] != "" })
}

// take begins a phase, or goes on with one, whatever is the next that it needs.
func (r *run) take(ctx context.Context, t task.Task, p task.Phase, tip gitstore.OID) error {
	j := &job{phase: p, from: tip, met: map[task.UID]string{}}
	var why string
	j.tier, why = tierOf(t, p)
	args, err := r.workers.command(j.tier)
	if err != nil {
		return err
	}
	j.client = clientName(args)
	if until := r.parked[r.workers.waitsFor(p, j.client)]; until.After(r.s.Clone.Now()) {
		return nil
	}
	if wait, err := r.awaitsTrust(ctx, p); err != nil || wait {
		return err
	}
	if p.Status == task.PhasePending {
		if why := r.workers.usedTier(j.tier, r.spent); why != "" {
			r.postponed[p.UID] = why
			return nil
		}
		delete(r.spent, string(p.UID))
		if err := r.change(ctx, j, func(ctx context.Context, c *change.Tx, p task.Phase) ([]string, error) {
			notes, err := r.s.Phases.StartIn(ctx, c, p, task.PhasePayload{Claimed: true, Worker: task.RunWorker})
			if said := p.Reason; err == nil && said != "" { // to whoever reset it
				now, _ := c.Task.Phase(p.UID)
				err = c.Do(ctx, change.Op(task.OpPhaseTurn, task.TurnPayload{
					Phase: p.UID, Iteration: now.Iteration,
					Turn: task.Turn{By: task.ByPerson, Outcome: task.TurnRetried, Reason: said},
				}))
			}
			return notes, err
		}); err != nil {
			return err
		}
		r.tell(Event{Kind: Started, Phase: j.phase, Tier: j.tier, Text: why})
	}
	if merged, err := r.wasMerged(ctx, t, j, tip); err != nil || merged {
		return err
	}
	start, err := r.startOf(ctx, j.phase, tip)
	if err != nil {
		return err
	}
	j.tree, err = r.trees.Make(ctx, j.phase, start)
	if j.tree.Aside != "" {
		r.tell(Event{Kind: Noted, Phase: j.phase, Text: "git knew nothing of its work tree any more: it is made anew, " +
			"and what was there is in " + j.tree.Aside})
	}
	if hook, is := errors.AsType[trees.HookError](err); is {
		r.tell(Event{Kind: Noted, Phase: j.phase, Text: hook.Error()})
	} else if err != nil {
		return err
	}
	if j.plan, err = r.planOf(ctx, t, j.phase); err != nil {
		return err
	}
	r.jobs[p.UID] = j
	return r.goOn(ctx, j)
}

// startOf is where a phase's branch begins where there is none: at what its workers have
// committed, perhaps on another clone, else at the tip of the task's branch.
func (r *target) startOf(ctx context.Context, p task.Phase, tip gitstore.OID) (string, error) {
	for _, turn := range slices.Backward(p.Turns) {
		if commit, err := gitstore.ParseOID(turn.Commit); err == nil {
			if has, err := r.s.Clone.Repo.Objects.Has(ctx, commit); err != nil || has {
				return turn.Commit, err
			}
			break
		}
	}
	return tip.String(), nil
}

// goOn gives a phase what it needs next, by its last turn with a worker of this tier.
func (r *run) goOn(ctx context.Context, j *job) error {
	p := j.phase
	last := task.Turn{}
	for _, turn := range p.Turns[min(p.TierSince, len(p.Turns)):] {
		if turn.By.Worker() || turn.Outcome == task.TurnRejected || turn.Outcome == task.TurnConflict {
			last = turn // a review that passed, and what did not come to its end, changes nothing
		}
	}
	said := signalOf(last.Outcome)
	switch {
	case p.Status == task.PhaseInReview: // it was proved before, and perhaps merged
		r.queue = append(r.queue, j)
		return nil
	case said != worker.None:
		j.signal = said
		r.queue = append(r.queue, j)
		return nil
	case last.Outcome == task.TurnBlocked:
		return r.escalate(ctx, j, last.Reason)
	}
	return r.again(ctx, j)
}

// tierOf is the tier of worker that a phase gets, and why.
func tierOf(t task.Task, p task.Phase) (task.Tier, string) {
	if p.Tier != task.TierAuto {
		if slices.ContainsFunc(p.Escalations, func(e task.Escalation) bool { return e.Action == task.ActionUpgrade }) {
			return p.Tier, "as it was escalated; 'git brew phase edit " + p.ID + " --tier TIER' gives it another one"
		}
		return p.Tier, "as it is planned"
	}
	n := 0
	for _, q := range t.Phases {
		if slices.Contains(t.DependenciesOf(q), p.UID) {
			n++
		}
	}
	junior, why := worker.Junior(worker.Work{Title: p.Title, Acceptance: p.Acceptance, Dependents: n})
	if junior {
		return task.TierJunior, why
	}
	return task.TierSenior, why
}
