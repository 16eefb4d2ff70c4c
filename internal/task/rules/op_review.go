package rules

import (
	"cmp"
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
	if _, ok := transitionOf(e.t, phase, event); !ok {
		return refusalOf(e.t, phase, event)
	}
	if p.Verdict == task.ReviewApproved {
		if err := approvalBlocked(e.t, phase, user); err != nil {
			return err
		}
		// In a fold something may have come between the approval and what it rests on.
		if v, stands := RunThatCounts(e.t, phase); p.Verified != "" && !(stands && v.Passed && v.UID == p.Verified) {
			return task.Refuse(task.CodeVerification, "phase "+phase.ID+" was verified again since",
				"git brew phase review "+phase.ID)
		}
	}
	if e.made && p.Verdict == task.ReviewApproved && event != EventRetract {
		if err := checkCompletion(e.t, phase, p.Verified); err != nil {
			return err
		}
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

// editPhase leaves out what it is to depend on and does not exist; who edits is told.
func editPhase(e *editor, i int, p task.PhaseEditPayload) error {
	if p.Empty() {
		return task.Refuse(task.CodeInvalid, "nothing to edit", "see 'git brew phase edit -h'")
	}
	phase := e.t.Phases[i]
	if p.Tier != "" && p.Tier != phase.Tier {
		phase.TierSince = len(phase.Turns)
	}
	phase.Title, phase.Tier = cmp.Or(p.Title, phase.Title), cmp.Or(p.Tier, phase.Tier)
	phase.Acceptance = exchanged(phase.Acceptance, p.AddAcceptance, p.DropAcceptance)
	phase.Verification = exchanged(phase.Verification, p.AddVerification, p.DropVerification)
	phase.Agents = exchanged(phase.Agents, p.AddAgents, p.DropAgents)
	var add []task.UID
	for _, uid := range p.AddDependsOn {
		dep, known := e.t.Phase(uid)
		switch {
		case known && !mayWaitFor(e.t, phase, uid):
			return task.Refuse(task.CodeCycle, fmt.Sprintf("phase %s can't depend on %s, which waits for %s or belongs to it",
				phase.ID, dep.ID, phase.ID), "leave that dependency out")
		case known:
			add = append(add, uid)
		}
	}
	phase.DependsOn = exchanged(phase.DependsOn, add, p.DropDependsOn)
	if max(len(phase.Acceptance), len(phase.Verification), len(phase.Agents)) > task.MaxItems ||
		len(phase.DependsOn) > task.MaxDepends {
		return task.Refuse(task.CodeInvalid, fmt.Sprintf("a phase has at most %d criteria, commands and agents each",
			task.MaxItems), "take some out first")
	}
	if e.made {
		if err := askPhaseEdit(e.t, e.t.Phases[i], p); err != nil {
			return err
		}
	}
	e.phases()[i] = phase
	return nil
}

// askPhaseEdit wants what is taken out, and depended on, to be there, and nothing more to
// be asked of a phase that is over.
func askPhaseEdit(t task.Task, phase task.Phase, p task.PhaseEditPayload) error {
	if phase.Status.Over() && len(p.AddVerification)+len(p.AddAcceptance)+len(p.AddAgents)+len(p.AddDependsOn) > 0 {
		return task.Refuse(task.CodeTransition, fmt.Sprintf("phase %s is %s", phase.ID, phase.Status), resetOf(t, phase))
	}
	for _, uid := range p.AddDependsOn {
		if t.PhaseIndex(uid) < 0 {
			return noDependency(uid)
		}
	}
	for _, lists := range []struct {
		what       string
		have, drop []string
	}{
		{"acceptance criterion", phase.Acceptance, p.DropAcceptance},
		{"verification command", phase.Verification, p.DropVerification},
		{"agent", phase.Agents, p.DropAgents},
	} {
		for _, item := range lists.drop {
			if !slices.Contains(lists.have, item) {
				return task.Refuse(task.CodeInvalid,
					fmt.Sprintf("phase %s has no %s %q", phase.ID, lists.what, task.Clip(item, task.MaxName)),
					"see 'git brew phase list --json'")
			}
		}
	}
	return nil
}

// exchanged is a list without some items and with others; nil for none.
func exchanged[T comparable](list, add, drop []T) []T {
	if len(add)+len(drop) == 0 {
		return list
	}
	var out []T
	for _, item := range list {
		if !slices.Contains(drop, item) {
			out = append(out, item)
		}
	}
	for _, item := range add {
		if !slices.Contains(out, item) {
			out = append(out, item)
		}
	}
	return out
}
