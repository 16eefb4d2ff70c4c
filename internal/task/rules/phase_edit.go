package rules

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/git-brew/git-brew/internal/task"
)

// editPhase leaves out what it is to depend on and does not exist; who edits is told.
func editPhase(e *editor, i int, p task.PhaseEditPayload) error {
	if p.Empty() {
		return task.Refuse(task.CodeInvalid, "nothing to edit", "see 'git brew phase edit -h'")
	}
	phase := e.t.Phases[i]
	phase.Title, phase.Tier = cmp.Or(p.Title, phase.Title), cmp.Or(p.Tier, phase.Tier)
	phase.Acceptance = exchanged(phase.Acceptance, p.AddAcceptance, p.DropAcceptance)
	phase.Verification = exchanged(phase.Verification, p.AddVerification, p.DropVerification)
	phase.Agents = exchanged(phase.Agents, p.AddAgents, p.DropAgents)
	var add []task.UID
	for _, uid := range p.AddDependsOn {
		dep, known := e.t.Phase(uid)
		switch {
		case known && !mayWaitFor(e.t, phase, uid):
			return task.Refuse(task.CodeCycle, fmt.Sprintf("phase %s can't depend on %s, which waits for %s or belongs to it",
				phase.ID, dep.ID, phase.ID), "leave that dependency out")
		case known:
			add = append(add, uid)
		}
	}
	phase.DependsOn = exchanged(phase.DependsOn, add, p.DropDependsOn)
	if max(len(phase.Acceptance), len(phase.Verification), len(phase.Agents)) > task.MaxItems ||
		len(phase.DependsOn) > task.MaxDepends {
		return task.Refuse(task.CodeInvalid, fmt.Sprintf("a phase has at most %d criteria, commands and agents each",
			task.MaxItems), "take some out first")
	}
	e.phases()[i] = phase
	return nil
}

// askPhaseEdit wants what is taken out, and depended on, to be there, and nothing more to
// be asked of a phase that is over.
func askPhaseEdit(t task.Task, p task.PhaseEditPayload) error {
	phase, _ := t.Phase(p.Phase)
	if phase.Status.Over() && len(p.AddVerification)+len(p.AddAcceptance)+len(p.AddAgents)+len(p.AddDependsOn) > 0 {
		return task.Refuse(task.CodeTransition, fmt.Sprintf("phase %s is %s", phase.ID, phase.Status), resetOf(t, phase))
	}
	for _, uid := range p.AddDependsOn {
		if t.PhaseIndex(uid) < 0 {
			return noDependency(uid)
		}
	}
	for _, lists := range []struct {
		what       string
		have, drop []string
	}{
		{"acceptance criterion", phase.Acceptance, p.DropAcceptance},
		{"verification command", phase.Verification, p.DropVerification},
		{"agent", phase.Agents, p.DropAgents},
	} {
		for _, item := range lists.drop {
			if !slices.Contains(lists.have, item) {
				return task.Refuse(task.CodeInvalid,
					fmt.Sprintf("phase %s has no %s %q", phase.ID, lists.what, task.Clip(item, task.MaxName)),
					"see 'git brew phase list --json'")
			}
		}
	}
	return nil
}

// exchanged is a list without some items and with others, each once; nil for
// none.
func exchanged[T comparable](list, add, drop []T) []T {
	if len(add)+len(drop) == 0 {
		return list
	}
	dropped := make(map[T]bool, len(drop))
	for _, item := range drop {
		dropped[item] = true
	}
	var out []T
	have := map[T]bool{}
	for _, item := range list {
		if !dropped[item] {
			out, have[item] = append(out, item), true
		}
	}
	for _, item := range add {
		if !have[item] {
			out, have[item] = append(out, item), true
		}
	}
	return out
}
