package route

import (
	"slices"
	"strings"
	"time"

	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/lease"
	"github.com/git-brew/git-brew/internal/task/rules"
)

// Ready returns all phases whose work can begin now, in order: each of them can be
// started, whatever comes first for the task as a whole.
func Ready(t task.Task) []task.Phase {
	held := Held(t)
	return slices.DeleteFunc(Due(t), func(p task.Phase) bool {
		return held && p.Kind != task.KindResearch // which a plan may need
	})
}

// Held: what is to be carried out is not ready, and nothing begins but research.
func Held(t task.Task) bool {
	return rules.PlanHeld(t) || rules.CheckFirstStart(t, task.Phase{}) != nil
}

// Due returns the phases that wait for no other one, in order. What holds up all
// work may hold up them.
func Due(t task.Task) []task.Phase {
	var all []task.Phase
	for _, p := range t.Phases {
		if p.Status == task.PhasePending && free(t, p) {
			all = append(all, p)
		}
	}
	return all
}

// free: nothing about p itself, and no other phase, keeps it from being started.
func free(t task.Task, p task.Phase) bool {
	return len(rules.Blockers(t, p)) == 0 && rules.CheckSpent(t, p) == nil
}

// AsksPlan reports that what comes next for somebody, or what is ready, hangs on
// whether the plan is ready, or on the phases that it names, and Unready has to be
// known for it: there is something that could begin, whatever comes first for the
// task as a whole, or the first phases are to be added.
func AsksPlan(t task.Task) bool {
	if t.Deleted || t.Status != task.InProgress && (t.Status != task.Paused || t.Cause == task.CauseWaiting) ||
		!rules.StartsPlan(t) {
		return false
	}
	if len(t.Phases) > 0 {
		return slices.ContainsFunc(t.Phases, func(p task.Phase) bool { return couldBegin(t, p) })
	}
	return t.HasRoadmap() && Next(t).Step == task.StepPlan
}

// couldBegin: work beyond research could begin on p, or on what mends it.
func couldBegin(t task.Task, p task.Phase) bool {
	switch p.Status {
	case task.PhaseInReview, task.PhaseFailed:
		return true
	case task.PhasePending:
		return p.Kind != task.KindResearch && free(t, p)
	case task.PhaseInProgress, task.PhaseCompleted, task.PhaseDropped:
	}
	return false
}

// Deadlock returns the phases that wait for ever: none is ready, none is under
// way or up for review, and some are pending (BC-51). What waits only for a
// phase that failed is told by that one.
func Deadlock(t task.Task) []task.Phase {
	var stuck []task.Phase
	for _, p := range t.Phases {
		switch p.Status {
		case task.PhaseInProgress:
			if rules.DoneBlocked(t, p) == nil {
				return nil
			}
		case task.PhaseInReview:
			return nil
		case task.PhasePending:
			if rules.Escalates(t, p) || len(rules.Blockers(t, p)) == 0 {
				return nil
			}
			stuck = append(stuck, p)
		case task.PhaseCompleted, task.PhaseFailed, task.PhaseDropped:
		}
	}
	return stuck
}

// DeadlockReason says in a clause what a deadlock is made of.
func DeadlockReason(t task.Task) string {
	var waits []string
	for i, p := range Deadlock(t) {
		if on := rules.Blockers(t, p); len(on) > 0 && i < 3 {
			waits = append(waits, p.ID+" waits ("+on[0]+")")
		}
	}
	if len(waits) == 0 {
		return ""
	}
	return "no phase can begin: " + strings.Join(waits, ", ")
}

// ClaimLeft reports that nobody works under a claim any more (S-39): it was made
// under a lock that went to somebody else since, or it is older
// than a lease. A worker that is gone is known by nothing else, least of all by
// a process. A time that can't be read, or is further ahead than a lease, says
// nothing: then the claim holds for as long as the lock is held.
func ClaimLeft(c task.PhaseClaim, l lease.Lock, now time.Time) bool {
	lease := lease.Lease(l)
	age, known := since(c.At, now)
	known = known && age >= -lease
	held, told := since(l.AcquiredAt, now)
	if l.Held && claimOvertaken(c, l, known && told && held >= age) {
		return true
	}
	if !known {
		return !l.Held || !told || held > lease
	}
	return age > lease
}

// claimOvertaken reports whether a held lock went to somebody else since the claim. A
// higher fence alone does not say so: who holds a lock may claim it anew, which
// changes neither its session nor when it was acquired. acquired: that was before
// the claim.
func claimOvertaken(c task.PhaseClaim, l lease.Lock, acquired bool) bool {
	if c.Session != "" && l.Session != "" {
		return c.Session != l.Session
	}
	return l.Fence > c.Fence && !acquired
}

// since is how long ago a time was; false where nobody can read it.
func since(at string, now time.Time) (time.Duration, bool) {
	t, err := time.Parse(time.RFC3339, at)
	return now.Sub(t), err == nil
}

// Claimable returns the phases that a worker can take now, the most urgent one
// first: those that are ready, fixes before verifications before the others,
// then those that were claimed and left.
func Claimable(t task.Task, l lease.Lock, now time.Time) []task.Phase {
	if t.Status != task.InProgress {
		return nil
	}
	rank := map[task.PhaseKind]int{task.KindFix: -2, task.KindVerification: -1}
	all := Ready(t)
	slices.SortStableFunc(all, func(a, b task.Phase) int { return rank[a.Kind] - rank[b.Kind] })
	for _, p := range t.Phases {
		if p.Status == task.PhaseInProgress && p.Claim.UID != "" && ClaimLeft(p.Claim, l, now) {
			all = append(all, p)
		}
	}
	return all
}

// ClaimedBy returns the phase that a worker works on already.
func ClaimedBy(t task.Task, worker string) (task.Phase, bool) {
	own := Own(t, Assignee{Worker: worker})
	if worker == "" || len(own) == 0 || !(own[0].Status == task.PhaseInProgress) {
		return task.Phase{}, false
	}
	return own[0], true
}
