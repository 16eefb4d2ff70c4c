package route

import (
	"errors"
	"slices"

	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/rules"
)

// gate says which board holds a situation up, and why; "" where none does: a row of the
// routing table where a step waits until reviewers say READY.
type gate func(situation) (task.BoardName, error)

// planningGate holds up the stage planning.
func planningGate(s situation) (task.BoardName, error) {
	return rules.HeldBy(s.Task, "", task.StagePlan)
}

// workGate holds up the first phase.
func workGate(s situation) (task.BoardName, error) {
	return rules.HeldBy(s.Task, "", task.StageExecute)
}

// finalGate holds up the approval of the final review.
func finalGate(s situation) (task.BoardName, error) {
	on := task.BoardOf(s.focus.UID)
	return on, rules.CheckBoard(s.Task, on, true)
}

func planningHeld(s situation) bool {
	_, err := planningGate(s)
	return err != nil
}

// boardHeld: the table would have the first phase begin, or be planned, and a board
// holds it up.
func boardHeld(s situation) bool {
	if s.freely || rules.CheckFirstStart(s.Task, task.Phase{}) == nil {
		return false
	}
	r, next := s.ignoringHolds()
	return r.beginsWork(next.focus) || r.step == task.StepPlan && next.focus.UID != ""
}

// finalReviewHeld chooses a final review that can't be approved yet.
func finalReviewHeld(v view) (task.Phase, bool) {
	return v.pick(func(p task.Phase) bool {
		return p.Kind == task.KindFinalReview && p.Status == task.PhaseInReview &&
			rules.CheckBoard(v.Task, task.BoardOf(p.UID), true) != nil
	})
}

func reasonBoard(g gate) func(situation) string {
	return func(s situation) string {
		_, err := g(s)
		if refused, ok := errors.AsType[*task.RefusedError](err); ok {
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
		tally := rules.TallyOf(s.Task, on)
		fixed := slices.ContainsFunc(s.Phases, func(p task.Phase) bool {
			return p.Kind == task.KindFix && p.Parent == s.focus.UID
		})
		if tally.Verdict == rules.VerdictChanges && s.focus.Kind == task.KindFinalReview && !fixed &&
			rules.Revisable(s.Task, s.focus) {
			return commandRevise(s)
		}
		return tally.Command
	}
}
