package task

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/git-brew/git-brew/internal/operation"
)

// maxPhases and maxDepends bound what one task can hold: each phase costs every
// fold.
const (
	maxPhases  = 1000
	maxDepends = 200 // phases that one depends on
)

var (
	phaseKinds = []PhaseKind{KindExecution, KindVerification, KindFix, KindResearch, KindSplit, KindFinalReview}
	tiers      = []Tier{TierAuto, TierJunior, TierSenior, TierExecutive}
)

// needsParent reports kinds of phases that are nothing without another.
func (k PhaseKind) needsParent() bool {
	return k == KindVerification || k == KindFix || k == KindSplit
}

func addPhase(e *editor, op operation.Operation, p PhaseAddPayload) error {
	phase, err := newPhase(e.t, op.ID, p)
	if err != nil {
		return err
	}
	m := moment{at: cleanTime(op.At)}
	if parent := e.t.phaseIndex(phase.Parent); parent >= 0 {
		switch phase.Kind {
		case KindSplit:
			if err := e.phaseEvent(parent, EventSplit, m); err != nil {
				return err
			}
		case KindFix:
			e.firePhase(parent, EventRevise, m)
			if phase.Fixes != phase.Parent {
				e.firePhase(e.t.phaseIndex(phase.Fixes), EventRevise, m)
			}
		case KindExecution, KindVerification, KindResearch, KindFinalReview: // change no other phase
		}
	}
	at := placeFor(e.t, p.After, phase.Parent)
	e.t.Phases = slices.Insert(e.phases(), at, phase)
	return nil
}

// newPhase returns the phase that the payload describes. An id that is taken, and
// dependencies that can't be, are left out: what was added meanwhile elsewhere is no
// reason to lose a phase. Who adds one is told; see askPhaseAdd.
func newPhase(t Task, uid UID, p PhaseAddPayload) (Phase, error) {
	if len(t.Phases) >= maxPhases {
		return Phase{}, Refuse(CodeTaskState, fmt.Sprintf("the task has %d phases, no more fit", len(t.Phases)), "begin another task")
	}
	phase := Phase{
		UID: uid, Title: p.Title, Kind: cmp.Or(p.Kind, KindExecution), Status: PhasePending, Review: ReviewNone,
		Acceptance: p.Acceptance, Verification: p.Verification, Tier: cmp.Or(p.Tier, TierAuto), Agents: p.Agents,
	}
	parent, err := parentOf(t, phase.Kind, p.Parent)
	if err != nil {
		return phase, err
	}
	if phase.Kind == KindFix {
		parent, phase.Fixes = repairedBy(t, parent)
		if err := checkAbove(t, Phase{ID: "of this", Parent: parent.UID, Fixes: phase.Fixes}); err != nil {
			return phase, err
		}
	}
	if parent.UID != "" && depthOf(t, parent) >= MaxDepth {
		return phase, Refuse(CodeInvalid, fmt.Sprintf("phase %s hangs below %d others, no more fit", parent.ID, MaxDepth), "add it higher up")
	}
	phase.Parent = parent.UID
	if len(p.DependsOn) > 0 {
		wait := waitersFor(t, phase)
		for _, uid := range p.DependsOn {
			if _, known := t.Phase(uid); known && !slices.Contains(phase.DependsOn, uid) && !wait[uid] {
				phase.DependsOn = append(phase.DependsOn, uid)
			}
		}
	}
	phase.ID = newShownID(t, phase.Kind, parent, p.ShownID)
	if !uid.Valid() || t.phaseIndex(uid) >= 0 {
		return phase, Refuse(CodeInvalid, "the operation has no id of its own", "")
	}
	return phase, nil
}

// parentOf is the phase that one of a kind is added to, none where it needs none.
func parentOf(t Task, kind PhaseKind, uid UID) (Phase, error) {
	switch {
	case uid == "" && kind.needsParent():
		return Phase{}, Refuse(CodeInvalid, fmt.Sprintf("a %s phase belongs to another phase", kind), "name that with --of")
	case uid == "", !kind.needsParent() && kind != KindResearch:
		return Phase{}, nil
	}
	parent, err := t.find(uid)
	switch {
	case err != nil, kind == KindFix:
		return parent, err
	case parent.Kind == KindVerification:
		return parent, Refuse(CodeInvalid, fmt.Sprintf("%s is a verification itself", parent.ID), "name the phase it verifies")
	case parent.Status.Over():
		return parent, Refuse(CodeTransition, fmt.Sprintf("phase %s is %s", parent.ID, parent.Status), resetOf(t, parent))
	}
	return parent, nil
}

func askPhaseAdd(t Task, p PhaseAddPayload) error {
	parent, _ := t.Phase(p.Parent)
	switch {
	case t.Status.Terminal():
		return ended(t)
	case p.Parent != "" && parent.UID == "":
		return noPhase(p.Parent)
	case p.ShownID != "" && idTaken(t, p.ShownID):
		return Refuse(CodeTaken, fmt.Sprintf("there is a phase %s already", p.ShownID), "choose another id")
	case p.After != "" && t.phaseIndex(p.After) < 0:
		return noPhase(p.After)
	}
	switch p.Kind {
	case KindFix:
		if err := checkFix(t, parent); err != nil {
			return err
		}
	case KindSplit: // to split a spent one is a rung of the ladder
		if err := cmp.Or(CheckSpent(t, parent), checkGivenUp(t, parent)); err != nil {
			return err
		}
	case KindExecution, KindVerification, KindResearch, KindFinalReview:
	}
	return askDependencies(t, p, parent)
}

// checkFix says why no fix of p can be added now.
func checkFix(t Task, p Phase) error {
	root := rootOfFix(t, p)
	if p.Status != PhaseInReview && (root.Status != PhaseInReview || p.Kind == KindFix && p.Status == PhaseDropped) {
		return Refuse(CodeTransition, fmt.Sprintf("phase %s is %s: only a phase in review is revised", p.ID, p.Status), nextHint(t, p))
	}
	if ResearchFirst(t, root) {
		return Refuse(CodeDependencies, fmt.Sprintf("phase %s waits for its research: %s", root.ID, ShownIDs(t.Children(root.UID, KindResearch))), "see 'git brew next'")
	}
	return CheckSpent(t, root)
}

// askDependencies wants phases that exist and do not wait for the new one.
func askDependencies(t Task, p PhaseAddPayload, parent Phase) error {
	draft := Phase{Kind: p.Kind, Parent: parent.UID}
	if p.Kind == KindFix {
		var root Phase
		root, draft.Fixes = repairedBy(t, parent)
		draft.Parent = root.UID
	}
	wait := waitersFor(t, draft)
	for _, uid := range p.DependsOn {
		dep, ok := t.Phase(uid)
		switch {
		case !ok:
			return noDependency(uid)
		case !wait[uid] || Belongs(t, parent, uid): // what it belongs to is left out
		case parent.UID == "":
			return Refuse(CodeCycle, fmt.Sprintf("no phase can depend on %s, which waits for all of them", dep.ID), "leave that dependency out")
		default:
			return Refuse(CodeCycle, fmt.Sprintf("a phase of %s can't depend on %s, which waits for %s", parent.ID, dep.ID, parent.ID), "leave that dependency out")
		}
	}
	return nil
}

func noDependency(uid UID) error {
	return Refuse(CodeUnknownDep, fmt.Sprintf("there is no phase %q to depend on", Clip(string(uid), MaxName)), "see 'git brew phase list'")
}

// repairs are the phase that a fix of p hangs below, and the one that it repairs:
// of a verification, what that verifies.
func repairedBy(t Task, p Phase) (parent Phase, fixes UID) {
	parent = rootOfFix(t, p)
	if p.Kind == KindVerification {
		return parent, parent.UID
	}
	return parent, p.UID
}

// rootOfFix is the phase whose number a fix of p carries: a fix of a fix, or
// of a verification, belongs to the phase that those belong to.
func rootOfFix(t Task, p Phase) Phase {
	for range MaxDepth {
		if p.Kind != KindFix && p.Kind != KindVerification {
			break
		}
		parent, ok := t.Phase(p.Parent)
		if !ok {
			break
		}
		p = parent
	}
	return p
}
