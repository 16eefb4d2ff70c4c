package task

import (
	"fmt"

	"github.com/git-brew/git-brew/internal/operation"
)

// AgentErrorPayload is what OpPhaseError carries: an agent that worked on the
// phase ended with an error. The phase stays where it is (BC-52).
type AgentErrorPayload struct {
	Phase     UID    `json:"phase"`
	Iteration int    `json:"iteration"`
	Agent     string `json:"agent"`
	Text      string `json:"text,omitempty"`
}

func (p AgentErrorPayload) phase() UID { return p.Phase }

// MaxErrors is how many errors of agents end an iteration: one more try, and
// then the phase fails.
const MaxErrors = 2

func countError(e *editor, _ operation.Operation, p AgentErrorPayload) error {
	i, err := e.find(p.Phase)
	if err != nil {
		return err
	}
	if phase := e.t.Phases[i]; phase.Status != PhaseInProgress || phase.Iteration != p.Iteration || phase.Errors >= maxItems {
		return refuse(CodeTransition, fmt.Sprintf("nobody works on phase %s", phase.ID), e.t.wayOn(phase))
	}
	e.phases()[i].Errors++
	return nil
}

func sayPhaseError(_ operation.Operation, p AgentErrorPayload, _, after Task) string {
	phase, _ := after.Phase(p.Phase)
	s := fmt.Sprintf("phase %s: %s ended with an error", phase.ID, p.Agent)
	if p.Text != "" {
		s += ": " + p.Text
	}
	return s
}

// Deadlock returns the phases that wait for ever: none is ready, none is under
// way or up for review, and some are pending (BC-51). What waits only for a
// phase that failed is told by that one.
func Deadlock(t Task) []Phase {
	var stuck []Phase
	for _, p := range t.Phases {
		switch p.Status {
		case PhaseInProgress:
			if t.doneBlocked(p) == nil {
				return nil
			}
		case PhaseInReview:
			return nil
		case PhasePending:
			if t.escalates(p) || len(t.blockers(p)) == 0 {
				return nil
			}
			stuck = append(stuck, p)
		case PhaseCompleted, PhaseFailed, PhaseDropped:
		}
	}
	return stuck
}

// DeadlockReason says in a clause what a deadlock is made of.
func DeadlockReason(t Task) string {
	stuck := Deadlock(t)
	if len(stuck) == 0 {
		return ""
	}
	s := "no phase can begin"
	for i, p := range stuck {
		const named = 3
		if i == named {
			return s + fmt.Sprintf(", and %d more wait", len(stuck)-named)
		}
		if waits := t.blockers(p); len(waits) > 0 {
			sep := ", "
			if i == 0 {
				sep = ": "
			}
			s += sep + p.ID + " waits (" + waits[0] + ")"
		}
	}
	return s
}

// givenUp reports whether p is a fix that failed, and what it was to repair was
// completed without it, or the verification of one: nothing waits for it any more.
func (t Task) givenUp(p Phase) bool { return givenUp(&p, t.phaseAt) }

func givenUp(p *Phase, find func(UID) *Phase) bool {
	if p.Kind == KindVerification && p.Status == PhaseFailed {
		p = find(p.Parent)
	}
	return p != nil && p.Kind == KindFix && p.Status == PhaseFailed && doneWithout(p, find) != nil
}

// unfinished reports whether something is waited for of p: it is neither over nor given
// up.
func (t Task) unfinished(p Phase) bool { return unfinished(&p, t.phaseAt) }

func unfinished(p *Phase, find func(UID) *Phase) bool {
	return !p.Status.Over() && !givenUp(p, find)
}

// doneWithout is what a fix was to repair, or belongs to, and what is completed; none
// where neither is.
func (t Task) doneWithout(fix Phase) Phase {
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
func (t Task) failedItself(p Phase) bool {
	if p.Status != PhaseFailed || t.givenUp(p) {
		return false
	}
	by, ok := t.Phase(p.FailedBy)
	return !ok || by.Status != PhaseFailed || t.givenUp(by)
}
