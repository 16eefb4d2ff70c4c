package task

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// CheckBoard says why what a board looks at is not ready: nil where it is, and,
// unless it must have one, where nobody opened a board.
func CheckBoard(t Task, on BoardName, must bool) error {
	if _, opened := t.board(on); !opened && !must {
		return nil
	}
	tally := TallyOf(t, on)
	if tally.Verdict == VerdictReady {
		return nil
	}
	what := tally.Board
	if _, work := on.phase(); work {
		what = "phase " + what
	}
	hint := tally.Command
	if must && len(tally.Reviewers) == 0 && len(tally.Remarks) == 0 {
		hint += "; a person alone: git brew remark confirm " + tally.Board + " -m WHY"
	}
	refused := &RefusedError{
		Code: CodeBoard, Msg: fmt.Sprintf("%s is not READY: %s", what, tally.Why),
		Hint: hint + "; see 'git brew remark tally " + tally.Board + "'",
	}
	for _, r := range tally.blocking() {
		text := clip(strings.Join(strings.Fields(r.Text), " "), MaxTitle)
		refused.Findings = append(refused.Findings, fmt.Sprintf("%d %s: %s", r.N, r.Severity, text))
	}
	return refused
}

// stageGates are the documents that have to be ready, where a board looks at
// them, before a task goes to a stage (BC-7, BC-17).
var stageGates = []struct {
	doc   DocName
	stage Stage
}{
	{DocSpec, StagePlan},
	{DocPlan, StageExecute},
}

// heldBy is the first board on a document that is not READY, of those that have to be
// on the way from a stage ("": from the first) to another, and why it is not.
func heldBy(t Task, from, to Stage) (BoardName, error) {
	for _, g := range stageGates {
		at := slices.Index(stages, g.stage)
		if slices.Index(stages, from) >= at || slices.Index(stages, to) < at {
			continue
		}
		if err := CheckBoard(t, BoardName(g.doc), false); err != nil {
			return BoardName(g.doc), err
		}
	}
	return "", nil
}

// checkStageGates says why the task can't go on to a stage.
func checkStageGates(t Task, to Stage) error {
	_, err := heldBy(t, t.Stage, to)
	return err
}

// checkFirstStart keeps the work from beginning on a plan that a board found
// wanting. Research goes on: a plan may need it.
func checkFirstStart(t Task, p Phase) error {
	if t.hasWork() || p.Kind == KindResearch {
		return nil
	}
	_, err := heldBy(t, "", StageExecute)
	return err
}

// gate says which board holds a situation up, and why; "" where none does: a row of the
// routing table where a step waits until reviewers say READY.
type gate func(situation) (BoardName, error)

// planningGate holds up the stage planning.
func planningGate(s situation) (BoardName, error) { return heldBy(s.Task, "", StagePlan) }

// workGate holds up the first phase.
func workGate(s situation) (BoardName, error) { return heldBy(s.Task, "", StageExecute) }

// finalGate holds up the approval of the final review.
func finalGate(s situation) (BoardName, error) {
	on := BoardOf(s.focus.UID)
	return on, CheckBoard(s.Task, on, true)
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
