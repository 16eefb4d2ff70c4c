package task

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/operation"
)

// find returns the phase or an error that wraps ErrNoPhase.
func (t Task) find(uid UID) (Phase, error) {
	if p, ok := t.Phase(uid); ok {
		return p, nil
	}
	return Phase{}, noPhase(uid)
}

func noPhase(uid UID) error {
	return fmt.Errorf("%w: %q; see 'git brew phase list'", ErrNoPhase, Clip(string(uid), MaxName))
}

// find returns the place of a phase.
func (e *editor) find(uid UID) (int, error) {
	i := e.t.phaseIndex(uid)
	if i < 0 {
		return i, noPhase(uid)
	}
	return i, nil
}

// phaseEvent takes a phase through an event, or says why that can't happen.
func (e *editor) phaseEvent(i int, event PhaseEvent, m moment) error {
	if err := checkPhaseEvent(e.t, e.t.Phases[i], event); err != nil {
		return err
	}
	e.firePhase(i, event, m)
	return nil
}

// checkPhaseEvent refuses what transition does not let happen: what the tables do not
// have, and what they have and nothing comes of.
func checkPhaseEvent(t Task, p Phase, event PhaseEvent) error {
	if err := checkTables(t, p, event); err != nil {
		return err
	}
	if _, _, ok := transitionOf(t, p, event); ok {
		return nil
	}
	return cmp.Or(checkGivenUp(t, p), checkAbove(t, p), completionBlocked(t, p))
}

// checkTables refuses what the tables do not have.
func checkTables(t Task, p Phase, event PhaseEvent) error {
	if _, _, ok := phaseTransition(p, event); ok {
		return nil
	}
	state := p.Status.String()
	switch parts := openParts(t, p.UID); {
	case p.Status == PhaseInReview && p.Review == ReviewNone:
		state = "in review"
	case p.Status == PhasePending && len(parts) > 0:
		state = "pending, and done by its parts: " + ShownIDs(parts)
	}
	only := map[PhaseEvent]string{
		EventStart: "a pending or failed phase can be started", EventRework: "a phase in review can be started again", EventDone: "a phase in progress can be done",
		EventApprove: "a phase in review can be approved", EventReject: "a phase in review can be rejected", EventRefute: "a phase in review can be rejected",
		EventFail: "an open phase can fail", EventDrop: "an open phase can be dropped", EventReset: "a phase that was begun can be reset",
	}[event]
	return Refuse(CodeTransition, fmt.Sprintf("phase %s is %s; only %s", p.ID, state, only), nextHint(t, p))
}

func startPhase(e *editor, op operation.Operation, p PhasePayload) error {
	i, err := e.find(p.Phase)
	if err != nil {
		return err
	}
	event := startEvent(e.t.Phases[i])
	if err := checkPhaseEvent(e.t, e.t.Phases[i], event); err != nil {
		return err
	}
	e.pass(op, p.Passed, "")
	e.firePhase(i, event, moment{at: cleanTime(op.At), commit: p.Commit, services: p.Services})
	if p.Claimed {
		e.claim(op, p.Phase, p.Worker)
	}
	return nil
}

func askPhaseStart(t Task, p PhasePayload) error {
	if t.Status != InProgress {
		return Refuse(CodeTaskState, fmt.Sprintf("the task is %s", t.Status), "git brew start")
	}
	phase, _ := t.Phase(p.Phase)
	return checkBegin(t, phase)
}

func donePhase(e *editor, op operation.Operation, p PhasePayload) error {
	i, err := e.find(p.Phase)
	if err != nil {
		return err
	}
	phase := e.t.Phases[i]
	if err := checkPhaseEvent(e.t, phase, EventDone); err != nil {
		return err
	}
	if isPaused(phase) {
		return Refuse(CodeTransition, "the task is "+e.t.Status.String()+"; phase "+phase.ID+" can be done once it is in progress", nextHint(e.t, phase))
	}
	e.firePhase(i, EventDone, moment{at: cleanTime(op.At), commit: p.Commit, services: p.Services, clean: p.Clean})
	moveStarts(e, p.Starts)
	return nil
}

func askPhaseDone(t Task, p PhasePayload) error {
	phase, _ := t.Phase(p.Phase)
	return DoneBlocked(t, phase)
}

// moveStarts sets the start commits of phases that have one.
func moveStarts(e *editor, starts map[UID]string) {
	for uid, commit := range starts {
		if i := e.t.phaseIndex(uid); i >= 0 && commit != "" && emptyOrOID(commit) && e.t.Phases[i].StartCommit != "" {
			e.phases()[i].StartCommit = commit
		}
	}
}

// endPhase takes a phase through an event that has a reason; without says why it needs one.
func endPhase(e *editor, op operation.Operation, p PhaseReasonPayload, event PhaseEvent, without string) error {
	i, err := e.find(p.Phase)
	switch {
	case err != nil:
		return err
	case without != "" && strings.TrimSpace(p.Reason) == "":
		return Refuse(CodeInvalid, without, "say why, with -m")
	}
	return e.phaseEvent(i, event, moment{at: cleanTime(op.At), reason: p.Reason})
}

func failPhase(e *editor, op operation.Operation, p PhaseReasonPayload) error {
	if err := endPhase(e, op, p, EventFail, "a failure needs a reason"); err != nil {
		return err
	}
	if p.MustEscalate {
		e.spend(p.Phase)
	}
	return nil
}

// dropPhase drops any phase but a final review, which is of all others.
func dropPhase(e *editor, op operation.Operation, p PhaseReasonPayload) error {
	if phase, _ := e.t.Phase(p.Phase); phase.Kind == KindFinalReview {
		return Refuse(CodeTransition, "phase "+phase.ID+" is the final review: it is of all that is done, and not dropped", nextHint(e.t, phase))
	}
	return endPhase(e, op, p, EventDrop, "a phase is dropped for a reason")
}

func resetPhase(e *editor, op operation.Operation, p PhaseReasonPayload) error {
	return endPhase(e, op, p, EventReset, "")
}

// launchAgent notes an agent once an iteration; to launch it again adds nothing.
func launchAgent(e *editor, _ operation.Operation, p PhaseLaunchPayload) error {
	i, err := e.find(p.Phase)
	if err != nil {
		return err
	}
	phase := e.t.Phases[i]
	switch {
	case !phase.open() || phase.Status == PhasePending:
		return Refuse(CodeTransition, fmt.Sprintf("phase %s is %s: nobody works on it", phase.ID, phase.Status), nextHint(e.t, phase))
	case slices.Contains(phase.Launched, p.Agent):
		return nil
	case len(phase.Launched) >= maxItems:
		return Refuse(CodeTaskState, fmt.Sprintf("phase %s has %d agents, no more fit", phase.ID, maxItems), "")
	}
	e.phases()[i].Launched = append(slices.Clip(phase.Launched), p.Agent)
	return nil
}
