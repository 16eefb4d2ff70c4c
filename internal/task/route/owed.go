package route

import (
	"cmp"
	"fmt"
	"slices"

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
	return t.HasAny(task.DocSpec, task.DocContext, task.DocResearch, task.DocPlan, task.DocRoadmap) ||
		slices.ContainsFunc(t.Skips, func(k task.Skip) bool { return k.Phase == "" && k.Reason != "" })
}

// skipped reports whether somebody passed a step of the main pipeline over.
func skipped(t task.Task, step string) bool {
	_, ok := rules.Skipped(t, step, task.Phase{})
	return ok
}

// owesSpec: a task is to be planned, and nothing says what is to be built. What was found out
// does not.
func owesSpec(t task.Task) bool { return Plans(t) && lacksSpec(t) }

func lacksSpec(t task.Task) bool {
	return !t.HasAny(task.DocSpec, task.DocContext, task.DocPlan, task.DocRoadmap) &&
		!skipped(t, task.StepClarify) && noPhases(t)
}

func owesDiscussion(t task.Task) bool { return t.Questions.Open > 0 && !skipped(t, task.StepClarify) }

// Undiscussed: the discussion was skipped with questions that are open still, and
// that holds.
func Undiscussed(t task.Task) bool { return t.Questions.Open > 0 && !owesDiscussion(t) }

func owesResearch(t task.Task) bool {
	return Plans(t) && !t.HasDoc(task.DocResearch) && !skipped(t, task.StepResearch)
}

func owesRoadmap(t task.Task) bool { return !t.HasRoadmap() && !skipped(t, task.StepPlan) }

// owesPlan: a phase has no plan of its own. What is to be verified, reviewed or found out
// stands in the phase itself, and a question at work asks for no plans.
func owesPlan(t task.Task, p task.Phase) bool {
	_, skipped := rules.Skipped(t, task.StepPlan, p)
	written := t.HasAny(task.DocSpec, task.DocResearch, task.DocPlan, task.DocRoadmap)
	asked := t.Stage == task.StageExecute && !written && len(t.Skips) == 0
	return Plans(t) && !asked && slices.Contains(task.WorkKinds, p.Kind) && !t.HasDoc(task.PlanOf(p.UID)) && !skipped
}

// PassedBy returns the steps of the main pipeline that are owed and left behind
// where the task goes to a stage. Questions that are open are left behind by each stage
// forward, and by the end: they may have come up since the discussion.
func PassedBy(t task.Task, to task.Stage) []task.Passed {
	if !Plans(t) {
		return nil
	}
	owed := map[string]bool{
		task.StepClarify: owesDiscussion(t), task.StepResearch: owesResearch(t),
		task.StepPlan: owesRoadmap(t),
	}
	from, end := slices.Index(task.Stages, t.Stage), slices.Index(task.Stages, to)
	var all []task.Passed
	for _, s := range task.SkipStages {
		at := slices.Index(task.Stages, s.Stage)
		left := from <= at || s.Step == task.StepClarify && (from < end || to == task.StageComplete)
		if owed[s.Step] && left && at < end {
			all = append(all, task.Passed{Step: s.Step})
		}
	}
	return all
}

// Unsaid is what nobody may plan without who is not a person: the spec, while nothing says what
// is to be built. A person who goes to the plan is asked for it there.
func Unsaid(t task.Task, to task.Stage) []task.Passed {
	if to != task.StagePlan || !lacksSpec(t) {
		return nil
	}
	return []task.Passed{{Step: task.StepClarify}}
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

// CheckSkip refuses to skip what the routing table does not let be skipped where the
// task stands.
func CheckSkip(t task.Task, p task.SkipPayload) error {
	r, s := routeOf(situation{Task: t})
	next := stepOf(r, s)
	switch {
	case r.step != p.Step:
		return task.Refuse(task.CodeTransition,
			fmt.Sprintf("what comes next is %s, not %q", r.step, task.Clip(p.Step, task.MaxName)), "see 'git brew next'")
	case p.Passed != passed(r, s):
		return task.Refuse(task.CodeTransition, "what comes next is another "+p.Step, "see 'git brew next'")
	case r.skip == "":
		return task.Refuse(task.CodeTransition, fmt.Sprintf("%s is never skipped: %s", p.Step, next.Reason),
			cmp.Or(next.Command, "see 'git brew next'"))
	}
	return nil
}

// PassedNext is what is passed over where the step that comes next is skipped.
func PassedNext(t task.Task) task.Passed { return passed(routeOf(situation{Task: t})) }

func passed(r route, s situation) task.Passed {
	passed := task.Passed{Step: r.step, Phase: s.about(r).UID}
	if r.when == planUnready {
		passed.Lacks = s.Unready.N
	}
	return passed
}
