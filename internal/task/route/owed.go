package route

import (
	"fmt"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/rules"
)

// Plans reports whether a task is planned before work begins: once it has a question,
// a document that says what is to be built or how, or went to research or planning.
// Any other is worked on as it is.
func Plans(t task.Task) bool {
	if t.Stage == task.StageResearch || t.Stage == task.StagePlan || t.Questions.Total > 0 {
		return true
	}
	return slices.ContainsFunc([]task.DocName{
		task.DocSpec, task.DocContext, task.DocResearch, task.DocPlan,
		task.DocRoadmap,
	}, t.HasDoc) ||
		slices.ContainsFunc(t.Skips, func(k task.Skip) bool { return k.Phase == "" && k.Reason != "" })
}

// owesSpec: a task is to be planned, and nothing says what is to be built.
func owesSpec(t task.Task) bool {
	_, skipped := rules.Skipped(t, task.StepClarify, task.Phase{})
	said := slices.ContainsFunc([]task.DocName{
		task.DocSpec, task.DocContext, task.DocPlan, task.DocRoadmap,
		task.DocResearch,
	}, t.HasDoc)
	return Plans(t) && !said && !skipped && len(t.Phases) == 0
}

func owesDiscussion(t task.Task) bool {
	_, skipped := rules.Skipped(t, task.StepClarify, task.Phase{})
	return t.Questions.Open > 0 && !skipped
}

// Undiscussed: the discussion was skipped with questions that are open still, and
// that holds.
func Undiscussed(t task.Task) bool { return t.Questions.Open > 0 && !owesDiscussion(t) }

func owesResearch(t task.Task) bool {
	_, skipped := rules.Skipped(t, task.StepResearch, task.Phase{})
	return !t.HasDoc(task.DocResearch) && !skipped
}

func owesRoadmap(t task.Task) bool {
	_, skipped := rules.Skipped(t, task.StepPlan, task.Phase{})
	return !t.HasRoadmap() && !skipped
}

func owesPlan(t task.Task, p task.Phase) bool {
	_, skipped := rules.Skipped(t, task.StepPlan, p)
	written := slices.ContainsFunc([]task.DocName{task.DocSpec, task.DocResearch, task.DocPlan, task.DocRoadmap}, t.HasDoc)
	asked := t.Stage == task.StageExecute && !written && len(t.Skips) == 0 // a question at work asks for no plans
	return Plans(t) && !asked && hasPlan(p.Kind) && !t.HasDoc(task.PlanOf(p.UID)) && !skipped
}

// PassedBy returns the steps of the main pipeline that are owed and left behind
// where the task goes to a stage.
func PassedBy(t task.Task, to task.Stage) []task.Passed {
	if !Plans(t) {
		return nil
	}
	owed := map[string]bool{
		task.StepClarify: owesDiscussion(t), task.StepResearch: owesResearch(t),
		task.StepPlan: owesRoadmap(t),
	}
	var all []task.Passed
	for _, s := range task.SkipStages {
		at := slices.Index(task.Stages, s.Stage)
		if owed[s.Step] && slices.Index(task.Stages, t.Stage) <= at && at < slices.Index(task.Stages, to) {
			all = append(all, task.Passed{Step: s.Step})
		}
	}
	return all
}

// PassedByStart returns the steps that starting a phase leaves behind: those
// before execution, and the phase's own plan.
func PassedByStart(t task.Task, p task.Phase) []task.Passed {
	all := PassedBy(t, task.StageExecute)
	if owesPlan(t, p) {
		all = append(all, task.Passed{Step: task.StepPlan, Phase: p.UID})
	}
	return all
}

// hasPlan reports kinds of phases that have a plan of their own: what is to be
// verified, reviewed or found out stands in the phase itself.
func hasPlan(k task.PhaseKind) bool {
	return k != task.KindVerification && k != task.KindFinalReview && k != task.KindResearch
}

// CheckSkip refuses to skip what the routing table does not let be skipped where the
// task stands.
func CheckSkip(t task.Task, p task.SkipPayload) error {
	r, s := routeOf(view{Task: t})
	about := s.about(r)
	switch {
	case r.step != p.Step:
		return task.Refuse(task.CodeTransition,
			fmt.Sprintf("what comes next is %s, not %q", r.step, task.Clip(p.Step, task.MaxName)), "see 'git brew next'")
	case p.Phase != about.UID:
		return task.Refuse(task.CodeTransition,
			fmt.Sprintf("what comes next is to %s %s, not %s", p.Step, named(t, about.UID), named(t, p.Phase)),
			"see 'git brew next'")
	case p.Lacks != PassedUnready(t):
		return task.Refuse(task.CodeTransition, "the plan changed meanwhile", "see 'git brew next'")
	case r.skip == "":
		return task.Refuse(task.CodeTransition, fmt.Sprintf("%s is never skipped: %s", p.Step, r.reason(s)), insteadOf(r, s))
	}
	return nil
}

// named names the phase that a step is about, or what the task plans.
func named(t task.Task, uid task.UID) string {
	if p, ok := t.Phase(uid); ok {
		return "phase " + p.ID
	}
	return "the plan"
}

// PassedUnready is how much of the plan's lacks is passed over where the step that
// comes next is skipped; 0 where it is another step.
func PassedUnready(t task.Task) int {
	if r, _ := routeOf(view{Task: t}); r.when != planUnready {
		return 0
	}
	return t.Unready.N
}

// insteadOf says what to do about a step that is never skipped: what `next` says.
func insteadOf(r route, s situation) string {
	switch does := stepOf(r, s).Command; {
	case does == "":
		return "see 'git brew next'"
	case strings.HasPrefix(does, commandApprove):
		return "look at it with 'git brew phase review " + s.focus.ID + "', then '" + does + "' or 'git brew phase reject " +
			s.focus.ID + " -m WHY'"
	default:
		return does
	}
}
