package run

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/git-brew/git-brew/internal/app/change"
	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/invisible"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/route"
	"github.com/git-brew/git-brew/internal/worker"
)

// begin gives free workers the phases that can be worked on: first those that were begun
// and left, then those that are ready, in order.
func (r *run) begin(ctx context.Context) error {
	err := r.heed(ctx)
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

// working counts the workers.
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
		if p.WithWorkers() && r.o.wanted(t, p) {
			all = append(all, p)
		}
	}
	for _, p := range route.Ready(t) {
		if r.o.wanted(t, p) {
			all = append(all, p)
		}
	}
	return slices.DeleteFunc(all, func(p task.Phase) bool { return r.jobs[p.UID] != nil })
}

// take begins a phase, or goes on with one, whatever is the next that it needs.
func (r *run) take(ctx context.Context, t task.Task, p task.Phase, tip gitstore.OID) error {
	j := &job{phase: p, from: tip, met: map[task.UID]string{}}
	var why string
	j.tier, why = r.tierOf(t, p)
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
	j.tree, err = r.trees.make(ctx, j.phase, start)
	if hook, is := errors.AsType[hookError](err); is {
		r.tell(Event{Kind: Noted, Phase: j.phase, Text: hook.Error()})
	} else if err != nil {
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
		if turn.Outcome != task.TurnPassed && turn.By != task.ByReview || turn.Outcome == task.TurnRejected {
			last = turn // a look that passed, or did not come to its end, changes nothing
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

// trusted refuses phases whose commands this clone's person has not trusted.
func (r *run) trusted(ctx context.Context, phases ...task.Phase) error {
	var ids, all []string
	for _, p := range phases {
		untrusted, err := r.s.Records.UntrustedOf(ctx, p.Verification)
		if err != nil {
			return err
		}
		if len(untrusted) > 0 {
			ids, all = append(ids, p.ID), append(all, untrusted...)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	slices.Sort(all)
	return untrustedError{clone.Refuse("look at them with 'git brew trust list', then 'git brew trust add "+
		strings.Join(slices.Compact(all), " ")+"'", "commands of phase %s wait for your trust", strings.Join(ids, ", "))}
}

// untrustedError says which commands wait for a person's trust.
type untrustedError struct{ error }

func (e untrustedError) Unwrap() error { return e.error }

// untrusted says that commands of a phase wait for trust, "" where none do.
func (r *run) untrusted(ctx context.Context, p task.Phase) string {
	if err, is := errors.AsType[untrustedError](r.trusted(context.WithoutCancel(ctx), p)); is && !p.Status.Over() {
		return err.Error()
	}
	return ""
}

// awaitsTrust reports that a phase which was added while the run is at work is left, for nobody
// trusted its commands, and tells it once. The others go on.
func (r *run) awaitsTrust(ctx context.Context, p task.Phase) (bool, error) {
	err := r.trusted(ctx, p)
	untrusted, is := errors.AsType[untrustedError](err)
	if !is {
		return false, err
	}
	if why := untrusted.Error(); r.waits[p.UID] != why {
		r.waits[p.UID] = why
		r.tell(Event{Kind: Noted, Phase: p, Text: "it is left: " + why})
	}
	return true, nil
}

// tierOf is the tier of worker that a phase gets, and why.
func (r *run) tierOf(t task.Task, p task.Phase) (task.Tier, string) {
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

// clientName names a command line's program, as turns are recorded under it.
func clientName(args []string) string {
	return cmp.Or(task.AgentName(strings.TrimSuffix(filepath.Base(args[0]), ".exe")), "worker")
}

// limitedUntil is when the client of a phase's last turn may begin again; the zero time
// where it reached no limit, or the phase was reset since.
func limitedUntil(p task.Phase) time.Time {
	last := p.LastTurn()
	until, ok := clone.ParseTime(last.Until)
	reset := p.Status == task.PhasePending || p.TierSince >= len(p.Turns)
	if !ok || last.Outcome != task.TurnLimited || reset {
		return time.Time{}
	}
	return until
}

// park finds in the record which clients have reached a limit, and until when, in whichever phase
// that was: but for those that were reset, and those that nobody works on any more.
func (r *run) park(t task.Task) {
	clear(r.parked)
	for _, p := range t.Phases {
		if p.Status == task.PhasePending || p.Status == task.PhaseFailed || p.Status == task.PhaseDropped {
			continue
		}
		for _, turn := range p.Turns[min(p.TierSince, len(p.Turns)):] {
			until, ok := clone.ParseTime(turn.Until)
			if ok && until.After(r.s.Clone.Now()) && until.After(r.parked[turn.Client]) {
				r.parked[turn.Client] = until
			}
		}
	}
}

// nextWake is when the first client that reached its limit may go on, where a phase waits for one.
func (r *run) nextWake() (until time.Time, waits bool) {
	for _, p := range r.candidates(r.task) {
		tier, _ := r.tierOf(r.task, p)
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
	if p.LastTurn().By == task.ByReview && !limitedUntil(p).IsZero() {
		return w.program(task.TierExecutive)
	}
	return client
}

// isOver reports that nothing that costs is begun any more, for what ended the run or used it up.
func (r *run) isOver() bool {
	if _, missing := errors.AsType[notRunError](r.over); !missing {
		r.over = cmp.Or(r.workers.used(r.began, r.cost()), r.over) // as it stands by now
	}
	return r.over != nil
}

// put puts a phase down as it stands: the next run goes on with it.
func (r *run) put(j *job) error {
	delete(r.jobs, j.phase.UID)
	return nil
}

// turn starts a worker on a phase, unless the run has used what it may.
func (r *run) turn(ctx context.Context, j *job, args []string) error {
	if r.isOver() {
		return r.put(j)
	}
	prompt, err := r.prompt(ctx, j)
	if err != nil {
		return err
	}
	if err := j.tree.check(ctx); err != nil {
		return r.giveUp(ctx, j, err.Error())
	}
	pause := j.pause()
	if j.quick == 1 {
		r.tell(Event{Kind: Noted, Phase: j.phase, Tier: j.tier, Text: "its worker failed at once: the next one waits " +
			pause.String() + ", and longer each time, up to " + maxPause.String()})
	}
	log := r.workers.open(j, string(j.tier))
	j.working, j.since, j.slow, j.log = true, r.s.Clone.Now(), 0, log
	j.said.Store(nil)
	r.tell(Event{Kind: Working, Phase: j.phase, Tier: j.tier, Client: j.client, Said: j.lastSaid})
	t := worker.Turn{
		Args: args, Dir: j.tree.dir, Env: r.workers.environ(j, j.tier), Prompt: prompt, PromptFile: j.tree.prompt,
		Limit: r.workers.limits.tier[j.tier], Silence: r.workers.limits.silence, Log: log,
		Keeper: r.workers.keeper, Held: r.workers.held, Said: func(event string) { j.said.Store(&event) },
	}
	r.beside(ctx, j, func(ctx context.Context) result {
		if err := sleep(ctx, pause); err != nil {
			return result{err: err} // no turn was begun
		}
		ended, err := worker.Run(ctx, t, r.s.Clone.Now)
		log.close()
		if err != nil && ctx.Err() == nil { // it has no file for its prompt: that is its failure
			ended.Failure, err = err.Error(), nil
		}
		if ended.NotRun {
			err = notRun(j.tier, ended.Failure)
		}
		return result{turn: &ended, err: err}
	})
	return nil
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
		return task.TurnBlocked, cmp.Or(lastLine(e.Text), "it does not say why")
	}
	return task.TurnSilent, "it ended without a line of <promise>; it said last: " + cmp.Or(lastLine(e.Text), "nothing")
}

// lastLine is the last line of a text that says something beside a signal.
func lastLine(text string) string {
	for _, line := range slices.Backward(strings.Split(worker.WithoutTags(text), "\n")) {
		line, _, _ = strings.Cut(line, "<promise>") // one without its end
		if line = strings.TrimSpace(line); line != "" {
			return invisible.Cut(invisible.Line(line), 500)
		}
	}
	return ""
}

// maxTook is longer than any turn takes, but where the clock leaps.
const maxTook = 365 * 24 * time.Hour

// costOf is what a turn cost.
func costOf(e worker.Ended) task.Cost {
	return task.Cost{
		MS: min(e.Took, maxTook).Milliseconds(), Input: e.Usage.Input, Output: e.Usage.Output,
		MicroUSD: int64(e.Usage.CostUSD * 1e6),
	}
}
