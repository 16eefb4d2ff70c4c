package task

import (
	"slices"
)

// OpenFixesOf are the open fix phases made for uid itself.
func (t Task) OpenFixesOf(uid UID) []Phase {
	var all []Phase
	for _, p := range t.Phases {
		if p.Kind == KindFix && p.Fixes == uid && p.Open() {
			all = append(all, p)
		}
	}
	return all
}

// FailedItself reports whether p failed, and not only with another phase that is
// failed still: to try it again is something that can be done.
func (t Task) FailedItself(p Phase) bool {
	by, ok := t.Phase(p.FailedBy)
	return p.Status == PhaseFailed && (!ok || by.Status != PhaseFailed)
}

// WorkOf is the phase whose work p is a part of: what a fix repairs, what a verification
// verifies; a fix of a fix belongs to the phase that that belongs to, and carries its
// number. Iterations and escalations are counted there.
func (t Task) WorkOf(p Phase) Phase {
	for range MaxDepth {
		if p.Kind != KindFix && p.Kind != KindVerification {
			break
		}
		parent, ok := t.Phase(p.Parent)
		if !ok {
			break
		}
		p = parent
	}
	return p
}

// DependenciesOf are the phases that the work on p depends on: its own ones, and of a
// part those of what it is a part of.
func (t Task) DependenciesOf(p Phase) []UID { return DependenciesOf(&p, t.PhaseAt) }

func DependenciesOf(p *Phase, find func(UID) *Phase) []UID {
	all := p.DependsOn
	for n := 0; p.Kind == KindSplit && n <= MaxDepth; n++ {
		if p = find(p.Parent); p == nil {
			break
		}
		for _, uid := range p.DependsOn {
			if !slices.Contains(all, uid) {
				all = append(slices.Clip(all), uid)
			}
		}
	}
	return all
}
