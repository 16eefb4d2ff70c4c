package task

import (
	"cmp"
	"fmt"
	"time"

	"github.com/git-brew/git-brew/internal/operation"
)

// PhaseClaim says which worker took a phase, of several that work side by side.
// It stays until the phase is started again.
type PhaseClaim struct {
	UID    UID    `json:"uid"` // the operation that claimed it
	Worker string `json:"worker,omitempty"`
	// Session and Fence are the lock's that the worker worked under.
	Session string `json:"session,omitempty"`
	Fence   uint64 `json:"fence,omitempty"`
	At      string `json:"at"`
}

// ClaimPayload is what OpPhaseClaim carries: a worker goes on with a phase that
// another one had claimed and left.
type ClaimPayload struct {
	Phase  UID    `json:"phase"`
	Worker string `json:"worker,omitempty"`
	// From is the claim that was left: of two workers who take one phase over,
	// one gets it.
	From UID `json:"from"`
}

func (p ClaimPayload) phase() UID { return p.Phase }

// By names a claim's worker, for people.
func (c PhaseClaim) By() string {
	if c.Worker == "" && c.Session != "" {
		return "session " + ShortSession(c.Session)
	}
	return cmp.Or(c.Worker, "a worker")
}

// Left reports that nobody works under a claim any more (S-39): it was made
// under a lock that went to somebody else since, or it is older
// than a lease. A worker that is gone is known by nothing else, least of all by
// a process. A time that can't be read, or is further ahead than a lease, says
// nothing: then the claim holds for as long as the lock is held.
func (c PhaseClaim) Left(l Lock, now time.Time) bool {
	lease := Lease(l)
	age, known := since(c.At, now)
	known = known && age >= -lease
	held, told := since(l.AcquiredAt, now)
	if l.Held && c.overtaken(l, known && told && held >= age) {
		return true
	}
	if !known {
		return !l.Held || !told || held > lease
	}
	return age > lease
}

// overtaken reports whether a held lock went to somebody else since the claim. A
// higher fence alone does not say so: who holds a lock may claim it anew, which
// changes neither its session nor when it was acquired. acquired: that was before
// the claim.
func (c PhaseClaim) overtaken(l Lock, acquired bool) bool {
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
func Claimable(t Task, l Lock, now time.Time) []Phase {
	if t.Status != InProgress {
		return nil
	}
	var all []Phase
	ready := Ready(t)
	for _, rank := range []func(PhaseKind) bool{
		func(k PhaseKind) bool { return k == KindFix },
		func(k PhaseKind) bool { return k == KindVerification },
		func(k PhaseKind) bool { return k != KindFix && k != KindVerification },
	} {
		for _, p := range ready {
			if rank(p.Kind) {
				all = append(all, p)
			}
		}
	}
	for _, p := range t.Phases {
		if p.Status == PhaseInProgress && p.Claim.UID != "" && p.Claim.Left(l, now) {
			all = append(all, p)
		}
	}
	return all
}

// ClaimedBy returns the phase that a worker works on already.
func ClaimedBy(t Task, worker string) (Phase, bool) {
	own := Own(t, Whose{Worker: worker})
	if worker == "" || len(own) == 0 || !(own[0].Status == PhaseInProgress) {
		return Phase{}, false
	}
	return own[0], true
}

// claim notes who took a phase with op.
func (e *editor) claim(op operation.Operation, uid UID, worker string) {
	if i := e.t.phaseIndex(uid); i >= 0 {
		e.phases()[i].Claim = PhaseClaim{UID: op.ID, Worker: worker, Session: cleanSession(op.Session), Fence: op.Fence, At: cleanTime(op.At)}
	}
}

// valid: none, or one that a fold made.
func (c PhaseClaim) valid() bool {
	return c == PhaseClaim{} || c.UID.Valid() && (c.Worker == "" || validName(c.Worker)) && cleanSession(c.Session) == c.Session &&
		c.Fence <= operation.MaxClock && times(c.At)
}

// cleanSession is a session's name as it may stand in a state.
func cleanSession(s string) string {
	if oneLine(s, MaxTitle) {
		return s
	}
	return ""
}

// takeOver leaves it to the caller, who knows lock and clock, whether the claim was left.
func takeOver(e *editor, op operation.Operation, p ClaimPayload) error {
	phase, err := e.t.find(p.Phase)
	switch {
	case err != nil:
		return err
	case phase.Status != PhaseInProgress || phase.Claim.UID == "":
		return refuse(CodeTransition, fmt.Sprintf("phase %s is %s, and no worker has left it", phase.ID, phase.Status), "see 'git brew next --all'")
	case phase.Claim.UID != p.From:
		return refuse(CodeTaken, fmt.Sprintf("phase %s was claimed by %s meanwhile", phase.ID, phase.Claim.By()), "git brew next --claim")
	}
	e.claim(op, p.Phase, p.Worker)
	e.t.Current = p.Phase
	return nil
}

func askPhaseClaim(t Task, _ ClaimPayload) error {
	if t.Status != InProgress {
		return refuse(CodeTaskState, fmt.Sprintf("the task is %s", t.Status), "git brew start")
	}
	return nil
}

func sayPhaseClaim(_ operation.Operation, p ClaimPayload, before, after Task) string {
	was, _ := before.Phase(p.Phase)
	is, _ := after.Phase(p.Phase)
	return fmt.Sprintf("phase %s: taken over from %s by %s", is.ID, was.Claim.By(), is.Claim.By())
}
