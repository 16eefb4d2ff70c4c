package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/task"
)

// Rung is a step of a ladder.
type Rung struct {
	Action task.EscalationAction
	// Tiers are the phases' that it is for; none: all.
	Tiers []task.Tier
	// After is how many iterations since the last escalation a phase has first;
	// Early: it may come before, and has to come then.
	After int
	Early bool
	// Total is how many iterations a phase has altogether, verifications counted,
	// before it; Agree how many agents have to want it.
	Total, Agree int
	// Most is how often a phase is escalated by the work itself, 0: no limit.
	Most int
}

// Ladder is how far a phase is taken that does not succeed.
type Ladder struct {
	Name  task.LadderName
	Rungs []Rung
}

// LadderLimits are the numbers of the ladders that settings change.
type LadderLimits struct {
	// Iterations is how many a phase gets (review.maxIterations).
	Iterations int
	// Junior and Senior are how many a worker of that tier gets
	// (escalate.juniorAfter, escalate.seniorAfter).
	Junior, Senior int
}

// The limits that no setting changes (BC-37, BR-11).
const (
	maxEscalated    = 2  // by research, split, upgrade, reassign, altogether
	askAfter        = 10 // iterations
	askAgree        = 2  // agents
	executiveTrials = 50
)

// LadderOf is the table of ladders. A phase whose tier is left to the runner is
// one of the seniors'.
func LadderOf(name task.LadderName, n LadderLimits) Ladder {
	l := Ladder{Name: name}
	switch name {
	case task.LadderBrew:
		l.Rungs = []Rung{
			{Action: task.ActionResearch, After: n.Iterations, Most: maxEscalated},
			{Action: task.ActionSplit, After: n.Iterations, Most: maxEscalated},
			{Action: task.ActionUpgrade, After: n.Iterations, Most: maxEscalated},
			{Action: task.ActionReassign, After: n.Iterations, Most: maxEscalated},
			{Action: task.ActionAsk, After: n.Iterations, Total: askAfter, Agree: askAgree},
		}
	case task.LadderKitchen:
		l.Rungs = []Rung{
			{Action: task.ActionUpgrade, Tiers: []task.Tier{task.TierJunior}, After: n.Junior, Early: true},
			{Action: task.ActionUpgrade, Tiers: []task.Tier{task.TierSenior, task.TierAuto}, After: n.Senior, Early: true},
			{Action: task.ActionAsk, Tiers: []task.Tier{task.TierExecutive}, After: executiveTrials, Early: true},
		}
	}
	return l
}

func (l Ladder) of(tier task.Tier) []Rung {
	return slices.DeleteFunc(slices.Clone(l.Rungs), func(r Rung) bool {
		return len(r.Tiers) > 0 && !slices.Contains(r.Tiers, tier)
	})
}

// For are the rungs for a phase, in order. Where it has to be escalated, and the
// only rungs left are for a phase that has had more iterations, those are for this
// one: it could have no more, and a ladder never ends below a phase that stands on
// it (BC-37).
func (l Ladder) For(p task.Phase) []Rung {
	rungs := l.of(p.Tier)
	if !p.MustEscalate || slices.ContainsFunc(rungs, func(r Rung) bool { return r.Total == 0 && r.left(p) > 0 }) {
		return rungs
	}
	for i := range rungs {
		rungs[i].Total = 0
	}
	return rungs
}

// Rung is the one for a phase by its action, or why there is none.
func (l Ladder) Rung(p task.Phase, action task.EscalationAction) (Rung, error) {
	if err := task.CheckWord("action", string(action)); err != nil {
		return Rung{}, err
	}
	for _, r := range l.For(p) {
		if r.Action == action {
			return r, nil
		}
	}
	return Rung{}, task.Refuse(task.CodeEscalation,
		"the ladder "+string(l.Name)+" has no "+string(action)+" for a phase of tier "+string(p.Tier),
		"see 'git brew escalate "+p.ID+"'")
}

// CheckBoard says why what a board looks at is not ready: nil where it is, and,
// unless it must have one, where nobody opened a board.
func CheckBoard(t task.Task, on task.BoardName, must bool) error {
	if _, opened := boardOn(t, on); !opened && !must {
		return nil
	}
	tally := TallyOf(t, on)
	if tally.Verdict == VerdictReady {
		return nil
	}
	what := tally.Board
	if _, work := on.Phase(); work {
		what = "phase " + what
	}
	hint := tally.Command
	if must && len(tally.Reviewers) == 0 && len(tally.Remarks) == 0 {
		hint += "; a person alone: git brew remark confirm " + tally.Board + " -m WHY"
	}
	refused := &task.RefusedError{
		Code: task.CodeBoard, Msg: fmt.Sprintf("%s is not READY: %s", what, tally.Why),
		Hint: hint + "; see 'git brew remark tally " + tally.Board + "'",
	}
	for _, r := range tally.blocking() {
		text := task.Clip(strings.Join(strings.Fields(r.Text), " "), task.MaxTitle)
		refused.Findings = append(refused.Findings, fmt.Sprintf("%d %s: %s", r.N, r.Severity, text))
	}
	return refused
}

// stageGates are the documents that have to be ready, where a board looks at
// them, before a task goes to a stage (BC-7, BC-17).
var stageGates = []struct {
	doc   task.DocName
	stage task.Stage
}{
	{task.DocSpec, task.StagePlan},
	{task.DocPlan, task.StageExecute},
}

// HeldBy is the first board on a document that is not READY, of those that have to be
// on the way from a stage ("": from the first) to another, and why it is not.
func HeldBy(t task.Task, from, to task.Stage) (task.BoardName, error) {
	for _, g := range stageGates {
		at := slices.Index(task.Stages, g.stage)
		if slices.Index(task.Stages, from) >= at || slices.Index(task.Stages, to) < at {
			continue
		}
		if err := CheckBoard(t, task.BoardName(g.doc), false); err != nil {
			return task.BoardName(g.doc), err
		}
	}
	return "", nil
}

// CheckFirstStart keeps the work from beginning on a plan that a board found
// wanting. Research goes on: a plan may need it.
func CheckFirstStart(t task.Task, p task.Phase) error {
	if hasWork(t) || p.Kind == task.KindResearch {
		return nil
	}
	_, err := HeldBy(t, "", task.StageExecute)
	return err
}

// StartsPlan reports that whatever begins now begins to carry out a plan: execution
// is still ahead, or nothing of what was planned was begun, wherever the stage is.
// A task that was made with its phases, and without a plan, was never planned.
func StartsPlan(t task.Task) bool {
	return ahead(t) || !hasWork(t) && t.HasRoadmap()
}

// ahead reports that execution has not begun.
func ahead(t task.Task) bool {
	return slices.Index(task.Stages, t.Stage) < slices.Index(task.Stages, task.StageExecute)
}

// hasWork: there was work, beyond research, which a plan may need.
func hasWork(t task.Task) bool {
	return slices.ContainsFunc(t.Phases, func(q task.Phase) bool { return q.Iteration > 0 && q.Kind != task.KindResearch })
}

// PlanHeld: nothing begins but research, for the plan is not ready. A skip holds
// until more is found, or the task comes back to planning.
func PlanHeld(t task.Task) bool {
	if t.Unready.N == 0 || !StartsPlan(t) {
		return false
	}
	return !slices.ContainsFunc(t.Skips, func(k task.Skip) bool { return !k.Over && t.Unready.N <= k.Lacks })
}

// checkPlan refuses what begins where the plan is not ready.
func checkPlan(t task.Task) error {
	if !PlanHeld(t) {
		return nil
	}
	return &task.RefusedError{
		Code: task.CodeDocuments, Msg: t.Unready.String(), Findings: t.Unready.Said,
		Hint: "'git brew doc check' says what it lacks; 'git brew next' leads there, " +
			"and 'git brew next --skip plan -m WHY' past it",
	}
}
