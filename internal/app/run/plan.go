package run

import (
	"cmp"
	"context"
	"errors"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/app/trees"
	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/invisible"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/rules"
)

// Planned is a phase that a run would begin, and who would.
type Planned struct {
	Phase task.Phase
	Tier  task.Tier
	Why   string // of the tier
	// Program is what the tier's workers are.
	Program string
	// Apart is why it was not in the wave before, though nothing that it depends on was
	// missing; "" where that is not so.
	Apart string
	// Meets says which other phases that were begun what is committed of it conflicts with.
	Meets string
	// Waits says until when its client has reached a limit, which the run waits for.
	Waits string
}

// Forecast is what a run would do if each phase succeeded at once.
type Forecast struct {
	// Waves are phases that workers would be at side by side, Left those that the run
	// leaves, with why.
	Waves [][]Planned
	Left  []string
	// Missing is the program without which the run begins nothing; nil: none is missing.
	Missing error
	// Held is why the run would be refused as it stands, and Paused why the task waits, which a
	// run ends; "" for neither.
	Held, Paused string
}

// Plan tells what a run would do.
func (s *Runs) Plan(ctx context.Context, id task.ID, o Options) (f Forecast, err error) {
	r := s.newRun(id, o)
	if err := r.settings(ctx); err != nil {
		return f, err
	}
	t, err := s.Records.Task(ctx, id)
	if err != nil {
		return f, err
	}
	if r.o, err = o.named(t); err != nil {
		return f, err
	}
	f.Missing = r.programs(ctx, t)
	f.Held = s.heldBy(ctx, t, o)
	if t.Status == task.Paused {
		f.Paused = cmp.Or(t.Reason, string(t.Cause))
	}
	if s.limits == nil {
		s.readLimits(ctx)
	}
	r.park(t)
	over := map[task.UID]bool{}
	var first, waiting []task.Phase // what was begun goes on first
	kept := map[task.UID]string{}
	for _, p := range t.Phases {
		switch {
		case p.Status.Over():
			over[p.UID] = true
		case !r.o.wanted(t, p) || whyLeft(t, p) != "":
			f.Left = append(f.Left, p.ID+" "+p.Title+": "+cmp.Or(whyLeft(t, p), "it is left out"))
		case t.WithWorkers(p):
			first = append(first, p)
		default:
			waiting = append(waiting, p)
		}
	}
	waiting = slices.Concat(first, waiting)
	begun := map[task.UID]trees.Branch{}
	if _, tip, err := r.tip(ctx, t); err == nil { // else nothing of it is here
		begun = r.trees.Branches(ctx, first, tip)
	}
	for {
		wave := r.wave(t, waiting, over, kept, begun)
		if len(wave) == 0 {
			break
		}
		for _, p := range wave {
			over[p.Phase.UID] = true
		}
		waiting = slices.DeleteFunc(waiting, func(p task.Phase) bool { return over[p.UID] })
		f.Waves = append(f.Waves, wave)
	}
	for _, p := range waiting {
		why := "it waits for one of these"
		if len(f.Waves) == 0 {
			why = "it waits: " + strings.Join(rules.Blockers(t, p), ", ")
		}
		f.Left = append(f.Left, p.ID+" "+p.Title+": "+why)
	}
	return f, nil
}

// heldBy says who keeps a run from the task: another run of this clone, somebody's lock, or
// work that is on another clone. It ends nothing, as lockRun does.
func (s *Runs) heldBy(ctx context.Context, t task.Task, o Options) string {
	held, err := s.Clone.Repo.Lock(ctx, s.Clone.RunFile(t.ID), 0)
	if errors.Is(err, gitstore.ErrLocked) {
		return "the task is being run here already; 'git brew status --watch' shows how it stands"
	}
	if err == nil { // else no run was there yet
		_ = held.Close()
	}
	err = nil
	if !s.Left(ctx, t.ID) {
		err = s.mayTake(ctx, t.ID)
	}
	if err == nil && o.Walkaway {
		err = o.watched(t)
	}
	what, bring := s.Place.MissingWork(ctx, t)
	switch {
	case err != nil:
		return err.Error()
	case what != "":
		return what + "; " + bring
	}
	return ""
}

// wave are the phases that a run would work on side by side, of those that wait. kept says of
// others why they are not among them.
func (r *run) wave(t task.Task, waiting []task.Phase, over map[task.UID]bool, kept map[task.UID]string,
	begun map[task.UID]trees.Branch,
) (wave []Planned) {
	var with []trees.Branch
	waits := func(on task.UID) bool { return !over[on] }
	for _, p := range waiting {
		if len(wave) == r.parallel || slices.ContainsFunc(t.DependenciesOf(p), waits) {
			continue
		}
		if why := apart(p, with); why != "" && p.Status == task.PhasePending {
			kept[p.UID] = "kept apart, for " + why
			continue
		}
		now := begun[p.UID]
		now.Phase = p
		tier, because := tierOf(t, p)
		next := Planned{
			Phase: p, Tier: tier, Why: because, Program: r.workers.program(tier), Apart: kept[p.UID], Meets: now.Meets,
		}
		client := r.workers.waitsFor(p, next.Program)
		if until, waits := r.parked[client]; waits {
			next.Waits = "it waits for the limit of " + client + ", until " + localTime(until, r.s.Clone.Now())
		}
		wave = append(wave, next)
		with = append(with, now)
	}
	return wave
}

// whyLeft says why a run does not begin a phase, and what lets it; "" where it would.
func whyLeft(t task.Task, p task.Phase) string {
	mine := p.Claim.Worker == task.RunWorker
	switch {
	case len(p.Agents) > 0:
		return "agents owe reports on it: 'git brew phase edit " + p.ID + " --no-agent NAME' ends that"
	case p.Kind == task.KindVerification || p.Kind == task.KindFinalReview:
		return "what verifies or reviews others' work is no worker's"
	case !t.ForWorkers(p):
		return "its verification completes it, which is no worker's"
	case p.Status == task.PhaseFailed && p.FailedBy != "":
		if by, is := t.Phase(p.FailedBy); is {
			how := "which failed"
			if by.FailedBy != "" {
				how = "which waits, too"
			}
			return "it waits for phase " + by.ID + ", " + how
		}
		fallthrough
	case p.Status == task.PhaseFailed:
		return "it failed; 'git brew phase reset " + p.ID + "' has it tried again, 'git brew phase drop " + p.ID +
			" -m WHY' goes without it"
	case p.Status == task.PhaseInReview && (!mine || p.Review == task.ReviewChanges):
		return "it awaits what you say of it"
	case p.Status == task.PhaseInProgress && !mine:
		return "somebody else has begun it; 'git brew phase reset " + p.ID + "' gives it to the workers"
	}
	return ""
}

// apart says why a phase is not begun beside others: it names a file that another one names, too,
// or has changed by now, or one a directory that the other one's file is in. "" where nothing is
// known to meet.
func apart(p task.Phase, others []trees.Branch) string {
	for _, other := range others {
		for _, a := range namedPaths(p) {
			meets := func(b string) bool {
				return a == b || strings.HasPrefix(a, b+"/") || strings.HasPrefix(b, a+"/")
			}
			names := namedPaths(other.Phase)
			if i := slices.IndexFunc(names, meets); i >= 0 {
				return "phase " + other.Phase.ID + " names " + names[i] + ", too"
			}
			if i := slices.IndexFunc(other.Changed, meets); i >= 0 {
				return "phase " + other.Phase.ID + " has changed " + invisible.Line(other.Changed[i])
			}
		}
	}
	return ""
}

// namedPaths are the files and directories that a phase's title and criteria name: words
// with a slash inside, or a short ending.
func namedPaths(p task.Phase) []string {
	word := regexp.MustCompile(`[A-Za-z0-9_.-]+(?:/[A-Za-z0-9_.-]+)+/?|[A-Za-z0-9_-]+\.[a-z][a-z0-9]{0,4}\b`)
	var all []string
	for _, text := range append([]string{p.Title}, p.Acceptance...) {
		for _, name := range word.FindAllString(text, -1) {
			if name = path.Clean(strings.Trim(name, ".")); !slices.Contains(all, name) {
				all = append(all, name)
			}
		}
	}
	return all
}
