package rules

import (
	"fmt"
	"slices"

	"github.com/git-brew/git-brew/internal/task"
)

func reviewPhase(e *editor, i int, p task.PhaseReviewPayload) error {
	phase, user := e.t.Phases[i], p.User && e.op.Session == ""
	switch {
	case p.Verdict == task.ReviewChanges && noReason("a rejection", p.Reason) != nil:
		return noReason("a rejection", p.Reason)
	case p.Heard != "" && !p.User:
		return task.Refuse(task.CodeInvalid, "only the user's word is heard, in a session", "")
	}
	for n, d := range p.Deviations {
		if slices.ContainsFunc(p.Deviations[:n], func(o task.Deviation) bool { return o.What == d.What }) {
			return task.Refuse(task.CodeInvalid, fmt.Sprintf("%q deviates twice", d.What), "name it once")
		}
	}
	if p.Iteration != 0 && p.Iteration != phase.Iteration {
		return task.Refuse(task.CodeTransition,
			fmt.Sprintf("phase %s was started again since: the verdict is on iteration %d", phase.ID, p.Iteration),
			"git brew phase review "+phase.ID)
	}
	event := reviewEvent(e.t, phase, p.Verdict, user)
	if err := checkTables(e.t, phase, event); err != nil {
		return err
	}
	if p.Verdict == task.ReviewApproved {
		if err := approvalBlocked(e.t, phase, user); err != nil {
			return err
		}
		if !restsOn(e.t, phase, p.Verified) {
			return task.Refuse(task.CodeVerification, "phase "+phase.ID+" was verified again since",
				"git brew phase review "+phase.ID)
		}
	}
	if err := checkPhaseEvent(e.t, phase, event); err != nil {
		return err
	}
	if user && p.Verdict == task.ReviewApproved {
		e.takeBack(phase)
	}
	e.firePhase(i, event, moment{commit: p.Commit, services: p.Services, reason: p.Reason})
	if p.Verdict == task.ReviewChanges {
		if user {
			e.rejectedByUser(phase, p.Reason)
		}
		if p.MustEscalate {
			e.spend(p.Phase)
		}
	}
	e.phases()[i].Deviations = p.Deviations // in the place of what the review before said
	moveStarts(e, p.Starts)
	return nil
}

// askPhaseReview wants of an approval what is owed before it.
func askPhaseReview(t task.Task, p task.PhaseReviewPayload) error {
	phase, _ := t.Phase(p.Phase)
	if p.Verdict != task.ReviewApproved || retracts(t, phase, p.User) {
		return nil
	}
	return checkCompletion(t, phase, p.Verified)
}

// approvalBlocked holds in the fold too (BC-36, BC-50): a phase that has a
// verification is completed by that alone, and only where nothing keeps it from being
// completed; a verification counts only for what is up for review. What the user rejected
// stays so until it was worked on again: the user alone takes that back, for it to be
// verified where it has a verification.
func approvalBlocked(t task.Task, p task.Phase, user bool) error {
	if v := t.Children(p.UID, task.KindVerification); len(v) > 0 && !retracts(t, p, user) {
		return task.Refuse(task.CodeVerification, "phase "+p.ID+" is completed by its verification "+task.ShownIDs(v),
			"git brew phase approve "+v[0].ID+" once that is in review")
	}
	if err := completionBlocked(t, p); err != nil {
		return err
	}
	if r, stands := StandingRejection(t, p); stands && !user {
		way := "git brew phase revise " + p.ID
		if work := t.WorkOf(p); work.MustEscalate {
			way = "git brew escalate " + work.ID
		}
		no, _ := t.Phase(r.Of)
		return task.Refuse(task.CodeRejected, fmt.Sprintf("the user has rejected phase %s: %s", no.ID,
			task.Clip(task.SubjectLine(r.Reason), task.MaxTitle)),
			way+"; the user alone takes a rejection back, with 'git brew phase approve "+p.ID+"'")
	}
	if p.Kind != task.KindVerification {
		return nil
	}
	parent, ok := t.Phase(p.Parent)
	if !ok || parent.Status != task.PhaseInReview || parent.Review != task.ReviewNone ||
		len(task.OpenFixes(t, parent.UID)) > 0 {
		return task.Refuse(task.CodeVerification, "what "+p.ID+" verifies is not up for review",
			"finish phase "+parent.ID+" and its fixes, then verify again; see 'git brew next'")
	}
	return completionBlocked(t, parent)
}

// retracts reports whether an approval of p by the user takes back that it wants changes,
// and no more: its verification completes it.
func retracts(t task.Task, p task.Phase, user bool) bool {
	return user && p.Status == task.PhaseInReview && p.Review == task.ReviewChanges &&
		len(t.Children(p.UID, task.KindVerification)) > 0
}
