package clone

import (
	"slices"

	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/route"
)

// What a command is about where no phase is named: nobody's work is handed over,
// approved or given up because it was begun last.

// Whose says for whose phases the caller asks.
func (c Caller) Whose() route.Assignee { return route.Assignee{Worker: c.Worker, Session: c.Session} }

// DefaultPhase chooses the phase that a command is about where none was named: the
// caller's own, where it claimed one; else the current one. Where that, or what
// fits, could be several that are under way, it asks.
func (s *Clone) DefaultPhase(fits func(task.Phase) bool) func(task.Task) (task.Phase, error) {
	return func(t task.Task) (task.Phase, error) {
		who := s.Caller.Whose()
		own := route.Own(t, who)
		if mine := fitting(own, fits); len(mine) == 1 {
			return mine[0], nil
		} else if len(mine) > 1 {
			return task.Phase{}, ask(mine)
		}
		switch n := len(own); {
		case n > 0:
			return own[n-1], nil // it says why not that one
		case who.Worker != "":
			return task.Phase{}, Refuse("'git brew next --claim --worker "+who.Worker+"' takes one; or name the phase",
				"worker %q has no phase under way", who.Worker)
		}
		current, ok := t.CurrentPhase()
		could := fitting(route.UnderWay(t), func(p task.Phase) bool { return fits(p) || p.UID == current.UID })
		switch {
		case len(could) > 1:
			return task.Phase{}, ask(could)
		case len(could) == 1: // the current one may wait for it
			return could[0], nil
		case ok:
			return current, nil
		}
		return task.Phase{}, Refuse("name one, see 'git brew phase list'", "no phase is under way")
	}
}

func fitting(phases []task.Phase, fits func(task.Phase) bool) []task.Phase {
	return slices.DeleteFunc(slices.Clone(phases), func(p task.Phase) bool { return !fits(p) })
}

func ask(phases []task.Phase) error {
	return Refuse("name the one that is meant, or say with --worker whose it is", "the command could mean phase %s",
		route.NamedUnderWay(phases, "or"))
}
