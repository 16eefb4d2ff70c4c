package task

import (
	"cmp"
	"fmt"

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

// By names a claim's worker, for people.
func (c PhaseClaim) By() string {
	if c.Worker == "" && c.Session != "" {
		return "session " + ShortSession(c.Session)
	}
	return cmp.Or(c.Worker, "a worker")
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
		return Refuse(CodeTransition, fmt.Sprintf("phase %s is %s, and no worker has left it", phase.ID, phase.Status), "see 'git brew next --all'")
	case phase.Claim.UID != p.From:
		return Refuse(CodeTaken, fmt.Sprintf("phase %s was claimed by %s meanwhile", phase.ID, phase.Claim.By()), "git brew next --claim")
	}
	e.claim(op, p.Phase, p.Worker)
	e.t.Current = p.Phase
	return nil
}

func askPhaseClaim(t Task, _ ClaimPayload) error {
	if t.Status != InProgress {
		return Refuse(CodeTaskState, fmt.Sprintf("the task is %s", t.Status), "git brew start")
	}
	return nil
}
