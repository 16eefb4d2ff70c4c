package run

import (
	"slices"
	"strings"
	"time"

	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/app/config"
	"github.com/git-brew/git-brew/internal/prd"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/rules"
)

// Options say what a run does.
type Options struct {
	// Parallel is how many workers work side by side; 0: what the setting says.
	Parallel int
	// Only and Skip are shown ids of phases; no Only: all. From and Until bound the phases,
	// in their order; "": nothing does.
	Only, Skip  []string
	From, Until string
	// Walkaway: nobody is there; an executive decides on a phase that would fail.
	Walkaway bool
	// Began and Spent are of the runs of other tasks that this one goes on after: what the
	// settings allow is for all of them.
	Began time.Time
	Spent Spent
	// Settings are those that kept ones are of; nil: as they are when the run begins.
	Settings *config.Settings
	// Share hands the record over to others in the background, where that is agreed.
	Share func()
	// Keeper is the command line that ends workers should this process be gone.
	Keeper []string
	// Tell is told what happens, as it happens, and Show how the run stands, when that changed.
	Tell func(Event)
	Show func(Standing)
}

// wanted reports whether a run is asked to work on a phase.
func (o Options) wanted(t task.Task, p task.Phase) bool {
	at := t.PhaseIndex(p.UID)
	from, until := bound(t, o.From, 0), bound(t, o.Until, len(t.Phases))
	return (len(o.Only) == 0 || slices.Contains(o.Only, p.ID)) && !slices.Contains(o.Skip, p.ID) &&
		from <= at && at <= until && t.ForWorkers(p)
}

// bound is the place of a phase by its id, or what holds where none is named.
func bound(t task.Task, id string, none int) int {
	for i, p := range t.Phases {
		if p.ID == id {
			return i
		}
	}
	return none
}

// named are the options with phases by the ids that they have. It refuses ids that no phase
// has, and bounds that are the wrong way round.
func (o Options) named(t task.Task) (Options, error) {
	o.Only, o.Skip = slices.Clone(o.Only), slices.Clone(o.Skip)
	ids := []*string{&o.From, &o.Until}
	for _, list := range [][]string{o.Only, o.Skip} {
		for i := range list {
			ids = append(ids, &list[i])
		}
	}
	for _, id := range ids {
		if *id == "" {
			continue
		}
		p, err := t.FindPhase(*id)
		if err != nil {
			return o, err
		}
		*id = p.ID
	}
	if bound(t, o.From, 0) > bound(t, o.Until, len(t.Phases)) {
		return o, clone.Invalid("name them the other way round",
			"phase %s, which --from names, comes after phase %s, which --until names", o.From, o.Until)
	}
	return o, nil
}

// watched refuses, where nobody is there, a phase whose commands run nothing of the work (BR-5).
func (o Options) watched(t task.Task) error {
	for _, p := range t.Phases {
		shows := func(command string) bool { return prd.CheckOf(command).Shows() }
		if p.Status.Over() || len(p.Verification) == 0 || !o.wanted(t, p) || slices.ContainsFunc(p.Verification, shows) {
			continue
		}
		return clone.Refuse("'git brew phase edit "+p.ID+" --verify COMMAND' adds one",
			"nobody watches, and no command of phase %s runs anything of its work", p.ID)
	}
	return nil
}

// begins refuses a run of named phases that all wait for others.
func (o Options) begins(t task.Task) error {
	var first []string
	for _, p := range t.Phases {
		waits := rules.Blockers(t, p)
		if p.Status != task.PhasePending || len(waits) == 0 {
			if o.wanted(t, p) {
				return nil
			}
			continue
		}
		if o.wanted(t, p) {
			first = append(first, "phase "+p.ID+" waits: "+strings.Join(waits, ", "))
		}
	}
	if len(first) == 0 {
		return clone.Refuse("'git brew run -n' says why", "no phase is left for workers")
	}
	return clone.Refuse("'git brew run' without it begins what is ready", "%s", strings.Join(first, "; "))
}
