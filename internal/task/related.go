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

// WorkOf is the phase whose work p is a part of: what a fix repairs, what a
// verification verifies. Iterations and escalations are counted there.
func (t Task) WorkOf(p Phase) Phase { return RootOfFix(t, p) }

// GivenUp reports whether p is a fix that failed, and what it was to repair was
// completed without it, or the verification of one: nothing waits for it any more.
func (t Task) GivenUp(p Phase) bool { return givenUp(&p, t.PhaseAt) }

func givenUp(p *Phase, find func(UID) *Phase) bool {
	if p.Kind == KindVerification && p.Status == PhaseFailed {
		p = find(p.Parent)
	}
	return p != nil && p.Kind == KindFix && p.Status == PhaseFailed && doneWithout(p, find) != nil
}

// Unfinished reports whether something is waited for of p: it is neither over nor given
// up.
func (t Task) Unfinished(p Phase) bool { return UnfinishedIn(&p, t.PhaseAt) }

func UnfinishedIn(p *Phase, find func(UID) *Phase) bool {
	return !p.Status.Over() && !givenUp(p, find)
}

// FixedWithout is what a fix was to repair, or belongs to, and what is completed; none
// where neither is.
func FixedWithout(t Task, fix Phase) Phase {
	if q := doneWithout(&fix, t.PhaseAt); q != nil {
		return *q
	}
	return Phase{}
}

func doneWithout(fix *Phase, find func(UID) *Phase) *Phase {
	if fix.Kind == KindVerification {
		if fix = find(fix.Parent); fix == nil {
			return nil
		}
	}
	for _, uid := range [...]UID{fix.Fixes, fix.Parent} {
		if q := find(uid); q != nil && q.Status == PhaseCompleted {
			return q
		}
	}
	return nil
}

// FailedItself reports whether p failed, and not only with another phase that is
// failed still: to try it again is something that can be done.
func (t Task) FailedItself(p Phase) bool {
	if p.Status != PhaseFailed || t.GivenUp(p) {
		return false
	}
	by, ok := t.Phase(p.FailedBy)
	return !ok || by.Status != PhaseFailed || t.GivenUp(by)
}

// RootOfFix is the phase whose number a fix of p carries: a fix of a fix, or
// of a verification, belongs to the phase that those belong to.
func RootOfFix(t Task, p Phase) Phase {
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
