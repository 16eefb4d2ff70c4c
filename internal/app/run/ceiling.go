package run

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"strings"
	"time"

	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/app/config"
	"github.com/git-brew/git-brew/internal/task"
)

// Use is what turns took, and how many they were.
type Use struct {
	Cost  task.Cost
	Turns int
}

// Spent is what turns took: all of them under "", those of a tier under its name, and those on a
// phase under its UID.
type Spent map[string]Use

// add counts a turn of somebody.
func (s Spent) add(on task.UID, turn task.Turn) {
	if turn.Client == "" {
		return
	}
	of := []string{"", string(task.TierExecutive), string(on)}
	if turn.By.Worker() {
		of[1] = string(turn.By)
	}
	if turn.By == task.ByLook {
		of = of[:2]
	}
	for _, key := range of {
		use := s[key]
		s[key] = Use{use.Cost.Plus(turn.Cost), use.Turns + 1}
	}
}

// beyond says which ceiling was reached by what turns took, "" for none. it is what has them.
func beyond(it string, c config.Ceiling, use Use) string {
	switch usd := float64(use.Cost.MicroUSD) / 1e6; {
	case c.USD > 0 && usd >= c.USD:
		return fmt.Sprintf("%s has cost $%.2f, and run.budget allows $%g", it, usd, c.USD)
	case c.Time > 0 && use.Cost.MS >= c.Time.Milliseconds():
		return it + " has taken the time that run.limit allows"
	case c.Turns > 0 && use.Turns >= c.Turns:
		return fmt.Sprintf("%s has taken the %s that run.limit allows", it, task.Counted(c.Turns, "turn"))
	}
	return ""
}

// used says why a run that began at a time and took so much begins nothing any more that costs;
// "" where it may.
func (w *workers) used(began time.Time, s Spent) string {
	all := s[""]
	all.Cost.MS = w.now().Sub(began).Milliseconds()
	return beyond("the run", w.limits.ceilings[""], all)
}

// usedTier says why no turn of a tier is begun any more; "" where one may be.
func (w *workers) usedTier(tier task.Tier, s Spent) string {
	return beyond("the tier "+string(tier), w.limits.ceilings[string(tier)], s[string(tier)])
}

// usedPhase says why no worker begins on a phase any more; "" where one may.
func (w *workers) usedPhase(p task.Phase, s Spent) string {
	return beyond("it", w.limits.ceilings[config.OfPhase], s[string(p.UID)])
}

// ceiling says why nobody is asked any more about a phase's work that cost so much more by now; ""
// where somebody may be.
type ceiling func(more task.Turn) string

// ceiling holds for what is done beside the loop, by what was used until now.
func (w *workers) ceiling(began time.Time, s Spent, on task.UID) ceiling {
	now := maps.Clone(s)
	return func(more task.Turn) string {
		s := maps.Clone(now)
		s.add(on, more)
		return cmp.Or(w.used(began, s), w.usedTier(task.TierExecutive, s))
	}
}

const anew = "'git brew run' begins anew"

// isOver reports that nothing that costs is begun any more, for what ended the run or used it up.
func (r *run) isOver() bool {
	if _, missing := errors.AsType[notRunError](r.over); !missing {
		if why := r.workers.used(r.began, r.spent); why != "" { // as it stands by now
			r.over = clone.Refuse(anew, "%s", why)
		}
	}
	return r.over != nil
}

// postpone leaves a phase to the next run, for a ceiling of its tier. The others go on.
func (r *crew) postpone(j *job, why string) {
	r.postponed[j.phase.UID] = why
	r.noted(j.phase, "it waits for the next run: "+why)
	r.forget(j)
}

// leftOver says that phases wait for the next run; nil where none does.
func (r *crew) leftOver() error {
	var ids []string
	last := ""
	for _, p := range r.task.Phases {
		if why := r.postponed[p.UID]; why != "" {
			ids, last = append(ids, p.ID), why
		}
	}
	if len(ids) == 0 {
		return nil
	}
	return clone.Refuse(anew, "phase %s waits for the next run: %s", strings.Join(ids, ", "), last)
}
