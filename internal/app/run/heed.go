package run

import (
	"context"
	"slices"
	"time"

	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/ledger"
	"github.com/git-brew/git-brew/internal/task"
)

// glance is how often a run looks whether somebody else changed the task, or took its lock.
const glance = time.Second

// wait waits until there is something to go on with, and does what follows from that.
func (r *run) wait(ctx context.Context, wake, beat <-chan time.Time) error {
	look := time.NewTicker(glance)
	defer look.Stop()
	for {
		r.show()
		select {
		case res := <-r.done:
			return r.handle(ctx, res)
		case <-wake:
			r.s.readLimits(ctx)
			return nil
		case <-beat:
			r.beat()
			return nil
		case <-look.C:
			if err := r.intact(); err != nil {
				return err
			}
			if at, err := r.tips(ctx); r.missTrees() || err != nil || at != r.seen { // somebody else changed it
				return nil
			}
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

type crew struct {
	*record
	jobs map[task.UID]*job
	// queue are jobs whose work waits to be proved, one after the other; proving is the one
	// that is. first is at work on a merge, for which all others' merges wait.
	queue          []*job
	proving, first *job
	// looking has the tree in which an executive looks at the whole; nil: nobody does.
	looking *job
	waits   map[task.UID]string // why phases wait that could begin, as it was told last
	missed  map[task.UID]int    // how often a phase's tree was taken away
	// postponed are phases that wait for the next run, and why.
	postponed map[task.UID]string
	until     time.Time // when a limit ends that all workers wait for; zero: they don't
	shown     Standing  // how the run stood when that was shown last
}

// isBusy reports whether something is done beside the loop for a job.
func (r *crew) isBusy(j *job) bool { return j.working || j.asked != nil || r.proving == j }

// tips are where a task's record and its lock are.
type tips struct{ task, lock gitstore.OID }

func (r *record) tips(ctx context.Context) (at tips, err error) {
	if at.task, err = r.s.Clone.Ledger.Tip(ctx, ledger.TaskRef(string(r.id))); err != nil {
		return at, err
	}
	at.lock, err = r.s.Clone.Ledger.Tip(ctx, ledger.LockRef(string(r.id)))
	return at, err
}

// heed reads the task, where it changed since the run read it last, and ends what others have
// taken from the run: the work on a phase that they dropped, reset or judged, or, with an
// error, all of it.
func (r *run) heed(ctx context.Context) error {
	at, err := r.tips(ctx)
	if err != nil || at == r.seen {
		return err
	}
	if at.task.IsZero() {
		return clone.Refuse("'git brew sync' brings back what a remote has of it",
			"the task's record was taken away while workers were at work")
	}
	t, err := r.s.Records.Task(ctx, r.id)
	switch {
	case err != nil:
		return err
	case t.Deleted:
		return clone.DeletedError(r.id)
	case t.Status.Terminal():
		return clone.Refuse("'git brew start --restart' takes it up again", "the task is %s now", t.Status)
	case t.Status == task.Paused:
		return clone.Refuse("'git brew run' goes on, and ends the pause", "the task is %s now", t.Status)
	case t.Status != task.InProgress:
		return clone.Refuse("'git brew run' goes on", "the task is %s now", t.Status)
	}
	l, err := r.s.Records.LockBrief(ctx, r.id)
	if err == nil {
		err = r.s.Locks.Allows(l)
	}
	if err != nil {
		return err
	}
	r.seen, r.task = at, t
	for _, j := range r.jobs {
		if why := whyGone(t, j.phase); why != "" && j.gone == "" {
			r.leave(j, why)
		}
	}
	return nil
}

// whyGone says what others did to a phase that the run works on, as it left it; "" for nothing
// that ends the work.
func whyGone(t task.Task, mine task.Phase) string {
	p, is := t.Phase(mine.UID)
	switch {
	case !is:
		return "it was taken out"
	case p.Status == task.PhaseDropped:
		return "it was dropped"
	case p.Status == task.PhasePending || p.Iteration != mine.Iteration:
		return "it was reset"
	case p.Status != mine.Status:
		return "it is " + p.Status.String() + " now, by somebody else"
	case p.Claim.Worker != task.RunWorker:
		return "somebody else has begun it"
	case !t.ForWorkers(p):
		return "it is not for workers any more"
	}
	return ""
}

// leave ends the work on a phase. Where its worker is still at it, that ends first.
func (r *crew) leave(j *job, why string) {
	j.gone = why
	text := why + ": its work ends, and stays in " + j.tree.Dir
	if why == treeGone {
		text = why + ": it is made anew, and the turn does not count"
	}
	r.tell(Event{Kind: Noted, Phase: j.phase, Tier: j.tier, Text: text})
	if j.stop != nil {
		j.stop()
	}
	if !r.isBusy(j) {
		r.forget(j)
	}
}

// forget takes a phase off the run's list: what it is now decides whether it is begun anew.
func (r *crew) forget(j *job) {
	delete(r.jobs, j.phase.UID)
	r.queue = slices.DeleteFunc(r.queue, func(other *job) bool { return other == j })
}
