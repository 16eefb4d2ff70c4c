package rules

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/task"
)

// phaseRule is rule for what is about a phase: do gets its place.
func phaseRule[P any](do func(*editor, int, P) error) kind {
	return rule(func(e *editor, p P) error {
		i := e.t.PhaseIndex(PhaseOf(e.op))
		if i < 0 {
			return noPhase(PhaseOf(e.op))
		}
		return do(e, i, p)
	})
}

// claim notes who took a phase with op.
func (e *editor) claim(i int, worker string) {
	e.phases()[i].Claim = task.PhaseClaim{
		UID: e.op.ID, Worker: worker, Session: task.CleanSession(e.op.Session), Fence: e.op.Fence, At: e.at,
	}
}

// takeOver leaves it to the caller, who knows lock and clock, whether the claim was left.
func takeOver(e *editor, i int, p task.ClaimPayload) error {
	switch phase := e.t.Phases[i]; {
	case phase.Status != task.PhaseInProgress || phase.Claim.UID == "":
		return wrongStatus(e.t, phase, "no worker has left it")
	case phase.Claim.UID != p.From:
		return task.Refuse(task.CodeTaken, fmt.Sprintf("phase %s was claimed by %s meanwhile", phase.ID, phase.Claim.By()),
			"git brew next --claim")
	}
	e.claim(i, p.Worker)
	e.t.Current = p.Phase
	return e.asksRunning()
}

// asksRunning wants a task that is in progress, where an operation is made.
func (e *editor) asksRunning() error {
	if t := e.t; e.made && t.Status != task.InProgress {
		return task.Refuse(task.CodeTaskState, fmt.Sprintf("the task is %s", t.Status), "git brew start")
	}
	return nil
}

func noPhase(uid task.UID) error {
	return fmt.Errorf("%w: %q; see 'git brew phase list'", task.ErrNoPhase, task.Clip(string(uid), task.MaxName))
}

// phaseEvent takes a phase through an event, or says why that can't happen.
func (e *editor) phaseEvent(i int, event PhaseEvent, m moment) error {
	if e.firePhase(i, event, m) {
		return nil
	}
	return refusalOf(e.t, e.t.Phases[i], event)
}

// refusalOf says why an event can't happen to a phase: the tables do not have it, or
// nothing comes of it.
func refusalOf(t task.Task, p task.Phase, event PhaseEvent) error {
	if _, ok := phaseTransition(p, event); ok {
		return cmp.Or(checkAbove(t, p), completionBlocked(t, p))
	}
	if parts := openParts(t, p.UID); p.Status == task.PhasePending && len(parts) > 0 {
		return wrongStatus(t, p, "it is done by its parts "+task.ShownIDs(parts))
	}
	done := cmp.Or(map[PhaseEvent]string{
		EventRework: "started", EventRefute: "rejected", EventDone: "done", EventReset: "reset", EventSplit: "split",
		EventDrop: "dropped",
	}[event], strings.TrimSuffix(string(event), "e")+"ed")
	return task.Refuse(task.CodeTransition, fmt.Sprintf("phase %s is %s, and can't be %s now", p.ID, p.Status, done),
		nextHint(t, p))
}

func startPhase(e *editor, i int, p task.PhasePayload) error {
	before := e.t
	e.pass(p.Passed, "")
	event := EventStart
	if e.t.Phases[i].Status == task.PhaseInReview {
		event = EventRework
	}
	if err := e.phaseEvent(i, event, moment{commit: p.Commit, services: p.Services}); err != nil {
		return err
	}
	if p.Claimed {
		e.claim(i, p.Worker)
	}
	err := e.asksRunning()
	if err == nil && e.made {
		err = checkBegin(before, before.Phases[i])
	}
	return err
}

// donePhase refuses what nobody works on because its task does not run, too.
func donePhase(e *editor, i int, p task.PhasePayload) error {
	before := e.t
	if phase := e.t.Phases[i]; phase.Status == task.PhaseInProgress && phase.WorkSince == "" {
		return wrongStatus(e.t, phase, "the task is "+e.t.Status.String())
	}
	moveStarts(e, p.Starts)
	err := e.phaseEvent(i, EventDone, moment{commit: p.Commit, services: p.Services, clean: p.Clean})
	if err == nil && e.made {
		err = DoneBlocked(before, before.Phases[i])
	}
	return err
}

// moveStarts sets the start commits of phases that have one.
func moveStarts(e *editor, starts map[task.UID]string) {
	for uid, commit := range starts {
		if i := e.t.PhaseIndex(uid); i >= 0 && commit != "" && task.EmptyOrOID(commit) && e.t.Phases[i].StartCommit != "" {
			e.phases()[i].StartCommit = commit
		}
	}
}

func failPhase(e *editor, i int, p task.PhaseReasonPayload) error {
	if err := noReason("a failure", p.Reason); err != nil {
		return err
	}
	err := e.phaseEvent(i, EventFail, moment{reason: p.Reason})
	if err == nil && p.MustEscalate {
		e.spend(p.Phase)
	}
	return err
}

// dropPhase drops any phase but a final review, which is of all others.
func dropPhase(e *editor, i int, p task.PhaseReasonPayload) error {
	if phase := e.t.Phases[i]; phase.Kind == task.KindFinalReview {
		return wrongStatus(e.t, phase, "a final review is of all that is done, and not dropped")
	}
	if err := noReason("a drop", p.Reason); err != nil {
		return err
	}
	return e.phaseEvent(i, EventDrop, moment{reason: p.Reason})
}

func resetPhase(e *editor, i int, p task.PhaseReasonPayload) error {
	return e.phaseEvent(i, EventReset, moment{reason: p.Reason})
}

// launchAgent notes an agent once an iteration; to launch it again adds nothing.
func launchAgent(e *editor, i int, p task.PhaseLaunchPayload) error {
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
func countError(e *editor, i int, p task.AgentErrorPayload) error {
	if phase := e.t.Phases[i]; phase.Status != task.PhaseInProgress || phase.Iteration != p.Iteration ||
		phase.Errors >= task.MaxItems {
		return wrongStatus(e.t, phase, "nobody works on that iteration")
	}
	e.phases()[i].Errors++
	return nil
}

// countTurn notes a worker's turn in the iteration that it worked on, and sums up its cost.
func countTurn(e *editor, i int, p task.TurnPayload) error {
	phase := e.t.Phases[i]
	switch {
	case phase.Status == task.PhasePending || phase.Iteration != p.Iteration:
		return wrongStatus(e.t, phase, "nobody works on that iteration")
	case !p.Valid() || p.Until != task.CleanTime(p.Until):
		return task.Refuse(task.CodeInvalid, "the turn's cost or time is none", "")
	}
	turn := p.Turn
	turn.At = e.at
	turns := append(slices.Clone(phase.Turns), turn)
	forgetReasons(turns)
	over := max(0, len(turns)-task.MaxTurns)
	e.phases()[i].Turns = turns[over:]
	e.phases()[i].TierSince = max(0, phase.TierSince-over)
	if turn.Outcome == task.TurnRetried || turn.Outcome == task.TurnPaused {
		e.phases()[i].TierSince = len(turns) - over
	}
	if p.By != task.ByLook { // that is the task's
		e.phases()[i].Spent = phase.Spent.Plus(p.Cost)
	}
	return nil
}

// forgetReasons keeps the reasons of the last turn, of the last one of a worker, of what was
// refused last, and of what was tried again last, which the next worker is told: each hook reads
// the state. The history has them all.
func forgetReasons(turns []task.Turn) {
	worked, refused, retried := false, false, false
	for i := range slices.Backward(turns) {
		works := turns[i].By.Worker()
		is := turns[i].Outcome == task.TurnRejected || turns[i].Outcome == task.TurnConflict
		again := turns[i].Outcome == task.TurnRetried
		if i < len(turns)-1 && (!works || worked) && (!is || refused) && (!again || retried) {
			turns[i].Reason = ""
		}
		worked, refused, retried = worked || works, refused || is, retried || again
	}
}
