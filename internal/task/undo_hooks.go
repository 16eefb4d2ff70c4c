package task

import (
	"slices"

	"github.com/git-brew/git-brew/internal/operation"
)

// hooks settles what became of hooks after steps that are taken back: these have
// not ended, so nothing follows them. The records stay, for they tell what ran.
// Those of another end of the same step are not the deed's.
func (k *taking) hooks() {
	all := slices.Clone(k.e.t.StepHooks)
	for i, h := range all {
		deeds := slices.ContainsFunc(k.ops, func(op operation.Operation) bool { return op.ID == h.first() })
		if deeds && h.Settled == "" && !k.e.t.ended(h) {
			all[i].Settled = HooksUndone
		}
	}
	k.e.t.StepHooks = all
}

// ended: the step that hooks followed has ended all the same, by a text that was
// written since. Phases and the task's end go back whole, or not at all.
func (t Task) ended(h StepHooks) bool {
	switch {
	case h.Step == StepClarify:
		return t.Questions.Open == 0
	case h.Step == StepResearch && h.Phase == "":
		return t.HasDoc(DocResearch)
	case h.Step == StepPlan && h.Phase == "":
		return t.HasRoadmap()
	case h.Step == StepPlan:
		return t.HasDoc(PlanOf(h.Phase))
	}
	return false
}
