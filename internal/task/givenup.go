package task

// givenUp reports whether p is a fix that failed, and what it was to repair was
// completed without it, or the verification of one: nothing waits for it any more.
func (t Task) GivenUp(p Phase) bool { return givenUp(&p, t.phaseAt) }

func givenUp(p *Phase, find func(UID) *Phase) bool {
	if p.Kind == KindVerification && p.Status == PhaseFailed {
		p = find(p.Parent)
	}
	return p != nil && p.Kind == KindFix && p.Status == PhaseFailed && doneWithout(p, find) != nil
}

// unfinished reports whether something is waited for of p: it is neither over nor given
// up.
func (t Task) Unfinished(p Phase) bool { return unfinished(&p, t.phaseAt) }

func unfinished(p *Phase, find func(UID) *Phase) bool {
	return !p.Status.Over() && !givenUp(p, find)
}

// doneWithout is what a fix was to repair, or belongs to, and what is completed; none
// where neither is.
func fixedWithout(t Task, fix Phase) Phase {
	if q := doneWithout(&fix, t.phaseAt); q != nil {
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

// failedItself reports whether p failed, and not only with another phase that is
// failed still: to try it again is something that can be done.
func (t Task) FailedItself(p Phase) bool {
	if p.Status != PhaseFailed || t.GivenUp(p) {
		return false
	}
	by, ok := t.Phase(p.FailedBy)
	return !ok || by.Status != PhaseFailed || t.GivenUp(by)
}
