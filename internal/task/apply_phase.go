package task

import (
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

func applyPhaseAdd(e *editor, op operation.Operation, p PhaseAddPayload) bool {
	phase, ok := newPhase(e.t, op.ID, p)
	if !ok {
		return false
	}
	m := moment{at: cleanTime(op.At)}
	if parent := e.t.phaseIndex(phase.Parent); parent >= 0 {
		switch phase.Kind {
		case KindSplit:
			if !e.firePhase(parent, EventSplit, m) {
				return false
			}
		case KindFix:
			e.firePhase(parent, EventRevise, m)
			if phase.Fixes != phase.Parent {
				e.firePhase(e.t.phaseIndex(phase.Fixes), EventRevise, m)
			}
		case KindExecution, KindVerification, KindResearch, KindFinalReview: // change no other phase
		}
	}
	at := e.t.place(p.After, phase.Parent)
	e.t.Phases = slices.Insert(e.phases(), at, phase)
	return true
}

// newPhase returns the phase that the payload describes, if that makes sense
// in t.
func newPhase(t Task, uid UID, p PhaseAddPayload) (Phase, bool) {
	if p.Kind == "" {
		p.Kind = KindExecution
	}
	if p.Tier == "" {
		p.Tier = TierAuto
	}
	if !uid.Valid() || t.phaseIndex(uid) >= 0 || len(t.Phases) >= maxPhases || !oneLine(p.Title, MaxTitle) ||
		!slices.Contains(phaseKinds, p.Kind) || !slices.Contains(tiers, p.Tier) ||
		!paragraphs(p.Acceptance) || !paragraphs(p.Verification) || !names(p.Agents) || len(p.DependsOn) > maxDepends {
		return Phase{}, false
	}
	phase := Phase{
		UID: uid, Title: p.Title, Kind: p.Kind, Status: PhasePending, Review: ReviewNone,
		Acceptance: p.Acceptance, Verification: p.Verification, Tier: p.Tier, Agents: p.Agents,
	}
	var parent Phase
	if p.Kind.needsParent() || p.Kind == KindResearch && p.Parent != "" {
		var ok bool
		if parent, ok = t.Phase(p.Parent); !ok {
			return Phase{}, false
		}
		switch p.Kind {
		case KindFix:
			parent, phase.Fixes = t.repairs(parent)
			if t.droppedAbove(Phase{Parent: parent.UID, Fixes: phase.Fixes}) != nil {
				return Phase{}, false
			}
		default:
			if parent.Kind == KindVerification || parent.Status.Over() {
				return Phase{}, false
			}
		}
		if t.depth(parent) >= maxDepth {
			return Phase{}, false
		}
		phase.Parent = parent.UID
	}
	if len(p.DependsOn) > 0 {
		wait := t.waiters(phase)
		for _, uid := range p.DependsOn {
			if _, known := t.Phase(uid); known && !slices.Contains(phase.DependsOn, uid) && !wait[uid] {
				phase.DependsOn = append(phase.DependsOn, uid)
			}
		}
	}
	phase.ID = t.shownID(p.Kind, parent, p.ShownID)
	return phase, true
}

// repairs are the phase that a fix of p hangs below, and the one that it repairs:
// of a verification, what that verifies.
func (t Task) repairs(p Phase) (parent Phase, fixes UID) {
	parent = t.rootOfFix(p)
	if p.Kind == KindVerification {
		return parent, parent.UID
	}
	return parent, p.UID
}

// rootOfFix is the phase whose number a fix of p carries: a fix of a fix, or
// of a verification, belongs to the phase that those belong to.
func (t Task) rootOfFix(p Phase) Phase {
	for range maxDepth {
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

func paragraphs(list []string) bool {
	return len(list) <= maxItems && !slices.ContainsFunc(list, func(s string) bool { return s == "" || !paragraph(s, maxItem) })
}

func names(list []string) bool {
	return len(list) <= maxItems && !slices.ContainsFunc(list, func(s string) bool { return !validName(s) })
}

func applyPhaseStart(e *editor, op operation.Operation, p PhasePayload) bool {
	i := e.t.phaseIndex(p.Phase)
	if i < 0 || !emptyOrOID(p.Commit) || !p.Services.valid() || p.Worker != "" && !validName(p.Worker) {
		return false
	}
	event := startEvent(e.t.Phases[i])
	if _, _, fits := e.t.transition(e.t.Phases[i], event); !fits {
		return false
	}
	e.pass(op, p.Passed, "")
	if !e.firePhase(i, event, moment{at: cleanTime(op.At), commit: p.Commit, services: p.Services}) {
		return false
	}
	if p.Claimed {
		e.claim(op, p.Phase, p.Worker)
	}
	return true
}

func applyPhaseDone(e *editor, op operation.Operation, p PhasePayload) bool {
	i := e.t.phaseIndex(p.Phase)
	return i >= 0 && !isPaused(e.t.Phases[i]) && emptyOrOID(p.Commit) && p.Services.valid() &&
		e.firePhase(i, EventDone, moment{at: cleanTime(op.At), commit: p.Commit, services: p.Services, clean: p.Clean}) &&
		moveStarts(e, p.Starts)
}

// moveStarts sets the start commits of phases that have one.
func moveStarts(e *editor, starts map[UID]string) bool {
	for uid, commit := range starts {
		if i := e.t.phaseIndex(uid); i >= 0 && commit != "" && emptyOrOID(commit) && e.t.Phases[i].StartCommit != "" {
			e.phases()[i].StartCommit = commit
		}
	}
	return true
}

func applyPhaseFail(e *editor, op operation.Operation, p PhaseReasonPayload) bool {
	i := e.t.phaseIndex(p.Phase)
	if i < 0 || !paragraph(p.Reason, MaxReason) || !e.firePhase(i, EventFail, moment{at: cleanTime(op.At), reason: p.Reason}) {
		return false
	}
	if p.MustEscalate {
		e.spend(p.Phase)
	}
	return true
}

// applyPhaseDrop drops any phase but a final review, which is of all others.
func applyPhaseDrop(e *editor, op operation.Operation, p PhaseReasonPayload) bool {
	i := e.t.phaseIndex(p.Phase)
	return i >= 0 && e.t.Phases[i].Kind != KindFinalReview && paragraph(p.Reason, MaxReason) &&
		e.firePhase(i, EventDrop, moment{at: cleanTime(op.At), reason: p.Reason})
}

func applyPhaseReset(e *editor, op operation.Operation, p PhaseReasonPayload) bool {
	i := e.t.phaseIndex(p.Phase)
	return i >= 0 && paragraph(p.Reason, MaxReason) &&
		e.firePhase(i, EventReset, moment{at: cleanTime(op.At), reason: p.Reason})
}

// applyPhaseLaunch notes an agent once an iteration; to launch it again adds
// nothing.
func applyPhaseLaunch(e *editor, _ operation.Operation, p PhaseLaunchPayload) bool {
	i := e.t.phaseIndex(p.Phase)
	if i < 0 || !validName(p.Agent) {
		return false
	}
	phase := e.t.Phases[i]
	if !phase.open() || phase.Status == PhasePending || len(phase.Launched) >= maxItems {
		return false
	}
	if slices.Contains(phase.Launched, p.Agent) {
		return true
	}
	e.phases()[i].Launched = append(slices.Clip(phase.Launched), p.Agent)
	return true
}
