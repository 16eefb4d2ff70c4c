package rules

import (
	"fmt"
	"maps"
	"slices"

	"github.com/git-brew/git-brew/internal/task"
)

// VerifyCommands are the commands that verify p: its own; of a verification
// phase those of its parent too, which it completes.
func VerifyCommands(t task.Task, p task.Phase) []string {
	if p.Kind != task.KindVerification {
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

// RunThatCounts is p's last verification, where an approval may rest on it: every
// command ran, in this iteration, on what is up for review.
func RunThatCounts(t task.Task, p task.Phase) (task.Verified, bool) {
	v := p.Verified
	if v == nil || v.Stale || v.Iteration != p.Iteration {
		return task.Verified{}, false
	}
	for _, command := range VerifyCommands(t, p) {
		if !slices.ContainsFunc(v.Commands, func(c task.CommandRun) bool { return c.Text == command }) {
			return task.Verified{}, false
		}
	}
	return *v, true
}

// verifies reports whether p itself is approved, and has commands to pass first:
// a phase that has a verification phase is completed by that.
func verifies(t task.Task, p task.Phase) bool {
	return len(VerifyCommands(t, p)) > 0 && len(t.Children(p.UID, task.KindVerification)) == 0
}

// OwesVerification reports whether p was executed, and its commands have to pass
// before it can be approved (BC-36).
func OwesVerification(t task.Task, p task.Phase) bool {
	v, counts := RunThatCounts(t, p)
	return p.Status == task.PhaseInReview && p.Review == task.ReviewNone && verifies(t, p) && !(counts && v.Passed)
}

// VerificationFailed reports whether what is up for review did not pass: it needs
// a fix, or its commands do.
func VerificationFailed(t task.Task, p task.Phase) bool {
	v, counts := RunThatCounts(t, p)
	return OwesVerification(t, p) && counts && !v.Passed
}

// VerificationReason says for p, which owes a verification, what about it.
func VerificationReason(t task.Task, p task.Phase) string {
	v, counts := RunThatCounts(t, p)
	switch {
	case counts:
		return "the verification of " + p.ID + " failed: " + failureOf(v)
	case p.Verified != nil && p.Verified.Stale:
		return "phase " + p.ID + " has changed since it was verified"
	}
	return "phase " + p.ID + " is in review and not verified"
}

// failureOf names the first command that did not pass.
func failureOf(v task.Verified) string {
	for _, c := range v.Commands {
		if !c.Passed() {
			return task.Clip(c.Text, maxShownCommand) + " (" + c.How() + ")"
		}
	}
	return "not all of it ran"
}

// maxShownCommand is how much of a command stands in a sentence, in bytes.
const maxShownCommand = 60

// checkVerified refuses an approval that rests on no verification (BC-36).
func checkVerified(t task.Task, p task.Phase, rests task.UID) error {
	if !verifies(t, p) {
		return nil
	}
	v, counts := RunThatCounts(t, p)
	switch {
	case counts && !v.Passed:
		return task.Refuse(task.CodeVerification, VerificationReason(t, p), mendHint(t, p))
	case !counts || rests != v.UID:
		return task.Refuse(task.CodeVerification, VerificationReason(t, p), "git brew verify "+p.ID)
	}
	return nil
}

// mendHint is what can be done about work whose verification failed.
func mendHint(t task.Task, p task.Phase) string {
	work := t.WorkOf(p)
	switch {
	case p.Kind == task.KindVerification:
		return "git brew phase reject " + p.ID + " -m WHY"
	case work.MustEscalate:
		return "see 'git brew escalate " + work.ID + "'"
	}
	return "mend it with 'git brew phase revise " + p.ID + "', then 'git brew verify " + p.ID + "'"
}

// PassedRun is the verification that an approval of p rests on, "" where it needs
// none or has none.
func PassedRun(t task.Task, p task.Phase) task.UID {
	if v, counts := RunThatCounts(t, p); counts && v.Passed && verifies(t, p) {
		return v.UID
	}
	return ""
}

func recordRun(e *editor, i int, p task.VerifyPayload) error {
	phase := e.t.Phases[i]
	switch {
	case !phase.Verifiable():
		return wrongStatus(e.t, phase, "there is nothing to verify")
	case phase.Iteration != p.Iteration:
		return task.Refuse(task.CodeTransition, fmt.Sprintf("phase %s was started again while it was verified", phase.ID),
			"git brew verify "+phase.ID)
	case len(p.Commands) == 0:
		return task.Refuse(task.CodeInvalid, "no command was run", "see 'git brew phase list --json'")
	}
	e.phases()[i].Verified = &task.Verified{
		UID: e.op.ID, At: e.at, Iteration: p.Iteration, Passed: p.Passed(),
		Commit: p.Commit, Services: p.Services, Clean: p.Clean, Commands: p.Commands,
	}
	if p.MustEscalate && !p.Passed() && phase.Status == task.PhaseInReview {
		e.spend(p.Phase)
	}
	return nil
}

// unverify says that the work has changed since it was verified: of p, and of
// what p repairs. A run that was made while p was worked on stands where it was of
// the very thing that is handed over: the same commits, in a work tree with nothing beside
// them, both when it ran and now.
func (e *editor) unverify(p task.Phase, event PhaseEvent, m moment) {
	uids := []task.UID{p.UID}
	if p.Kind == task.KindFix {
		uids = append(uids, p.Parent, p.Fixes)
	}
	for _, uid := range uids {
		i := e.t.PhaseIndex(uid)
		if i < 0 || e.t.Phases[i].Verified == nil {
			continue
		}
		v := *e.t.Phases[i].Verified
		same := v.Clean && m.clean && v.Commit == m.commit && maps.Equal(v.Services, m.services)
		if uid == p.UID && event == EventDone && same {
			continue
		}
		v.Stale = true
		e.phases()[i].Verified = &v
	}
}

// WorkChanged names what changed on p, or on a fix of it, between two states: a
// verification that ran meanwhile is of neither. "" where nothing did.
func WorkChanged(before, after task.Task, p task.Phase) string {
	work := after.WorkOf(p)
	for _, q := range after.Phases {
		if q.UID != p.UID && q.UID != work.UID && (q.Kind != task.KindFix || q.Parent != work.UID) {
			continue
		}
		was, _ := before.Phase(q.UID)
		if was.Status != q.Status || was.Iteration != q.Iteration {
			return fmt.Sprintf("%s is %s", q.ID, q.Status)
		}
	}
	return ""
}
