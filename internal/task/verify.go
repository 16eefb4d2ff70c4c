package task

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/git-brew/git-brew/internal/operation"
)

// Verified is how the commands that verify a phase came out, the last time they
// ran. It counts for the iteration it was made in, until the work changes.
type Verified struct {
	UID       UID    `json:"uid"` // the operation that recorded it
	At        string `json:"at"`
	Iteration int    `json:"iteration"`
	Passed    bool   `json:"passed"`
	// Commit is the work tree's HEAD then, Services what it is in the task's
	// services. Clean: from the first command to the last there was nothing beside
	// them, as far as anybody can tell.
	Commit   string  `json:"commit,omitempty"`
	Services Commits `json:"services,omitempty"`
	Clean    bool    `json:"clean,omitempty"`
	// Stale: the work has changed since.
	Stale    bool         `json:"stale,omitempty"`
	Commands []CommandRun `json:"commands"`
}

// CommandRun is how one command came out.
type CommandRun struct {
	Text string `json:"command"`
	// Exit is its status; 128 and more: a signal; -1: it could not be run.
	Exit     int   `json:"exit"`
	TimedOut bool  `json:"timed_out"`
	MS       int64 `json:"ms"`
}

// Passed: it ended by itself, with status 0.
func (c CommandRun) Passed() bool { return c.Exit == 0 && !c.TimedOut }

// How says in a few words how it ended.
func (c CommandRun) How() string {
	switch {
	case c.TimedOut:
		return "took too long"
	case c.Exit < 0:
		return "could not be run"
	case c.Exit > 128:
		return fmt.Sprintf("was ended by signal %d", c.Exit-128)
	}
	return fmt.Sprintf("exit %d", c.Exit)
}

// maxExit bounds exit statuses: Windows has 32 bits of them.
const maxExit = 1<<32 - 1

func (c CommandRun) valid() bool {
	return c.Text != "" && paragraph(c.Text, maxItem) && c.Exit >= -1 && c.Exit <= maxExit && c.MS >= 0
}

func validRuns(runs []CommandRun) bool {
	return len(runs) > 0 && len(runs) <= maxItems && !slices.ContainsFunc(runs, func(c CommandRun) bool { return !c.valid() })
}

func (v *Verified) valid() bool {
	return v == nil || v.UID.Valid() && times(v.At) && v.Iteration >= 0 && emptyOrOID(v.Commit) && v.Services.valid() && validRuns(v.Commands)
}

// VerifyCommands are the commands that verify p: its own; of a verification
// phase those of its parent too, which it completes.
func VerifyCommands(t Task, p Phase) []string {
	if p.Kind != KindVerification {
		return p.Verification
	}
	parent, _ := t.Phase(p.Parent)
	all := slices.Clone(parent.Verification)
	for _, own := range p.Verification {
		if !slices.Contains(all, own) {
			all = append(all, own)
		}
	}
	return all
}

// runThatCounts is p's last verification, where an approval may rest on it: every
// command ran, in this iteration, on what is up for review.
func runThatCounts(t Task, p Phase) (Verified, bool) {
	v := p.Verified
	if v == nil || v.Stale || v.Iteration != p.Iteration {
		return Verified{}, false
	}
	for _, command := range VerifyCommands(t, p) {
		if !slices.ContainsFunc(v.Commands, func(c CommandRun) bool { return c.Text == command }) {
			return Verified{}, false
		}
	}
	return *v, true
}

// RunCounts reports whether p's last verification is of what it is now.
func RunCounts(t Task, p Phase) bool {
	_, counts := runThatCounts(t, p)
	return counts
}

// verifies reports whether p itself is approved, and has commands to pass first:
// a phase that has a verification phase is completed by that.
func verifies(t Task, p Phase) bool {
	return len(VerifyCommands(t, p)) > 0 && len(t.Children(p.UID, KindVerification)) == 0
}

// OwesVerification reports whether p was executed, and its commands have to pass
// before it can be approved (BC-36).
func OwesVerification(t Task, p Phase) bool {
	v, counts := runThatCounts(t, p)
	return p.Status == PhaseInReview && p.Review == ReviewNone && verifies(t, p) && !(counts && v.Passed)
}

// VerificationFailed reports whether what is up for review did not pass: it needs
// a fix, or its commands do.
func VerificationFailed(t Task, p Phase) bool {
	v, counts := runThatCounts(t, p)
	return OwesVerification(t, p) && counts && !v.Passed
}

// VerificationReason says for p, which owes a verification, what about it.
func VerificationReason(t Task, p Phase) string {
	v, counts := runThatCounts(t, p)
	switch {
	case counts:
		return "the verification of " + p.ID + " failed: " + v.failure()
	case p.Verified != nil && p.Verified.Stale:
		return "phase " + p.ID + " has changed since it was verified"
	}
	return "phase " + p.ID + " is in review and not verified"
}

// failure names the first command that did not pass.
func (v Verified) failure() string {
	for _, c := range v.Commands {
		if !c.Passed() {
			return Clip(c.Text, maxShownCommand) + " (" + c.How() + ")"
		}
	}
	return "not all of it ran"
}

// maxShownCommand is how much of a command stands in a sentence, in bytes.
const maxShownCommand = 60

// checkVerified refuses an approval that rests on no verification (BC-36).
func checkVerified(t Task, p Phase, rests UID) error {
	if !verifies(t, p) {
		return nil
	}
	v, counts := runThatCounts(t, p)
	switch {
	case counts && !v.Passed:
		return Refuse(CodeVerification, VerificationReason(t, p), mendHint(t, p))
	case !counts || rests != v.UID:
		return Refuse(CodeVerification, VerificationReason(t, p), "git brew verify "+p.ID)
	}
	return nil
}

// mendHint is what can be done about work whose verification failed.
func mendHint(t Task, p Phase) string {
	work := t.WorkOf(p)
	switch {
	case p.Kind == KindVerification:
		return "git brew phase reject " + p.ID + " -m WHY"
	case work.MustEscalate:
		return "see 'git brew escalate " + work.ID + "'"
	}
	return "mend it with 'git brew phase revise " + p.ID + "', then 'git brew verify " + p.ID + "'"
}

// rests reports whether an approval that names a verification still has it: in a
// fold something may have come between.
func restsOn(t Task, p Phase, on UID) bool {
	v, stands := runThatCounts(t, p)
	return on == "" || stands && v.Passed && v.UID == on
}

// PassedRun is the verification that an approval of p rests on, "" where it needs
// none or has none.
func PassedRun(t Task, p Phase) UID {
	if v, counts := runThatCounts(t, p); counts && v.Passed && verifies(t, p) {
		return v.UID
	}
	return ""
}

// VerifyPayload is what OpPhaseVerify carries.
type VerifyPayload struct {
	Phase     UID `json:"phase"`
	Iteration int `json:"iteration"`
	// Commit to Clean are as in Verified.
	Commit   string       `json:"commit,omitempty"`
	Services Commits      `json:"services,omitempty"`
	Clean    bool         `json:"clean,omitempty"`
	Commands []CommandRun `json:"commands"`
	// MustEscalate: with this failure the phase has had the iterations that the settings
	// allow; see Phase.MustEscalate.
	MustEscalate bool `json:"must_escalate,omitempty"`
}

// passed: all commands did.
func (p VerifyPayload) passed() bool {
	return !slices.ContainsFunc(p.Commands, func(c CommandRun) bool { return !c.Passed() })
}

// Verifiable reports whether a verification of p is of work that is not approved
// yet, and so worth a record.
func (p Phase) Verifiable() bool {
	return p.Status == PhaseInProgress || p.Status == PhaseInReview
}

func recordRun(e *editor, op operation.Operation, p VerifyPayload) error {
	phase, err := e.t.find(p.Phase)
	switch {
	case err != nil:
		return err
	case !phase.Verifiable():
		return Refuse(CodeTransition, fmt.Sprintf("phase %s is %s: there is nothing to verify", phase.ID, phase.Status), nextHint(e.t, phase))
	case phase.Iteration != p.Iteration:
		return Refuse(CodeTransition, fmt.Sprintf("phase %s was started again while it was verified", phase.ID), "git brew verify "+phase.ID)
	case !validRuns(p.Commands):
		return Refuse(CodeInvalid, "a verification is of 1 to 1000 commands, each a plain text", "see 'git brew phase list --json'")
	case !op.ID.Valid():
		return Refuse(CodeInvalid, "the verification has no id", "")
	}
	if err := cmp.Or(checkCommit(p.Commit), checkCommits(p.Services)); err != nil {
		return err
	}
	e.phases()[e.t.phaseIndex(p.Phase)].Verified = &Verified{
		UID: op.ID, At: cleanTime(op.At), Iteration: p.Iteration, Passed: p.passed(),
		Commit: p.Commit, Services: p.Services.orNil(), Clean: p.Clean, Commands: p.Commands,
	}
	if p.MustEscalate && !p.passed() && phase.Status == PhaseInReview {
		e.spend(p.Phase)
	}
	return nil
}

// unverify says that the work has changed since it was verified: of p, and of
// what p repairs. A run that was made while p was worked on stands where it was of
// the very thing that is handed over.
func (e *editor) unverify(p Phase, event PhaseEvent, m moment) {
	uids := []UID{p.UID}
	if p.Kind == KindFix {
		uids = append(uids, p.Parent, p.Fixes)
	}
	for _, uid := range uids {
		i := e.t.phaseIndex(uid)
		if i < 0 || e.t.Phases[i].Verified == nil {
			continue
		}
		v := *e.t.Phases[i].Verified
		if uid == p.UID && event == EventDone && v.isOf(m) {
			continue
		}
		v.Stale = true
		e.phases()[i].Verified = &v
	}
}

// isOf reports whether a run was of what is handed over: the same commits, in a
// work tree with nothing beside them, both when it ran and now.
func (v Verified) isOf(m moment) bool {
	return v.Clean && m.clean && v.Commit == m.commit && maps.Equal(v.Services, m.services)
}

// WorkChanged names what changed on p, or on a fix of it, between two states: a
// verification that ran meanwhile is of neither. "" where nothing did.
func WorkChanged(before, after Task, p Phase) string {
	work := after.WorkOf(p)
	for _, q := range after.Phases {
		if q.UID != p.UID && q.UID != work.UID && (q.Kind != KindFix || q.Parent != work.UID) {
			continue
		}
		was, _ := before.Phase(q.UID)
		if was.Status != q.Status || was.Iteration != q.Iteration {
			return fmt.Sprintf("%s is %s", q.ID, q.Status)
		}
	}
	return ""
}
