package run

import (
	"strings"
	"testing"
	"time"

	"github.com/git-brew/git-brew/internal/app/change"
	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/app/config"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/worker"
)

// timedRun is a run that began at a time, with a clock that the test sets.
func timedRun(now *time.Time) *run {
	r := (&Runs{Engine: &change.Engine{Clone: &clone.Clone{Now: func() time.Time { return *now }}}}).newRun("", Options{})
	r.began, r.workers = *now, &workers{set: config.Defaults(), now: r.s.Clone.Now}
	return r
}

// run.limit and run.budget are ceilings: from the moment, and the cent, on that they name nothing
// is begun. Both are of the run as a whole, with those of other tasks that it goes on after.
func TestIsOver_BR9_ceilings(t *testing.T) {
	began := time.Date(2026, 1, 5, 9, 0, 0, 0, time.UTC)
	limit, budget := map[config.Key]string{config.KeyRunLimit: "1h"}, map[config.Key]string{config.KeyRunBudget: "0.5"}
	for name, c := range map[string]struct {
		set    map[config.Key]string
		after  time.Duration
		before time.Duration // of runs that this one goes on after
		cost   task.Cost
		spent  task.Cost // by those
		want   string
	}{
		"no ceiling": {after: 1000 * time.Hour, cost: task.Cost{MicroUSD: 1e9}},
		"in time":    {set: limit, after: time.Hour - 1},
		"too long":   {set: limit, after: time.Hour, want: "the run has taken the time that run.limit allows"},
		"too long altogether": {
			set: limit, after: 1, before: time.Hour, want: "run.limit",
		},
		"cheap enough": {set: budget, cost: task.Cost{MicroUSD: 499999}},
		"too much":     {set: budget, cost: task.Cost{MicroUSD: 5e5}, want: "cost $0.50"},
		"too much altogether": {
			set: budget, cost: task.Cost{MicroUSD: 1e5}, spent: task.Cost{MicroUSD: 4e5}, want: "run.budget allows $0.5",
		},
	} {
		t.Run(name, func(t *testing.T) {
			now := began.Add(-c.before)
			r := timedRun(&now)
			for key, value := range c.set {
				r.workers.set.Put(key, "test", value)
			}
			r.workers.limits.ceilings = r.workers.set.Ceilings()
			r.spent[""] = Use{Cost: c.spent}
			r.spent.add("1", task.Turn{By: task.ByReview, Client: "claude", Cost: c.cost})
			now = began.Add(c.after)
			if over := r.isOver(); over != (c.want != "") || over && !strings.Contains(r.over.Error(), c.want) {
				t.Errorf("over: %t, for %v", over, r.over)
			}
		})
	}
}

// Each turn counts for the run, the tier that it was, and the phase; a look at the whole for no phase,
// and what nobody was at work on for nothing.
func TestSpent_BR9_whoseTurnsAre(t *testing.T) {
	s, cent := Spent{}, task.Cost{MicroUSD: 1e4}
	for _, turn := range []task.Turn{
		{By: task.ByJunior}, {By: task.ByJunior}, {By: task.ByReview}, {By: task.ByDecision}, {By: task.ByLook},
	} {
		turn.Client, turn.Cost = "claude", cent
		s.add("1", turn)
	}
	s.add("1", task.Turn{By: task.ByChecks, Cost: cent})
	for of, want := range map[string]int{"": 5, "junior": 2, "senior": 0, "executive": 3, "1": 4} {
		if got := s[of]; got.Turns != want || got.Cost.MicroUSD != int64(want)*1e4 {
			t.Errorf("of %q: %+v, not %d", of, got, want)
		}
	}
	w := &workers{limits: limits{ceilings: map[string]config.Ceiling{
		"junior": {USD: 0.02}, "executive": {Turns: 4}, config.OfPhase: {USD: 0.04},
	}}}
	if why := w.usedTier(task.TierJunior, s); why != "the tier junior has cost $0.02, and run.budget allows $0.02" {
		t.Errorf("junior: %q", why)
	}
	if why := w.usedTier(task.TierExecutive, s); why != "" {
		t.Errorf("executive: %q", why)
	}
	if why := w.usedPhase(task.Phase{UID: "1"}, s); why != "it has cost $0.04, and run.budget allows $0.04" {
		t.Errorf("the phase: %q", why)
	}
	w.limits.ceilings[config.OfPhase] = config.Ceiling{Time: time.Minute}
	for ms, want := range map[int64]string{59_999: "", 60_000: "it has taken the time that run.limit allows"} {
		if why := w.usedPhase(task.Phase{UID: "2"}, Spent{"2": {Cost: task.Cost{MS: ms}}}); why != want {
			t.Errorf("after %d ms: %q", ms, why)
		}
	}
}

// Who reached a limit begins again a minute after the time that its client named, 16 minutes from now
// where it named none; a phase that was reset, and one that nobody works on, keeps no client parked.
func TestPark_BR9_whoReachedALimit(t *testing.T) {
	now := time.Date(2026, 1, 5, 9, 0, 0, 0, time.UTC)
	r := timedRun(&now)
	turn := task.Turn{Client: "claude", Outcome: task.TurnLimited}
	r.limited(&turn, time.Time{})
	if turn.Until != "2026-01-05T09:16:00Z" || !r.parked["claude"].Equal(now.Add(16*time.Minute)) {
		t.Errorf("no time: until %s, parked until %s", turn.Until, r.parked["claude"])
	}
	r.limited(&turn, now.Add(time.Hour))
	if turn.Until != "2026-01-05T10:01:00Z" || !r.parked["claude"].Equal(now.Add(61*time.Minute)) {
		t.Errorf("an hour: until %s, parked until %s", turn.Until, r.parked["claude"])
	}
	waits := task.Phase{UID: "1", Status: task.PhaseInProgress, Turns: []task.Turn{turn}}
	for name, c := range map[string]struct {
		change func(*task.Phase)
		at     time.Duration
		parked bool
	}{
		"at work":     {func(*task.Phase) {}, 0, true},
		"over":        {func(*task.Phase) {}, 61 * time.Minute, false},
		"reset":       {func(p *task.Phase) { p.Status = task.PhasePending }, 0, false},
		"failed":      {func(p *task.Phase) { p.Status = task.PhaseFailed }, 0, false},
		"dropped":     {func(p *task.Phase) { p.Status = task.PhaseDropped }, 0, false},
		"begun anew":  {func(p *task.Phase) { p.TierSince = 1 }, 0, false},
		"in review":   {func(p *task.Phase) { p.Status = task.PhaseInReview }, 0, true},
		"and then on": {func(p *task.Phase) { p.Turns = append(p.Turns, task.Turn{Client: "claude"}) }, 0, true},
	} {
		p := waits
		c.change(&p)
		now = time.Date(2026, 1, 5, 9, 0, 0, 0, time.UTC).Add(c.at)
		r.park(task.Task{Phases: []task.Phase{p}})
		if _, is := r.parked["claude"]; is != c.parked {
			t.Errorf("%s: parked %t", name, is)
		}
	}
}

// A worker that fails at once is not started again at once: the pause doubles up to a minute. One
// that took its time, or was ended for taking it, has failed at its work.
func TestBackOff_BR12_failedAtOnce(t *testing.T) {
	j := &job{}
	var got []time.Duration
	for range 9 {
		j.backOff(worker.Ended{})
		got = append(got, j.pause())
	}
	for i, want := range []time.Duration{1, 2, 4, 8, 16, 32, 60, 60, 60} {
		if got[i] != want*time.Second {
			t.Errorf("after %d: %s, want %ds", i+1, got[i], want)
		}
	}
	for _, e := range []struct {
		took     time.Duration
		timedOut bool
	}{{atOnce, false}, {0, true}} {
		j.quick = 3
		if j.backOff(worker.Ended{Took: e.took, TimedOut: e.timedOut}); j.pause() != 0 {
			t.Errorf("%+v: it waits %s", e, j.pause())
		}
	}
}
