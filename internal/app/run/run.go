// Package run carries out the phases of a task with workers: it starts other programs, one
// for each phase, in work trees of their own, checks what they did, and merges what is
// proved. What it knows stands in the task's record and in git's branches: a run that was
// killed goes on from there.
package run

import (
	"cmp"
	"context"
	"maps"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/git-brew/git-brew/internal/app/change"
	"github.com/git-brew/git-brew/internal/app/claim"
	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/app/config"
	"github.com/git-brew/git-brew/internal/app/learn"
	"github.com/git-brew/git-brew/internal/app/phase"
	"github.com/git-brew/git-brew/internal/app/trees"
	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/invisible"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/lease"
	"github.com/git-brew/git-brew/internal/task/rules"
	"github.com/git-brew/git-brew/internal/worker"
)

// Runs carries out phases with workers.
type Runs struct {
	*change.Engine
	Claims    *claim.Claims
	Knowledge *learn.Knowledge
	Phases    *phase.Phases

	limits map[task.ID]map[string]time.Time // of clients, in each task, as they were read last
}

// run is one run under way: what it has on record, the branch that it merges to, and the jobs
// that are under way. Its loop alone changes any of them; what works beside it only looks, and
// works in trees.
type run struct {
	*record
	target
	crew
	workers *workers
	// parallel is how many workers there are at once.
	parallel int
	over     error // why no turn is begun any more, nil where one may be
	done     chan result
	// remediated is how often a look at the whole added phases.
	remediated int
	toldKept   map[config.Key]string // what kept settings were when that was told last
}

type job struct {
	phase   task.Phase
	tree    trees.Tree
	plan    string // as it was read last
	tier    task.Tier
	client  string
	signal  worker.Signal
	working bool // a worker is at it
	errors  int  // of checks of its work
	quick   int  // turns in a row that ended at once in vain
	// until is when the next one begins, after such turns; zero: it has.
	until time.Time
	// onto is what its worker was told to merge last. conflicts counts how often it was told,
	// unmerged how often in vain.
	onto                gitstore.OID
	conflicts, unmerged int
	doing               Doing                  // as it was shown last
	since               time.Time              // that it is so, and that a turn began
	slow                int                    // how often it was told that the turn is slow
	log                 *logFile               // of the turn, until that is recorded
	said                atomic.Pointer[string] // its client's last event
	from                gitstore.OID           // where the task's branch was when the run took it
	branch              trees.Branch           // as it was seen last
	met                 map[task.UID]string    // the files in which it conflicts with another phase, "" for none
	asked               *question              // what becomes of it is being decided; nil: it is not
	stop                context.CancelFunc     // ends what is done beside the loop; nil: nothing ever was
	gone                string                 // what others did that ends the work on it, "" for nothing
}

// result is what came of something that was done beside the loop.
type result struct {
	job      *job
	turn     *worker.Ended // of a worker's turn
	proof    *proof        // of a check of its work
	decision *decision     // on a phase that would fail
	view     *view         // of the whole
	tell     *Event        // what is to be told; what was begun goes on
	err      error
}

// Summary is what a run came to.
type Summary struct {
	Task task.Task
	// Worked are the phases that it was asked for and that workers had. Completed and Failed are
	// those that ended in this run, Before those that had failed when it began and have yet, Left
	// the others that are not completed, with why.
	Worked                    []task.Phase
	Completed, Failed, Before []string
	Left                      []string
	// Hands are the commands that hand over to others what they don't get by themselves.
	Hands []string
	Cost  task.Cost
	// Spent is what this run took, and those that it went on after.
	Spent Spent
	// Settings are what it went by, as they were when it began.
	Settings *config.Settings
}

// newRun is a run of a task that has begun nothing.
func (s *Runs) newRun(id task.ID, o Options) *run {
	on := &record{
		s: s, o: o, id: id, trees: trees.Trees{Repo: s.Clone.Repo, ID: id}, parked: map[string]time.Time{},
		spent: Spent{},
	}
	maps.Copy(on.spent, o.Spent)
	on.ended.Spent, on.ended.Settings = on.spent, o.Settings
	return &run{
		record: on, target: target{record: on},
		crew: crew{
			record: on, jobs: map[task.UID]*job{}, waits: map[task.UID]string{}, missed: map[task.UID]int{},
			postponed: map[task.UID]string{},
		},
		done: make(chan result), workers: &workers{}, toldKept: map[config.Key]string{},
	}
}

// Run works on a task, under the caller's lock, until nothing can be
// done any more, or ctx ends it. A run that stands at a client's limit waits for it.
//
// The task is started first, with its lock taken over where the run that had it is gone.
func (s *Runs) Run(ctx context.Context, id task.ID, o Options,
	start func(ctx context.Context, steal bool) (notes []string, err error),
) (Summary, error) {
	r := s.newRun(id, o)
	unlock, err := r.prepare(ctx)
	if err != nil {
		return r.ended, err
	}
	defer unlock()
	if err := patiently(ctx, func() error {
		notes, err := start(ctx, s.Left(ctx, id))
		for _, text := range notes {
			r.tell(Event{Kind: Noted, Text: text})
		}
		return err
	}); err != nil {
		return r.ended, err
	}
	r.unshared(ctx)
	if err = r.standOn(ctx); err == nil {
		err = r.sweep(ctx)
	}
	if err == nil {
		r.tell(Event{Kind: Began, Total: task.CountPhases(r.task).Wanted()})
		was := readYours(ctx, r)
		err = r.loop(ctx)
		r.drain() // who still works was told to end
		tellYours(ctx, r, was)
	}
	r.tell(Event{Kind: Ended, Completed: len(r.ended.Completed), Failed: len(r.ended.Failed)})
	after, rerr := s.Engine.Update(context.WithoutCancel(ctx), id, s.Claims.Release)
	r.close(after)
	r.ended.Hands = r.handOver(context.WithoutCancel(ctx))
	for _, p := range after.Phases {
		if len(p.Turns) > 0 && r.o.wanted(after, p) {
			r.ended.Worked = append(r.ended.Worked, p)
		}
		itself := p.Status == task.PhaseFailed && p.FailedBy == ""
		if itself && slices.Contains(r.ended.Failed, p.ID) {
			continue // it is told as failed
		}
		why := cmp.Or(whyLeft(after, p), r.untrusted(ctx, p))
		if waits := rules.Blockers(after, p); why == "" && err == nil && p.Status == task.PhasePending && len(waits) > 0 {
			why = "it waits: " + strings.Join(waits, ", ")
		}
		if !p.Status.Over() && why != "" && r.o.wanted(after, p) {
			r.ended.Left = append(r.ended.Left, p.ID+" "+p.Title+": "+why)
		}
		if itself && r.o.wanted(after, p) {
			r.ended.Before = append(r.ended.Before, p.ID)
		}
	}
	return r.ended, cmp.Or(err, rerr)
}

// close shows how a run stands that has ended, and takes away what says that it is at work.
func (r *run) close(after task.Task) {
	r.ended.Task = after
	if r.looking, r.until = nil, (time.Time{}); after.ID != "" { // else it can't be read
		r.task = after
	}
	clear(r.jobs)
	r.show()
	_ = os.Remove(r.files.live)
}

// prepare reads what the run needs, and keeps others of this clone from running the task.
func (r *run) prepare(ctx context.Context) (unlock func(), err error) {
	if err := r.settings(ctx); err != nil {
		return nil, err
	}
	if r.began = r.o.Began; r.began.IsZero() {
		r.began = r.s.Clone.Now()
	}
	t, err := r.s.Records.Task(ctx, r.id)
	if err != nil {
		return nil, err
	}
	if len(t.Services) > 0 {
		return nil, clone.Refuse("work on it with an agent of yours", "a task over submodules is not run by workers")
	}
	if r.o, err = r.o.named(t); err != nil {
		return nil, err
	}
	if err = r.o.begins(t); err == nil && r.o.Walkaway {
		err = r.o.watched(t)
	}
	if err != nil {
		return nil, err
	}
	if err := r.programs(ctx, t); err != nil {
		return nil, err
	}
	r.s.readLimits(ctx)
	locked, err := r.s.lockRun(ctx, r.id, patience)
	if err != nil {
		return nil, err
	}
	r.locked, r.workers.held, r.s.Clone.Ledger.Remember = locked, locked.workers, true
	if locked.ended {
		r.tell(Event{Kind: Noted, Text: "ended the worker of a run that was killed with what kept it"})
	}
	if names := r.workers.withheld(); len(names) > 0 {
		r.tell(Event{Kind: Noted, Text: "workers do not get what has a key or a password in it: " +
			invisible.Line(strings.Join(names, ", ")) + "; 'git brew config set run.env NAME' hands it on"})
	}
	if t.Status == task.Paused && t.Reason != "" {
		r.tell(Event{Kind: Noted, Text: "the task was paused, which this run ends: " + t.Reason})
	}
	return locked.close, nil
}

// programs refuses a run whose workers, or whose phases' commands, can't be executed, or are
// not trusted.
func (r *run) programs(ctx context.Context, t task.Task) error {
	for _, tier := range tiers {
		if _, err := r.workers.command(tier); err != nil {
			return err
		}
	}
	var mine []task.Phase
	for _, p := range t.Phases {
		if p.Status.Over() || whyLeft(t, p) != "" || !r.o.wanted(t, p) {
			continue
		}
		if err := missingProgram(p); err != nil {
			return err
		}
		mine = append(mine, p)
	}
	return r.trusted(ctx, mine...)
}

// settings reads the settings anew: what begins from now on is by them (BR-26), but for kept ones.
func (r *run) settings(ctx context.Context) error {
	r.s.Config.Forget()
	set, err := r.s.Config.Settings(ctx)
	if err != nil {
		return err
	}
	if r.ended.Settings == nil {
		r.ended.Settings = set
	}
	r.tellKept(set)
	held := r.workers.held
	r.workers = newWorkers(r, set)
	r.workers.held, r.parallel = held, r.o.Parallel
	if r.parallel <= 0 {
		r.parallel = set.Count(config.KeyRunParallel)
	}
	return nil
}

// mayTake says who holds the task's lock, nil where a run may take it.
func (s *Runs) mayTake(ctx context.Context, id task.ID) error {
	l, err := s.Records.LockBrief(ctx, id)
	if err != nil || s.Locks.Stale(l) {
		return err
	}
	who := s.Clone.Who()
	who.Session = task.RunPrefix // as which it asks
	return lease.Allows(l, who, s.Clone.Now())
}

// Left reports that the task's lock is that of a run of this clone, which is gone where its
// file is free.
func (s *Runs) Left(ctx context.Context, id task.ID) bool {
	l, err := s.Records.LockBrief(ctx, id)
	return err == nil && l.Held && lease.OfRun(l) && l.Clone == s.Clone.ID
}
