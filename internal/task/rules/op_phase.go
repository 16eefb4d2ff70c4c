package rules

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/git-brew/git-brew/internal/task"
)

// claim notes who took a phase with op.
func (e *editor) claim(uid task.UID, worker string) {
	if i := e.t.PhaseIndex(uid); i >= 0 {
		e.phases()[i].Claim = task.PhaseClaim{
			UID: e.op.ID, Worker: worker, Session: task.CleanSession(e.op.Session),
			Fence: e.op.Fence, At: e.at,
		}
	}
}

// takeOver leaves it to the caller, who knows lock and clock, whether the claim was left.
func takeOver(e *editor, p task.ClaimPayload) error {
	phase, err := findPhase(e.t, p.Phase)
	switch {
	case err != nil:
		return err
	case phase.Status != task.PhaseInProgress || phase.Claim.UID == "":
		return task.Refuse(task.CodeTransition,
			fmt.Sprintf("phase %s is %s, and no worker has left it", phase.ID, phase.Status), "see 'git brew next --all'")
	case phase.Claim.UID != p.From:
		return task.Refuse(task.CodeTaken, fmt.Sprintf("phase %s was claimed by %s meanwhile", phase.ID, phase.Claim.By()),
			"git brew next --claim")
	}
	e.claim(p.Phase, p.Worker)
	e.t.Current = p.Phase
	return nil
}

func askPhaseClaim(t task.Task, _ task.ClaimPayload) error {
	if t.Status != task.InProgress {
		return task.Refuse(task.CodeTaskState, fmt.Sprintf("the task is %s", t.Status), "git brew start")
	}
	return nil
}

// findPhase returns the phase or an error that wraps ErrNoPhase.
func findPhase(t task.Task, uid task.UID) (task.Phase, error) {
	if p, ok := t.Phase(uid); ok {
		return p, nil
	}
	return task.Phase{}, noPhase(uid)
}

func noPhase(uid task.UID) error {
	return fmt.Errorf("%w: %q; see 'git brew phase list'", task.ErrNoPhase, task.Clip(string(uid), task.MaxName))
}

// find returns the place of a phase.
func (e *editor) find(uid task.UID) (int, error) {
	i := e.t.PhaseIndex(uid)
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
func checkPhaseEvent(t task.Task, p task.Phase, event PhaseEvent) error {
	if err := checkTables(t, p, event); err != nil {
		return err
	}
	if _, ok := transitionOf(t, p, event); ok {
		return nil
	}
	return cmp.Or(checkAbove(t, p), completionBlocked(t, p))
}

// checkTables refuses what the tables do not have.
func checkTables(t task.Task, p task.Phase, event PhaseEvent) error {
	if _, ok := phaseTransition(p, event); ok {
		return nil
	}
	state := p.Status.String()
	switch parts := openParts(t, p.UID); {
	case p.Status == task.PhaseInReview && p.Review == task.ReviewNone:
		state = "in review"
	case p.Status == task.PhasePending && len(parts) > 0:
		state = "pending, and done by its parts: " + task.ShownIDs(parts)
	}
	only := map[PhaseEvent]string{
		EventStart: "a pending or failed phase can be started", EventRework: "a phase in review can be started again",
		EventDone:    "a phase in progress can be done",
		EventApprove: "a phase in review can be approved", EventReject: "a phase in review can be rejected",
		EventRefute: "a phase in review can be rejected",
		EventFail:   "an open phase can fail", EventDrop: "an open phase can be dropped",
		EventReset: "a phase that was begun can be reset",
	}[event]
	return task.Refuse(task.CodeTransition, fmt.Sprintf("phase %s is %s; only %s", p.ID, state, only), nextHint(t, p))
}

func startPhase(e *editor, p task.PhasePayload) error {
	i, err := e.find(p.Phase)
	if err != nil {
		return err
	}
	e.pass(p.Passed, "")
	err = e.phaseEvent(i, startEvent(e.t.Phases[i]), moment{commit: p.Commit, services: p.Services})
	if err == nil && p.Claimed {
		e.claim(p.Phase, p.Worker)
	}
	return err
}

func askPhaseStart(t task.Task, p task.PhasePayload) error {
	if t.Status != task.InProgress {
		return task.Refuse(task.CodeTaskState, fmt.Sprintf("the task is %s", t.Status), "git brew start")
	}
	phase, _ := t.Phase(p.Phase)
	return checkBegin(t, phase)
}

func donePhase(e *editor, p task.PhasePayload) error {
	i, err := e.find(p.Phase)
	if err != nil {
		return err
	}
	if phase := e.t.Phases[i]; isPaused(phase) {
		return task.Refuse(task.CodeTransition,
			"the task is "+e.t.Status.String()+"; phase "+phase.ID+" can be done once it is in progress", nextHint(e.t, phase))
	}
	moveStarts(e, p.Starts)
	return e.phaseEvent(i, EventDone, moment{commit: p.Commit, services: p.Services, clean: p.Clean})
}

func askPhaseDone(t task.Task, p task.PhasePayload) error {
	phase, _ := t.Phase(p.Phase)
	return DoneBlocked(t, phase)
}

// moveStarts sets the start commits of phases that have one.
func moveStarts(e *editor, starts map[task.UID]string) {
	for uid, commit := range starts {
		if i := e.t.PhaseIndex(uid); i >= 0 && commit != "" && task.EmptyOrOID(commit) && e.t.Phases[i].StartCommit != "" {
			e.phases()[i].StartCommit = commit
		}
	}
}

// endPhase takes a phase through an event that has a reason; without says why it needs one.
func endPhase(e *editor, p task.PhaseReasonPayload, event PhaseEvent, without string) error {
	i, err := e.find(p.Phase)
	if err == nil && without != "" {
		err = noReason(without, p.Reason)
	}
	if err != nil {
		return err
	}
	return e.phaseEvent(i, event, moment{reason: p.Reason})
}

func failPhase(e *editor, p task.PhaseReasonPayload) error {
	if err := endPhase(e, p, EventFail, "a failure"); err != nil {
		return err
	}
	if p.MustEscalate {
		e.spend(p.Phase)
	}
	return nil
}

// dropPhase drops any phase but a final review, which is of all others.
func dropPhase(e *editor, p task.PhaseReasonPayload) error {
	if phase, _ := e.t.Phase(p.Phase); phase.Kind == task.KindFinalReview {
		return task.Refuse(task.CodeTransition,
			"phase "+phase.ID+" is the final review: it is of all that is done, and not dropped", nextHint(e.t, phase))
	}
	return endPhase(e, p, EventDrop, "a drop")
}

func resetPhase(e *editor, p task.PhaseReasonPayload) error {
	return endPhase(e, p, EventReset, "")
}

// launchAgent notes an agent once an iteration; to launch it again adds nothing.
func launchAgent(e *editor, p task.PhaseLaunchPayload) error {
	i, err := e.find(p.Phase)
	if err != nil {
		return err
	}
	phase := e.t.Phases[i]
	switch {
	case !phase.Open() || phase.Status == task.PhasePending:
		return wrongStatus(e.t, phase, "nobody works on it")
	case slices.Contains(phase.Launched, p.Agent):
		return nil
	}
	e.phases()[i].Launched = append(slices.Clip(phase.Launched), p.Agent)
	return full(len(phase.Launched), task.MaxItems, "agents of phase "+phase.ID, "")
}

// countError counts an agent's error in the iteration that it worked on.
func countError(e *editor, p task.AgentErrorPayload) error {
	i, err := e.find(p.Phase)
	if err != nil {
		return err
	}
	if phase := e.t.Phases[i]; phase.Status != task.PhaseInProgress || phase.Iteration != p.Iteration ||
		phase.Errors >= task.MaxItems {
		return task.Refuse(task.CodeTransition, fmt.Sprintf("nobody works on phase %s", phase.ID), nextHint(e.t, phase))
	}
	e.phases()[i].Errors++
	return nil
}
