package task

import (
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
		text := Clip(strings.Join(strings.Fields(r.Text), " "), MaxTitle)
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
func HeldBy(t Task, from, to Stage) (BoardName, error) {
	for _, g := range stageGates {
		at := slices.Index(Stages, g.stage)
		if slices.Index(Stages, from) >= at || slices.Index(Stages, to) < at {
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
	_, err := HeldBy(t, t.Stage, to)
	return err
}

// checkFirstStart keeps the work from beginning on a plan that a board found
// wanting. Research goes on: a plan may need it.
func CheckFirstStart(t Task, p Phase) error {
	if hasWork(t) || p.Kind == KindResearch {
		return nil
	}
	_, err := HeldBy(t, "", StageExecute)
	return err
}
