package task

import (
	"errors"
	"slices"
)

// What boards hold up: the rows of the routing table where a step waits until
// reviewers say READY.

// gate says which board holds a situation up, and why; "" where none does.
type gate func(situation) (BoardName, error)

// planningGate holds up the stage planning.
func planningGate(s situation) (BoardName, error) { return heldBy(s.Task, StagePlan) }

// workGate holds up the first phase.
func workGate(s situation) (BoardName, error) { return heldBy(s.Task, StageExecute) }

// finalGate holds up the approval of the final review.
func finalGate(s situation) (BoardName, error) {
	on := BoardOf(s.focus.UID)
	return on, CheckBoard(s.Task, on, true)
}

// heldBy is the first board on a document that is not READY, of those that have
// to be for a stage.
func heldBy(t Task, to Stage) (BoardName, error) {
	for _, g := range stageGates {
		if err := CheckBoard(t, BoardName(g.doc), false); err != nil {
			return BoardName(g.doc), err
		}
		if g.stage == to {
			break
		}
	}
	return "", nil
}

func planningHeld(s situation) bool {
	_, err := planningGate(s)
	return err != nil
}

// boardHeld: the table would have the first phase begin, or be planned, and a board
// holds it up.
func boardHeld(s situation) bool {
	if s.freely || checkFirstStart(s.Task, Phase{}) == nil {
		return false
	}
	r, next := s.unheld()
	return r.beginsWork(next.focus) || r.step == StepPlan && next.focus.UID != ""
}

// finalReviewHeld chooses a final review that can't be approved yet.
func finalReviewHeld(v view) (Phase, bool) {
	return v.pick(func(p Phase) bool {
		return p.Kind == KindFinalReview && p.Status == PhaseInReview && CheckBoard(v.Task, BoardOf(p.UID), true) != nil
	})
}

func reasonBoard(g gate) func(situation) string {
	return func(s situation) string {
		_, err := g(s)
		if refused, ok := errors.AsType[*RefusedError](err); ok {
			return refused.Msg
		}
		return ""
	}
}

// commandBoard is what the board waits for. What was found in a final review is mended
// by a fix first, and then said to be.
func commandBoard(g gate) func(situation) string {
	return func(s situation) string {
		on, _ := g(s)
		tally := TallyOf(s.Task, on)
		fixed := slices.ContainsFunc(s.Phases, func(p Phase) bool { return p.Kind == KindFix && p.Parent == s.focus.UID })
		if tally.Verdict == VerdictChanges && s.focus.Kind == KindFinalReview && !fixed && revisable(s.Task, s.focus) {
			return commandRevise(s)
		}
		return tally.Command
	}
}
