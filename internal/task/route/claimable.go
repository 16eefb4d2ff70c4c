package route

import (
	"time"

	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/lease"
)

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
	var all []task.Phase
	ready := Ready(t)
	for _, rank := range []func(task.PhaseKind) bool{
		func(k task.PhaseKind) bool { return k == task.KindFix },
		func(k task.PhaseKind) bool { return k == task.KindVerification },
		func(k task.PhaseKind) bool { return k != task.KindFix && k != task.KindVerification },
	} {
		for _, p := range ready {
			if rank(p.Kind) {
				all = append(all, p)
			}
		}
	}
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
