package steps

import (
	"encoding/json"
	"slices"

	"github.com/git-brew/git-brew/internal/operation"
	"github.com/git-brew/git-brew/internal/pipeline"
	"github.com/git-brew/git-brew/internal/task"
)

// StepRow is a row of the table of steps: which operation begins a step, and
// which one ends it. What runs before a step runs before the first, what runs
// after it when the second is recorded; one operation may be both.
type StepRow struct {
	Step     string `json:"step"`
	Pipeline string `json:"pipeline"`
	// BegunBy and EndedBy are the commands that make these operations, for people.
	BegunBy string `json:"begun_by"`
	EndedBy string `json:"ended_by"`

	begins, ends func(applied) bool
	// goesOn: it was begun, and has not ended; nil for what one operation does.
	goesOn        func(t task.Task, p task.Phase) bool
	phase         func(applied) task.UID
	outsideOfJSON bool // the pipeline need not have it
}

// applied is an operation on a task, with the states around it.
type applied struct {
	kind          operation.Kind
	payload       stepPayload
	before, after task.Task
}

type stepPayload struct {
	Phase  task.UID       `json:"phase"`
	Kind   task.PhaseKind `json:"kind"`
	Parent task.UID       `json:"parent"`
	Name   task.DocName   `json:"name"`
	Stage  task.Stage     `json:"stage"`
	Status task.Status    `json:"status"`
}

func newApplied(kind operation.Kind, payload any, before, after task.Task) (applied, error) {
	a := applied{kind: kind, before: before, after: after}
	raw, err := json.Marshal(payload)
	if err == nil {
		err = json.Unmarshal(raw, &a.payload)
	}
	return a, err
}

// StepTable is the table of steps.
func StepTable() []StepRow { //nolint:funlen // a table
	return []StepRow{
		{
			Step: task.StepClarify, Pipeline: pipeline.Main,
			BegunBy: "question add, doc set context (the first open question)",
			EndedBy: "question resolve, doc set context (the last one)",
			begins: func(a applied) bool {
				return a.in(task.StageClarify) && a.before.Questions.Open == 0 && a.after.Questions.Open > 0
			},
			ends: func(a applied) bool {
				return a.in(task.StageClarify) && a.before.Questions.Open > 0 && a.after.Questions.Open == 0
			},
			goesOn: func(t task.Task, _ task.Phase) bool { return t.Stage == task.StageClarify && t.Questions.Open > 0 },
		},
		{
			Step: task.StepResearch, Pipeline: pipeline.Main,
			BegunBy: "stage research", EndedBy: "doc set research",
			begins: func(a applied) bool {
				return a.enters(task.StageResearch) && !a.before.HasDoc(task.DocResearch) ||
					a.writes(task.DocResearch) && a.in(task.StageClarify)
			},
			ends: func(a applied) bool { return a.writes(task.DocResearch) && a.in(task.StageClarify, task.StageResearch) },
			goesOn: func(t task.Task, _ task.Phase) bool {
				return t.Stage == task.StageResearch && !t.HasDoc(task.DocResearch)
			},
		},
		{
			Step: task.StepPlan, Pipeline: pipeline.Main,
			BegunBy: "stage plan", EndedBy: "doc set roadmap, doc set plan (the first of them)",
			begins: func(a applied) bool {
				return a.enters(task.StagePlan) && !a.before.HasRoadmap() ||
					a.plansTask() && a.in(task.StageClarify, task.StageResearch)
			},
			ends: func(a applied) bool {
				return a.plansTask() && a.in(task.StageClarify, task.StageResearch, task.StagePlan)
			},
			goesOn: func(t task.Task, _ task.Phase) bool { return t.Stage == task.StagePlan && !t.HasRoadmap() },
		},
		{
			Step: task.StepPlan, Pipeline: pipeline.Phase,
			BegunBy: "doc set phases/<id>/plan", EndedBy: "doc set phases/<id>/plan",
			begins: applied.plansPhase, ends: applied.plansPhase, phase: applied.plannedPhase,
		},
		{
			Step: task.StepRevise, Pipeline: pipeline.Phase,
			BegunBy: "phase revise", EndedBy: "phase revise",
			begins: applied.addsFix, ends: applied.addsFix, phase: func(a applied) task.UID { return a.payload.Parent },
		},
		{
			Step: task.StepExecute, Pipeline: pipeline.Phase,
			BegunBy: "phase start, next --claim, phase revise", EndedBy: "phase done",
			begins: func(a applied) bool { return a.startsA(task.WorkKinds) },
			ends:   func(a applied) bool { return a.kind == task.OpPhaseDone && a.isA(task.WorkKinds) },
			goesOn: workedOn, phase: applied.ofPhase,
		},
		{
			Step: task.StepResearch, Pipeline: pipeline.Phase,
			BegunBy: "phase start of a research phase", EndedBy: "phase done",
			begins: func(a applied) bool { return a.startsA(researches) },
			ends:   func(a applied) bool { return a.kind == task.OpPhaseDone && a.isA(researches) },
			goesOn: workedOn, phase: applied.ofPhase,
		},
		{
			Step: task.StepReview, Pipeline: pipeline.Phase,
			BegunBy: "phase review, phase approve; phase start of a verification or the final review",
			EndedBy: "phase review, phase approve",
			begins:  func(a applied) bool { return a.startsA(reviews) || a.kind == task.OpPhaseReview && !a.isA(reviews) },
			ends:    func(a applied) bool { return a.kind == task.OpPhaseReview },
			goesOn:  reviewedOn, phase: applied.ofPhase,
		},
		{
			Step: task.StepComplete, Pipeline: pipeline.Main,
			BegunBy: "finish", EndedBy: "finish",
			begins: applied.finishes, ends: applied.finishes, outsideOfJSON: true,
		},
	}
}

// reviewedOn: the review of a phase that is one itself began with it, and goes on
// to its verdict.
func reviewedOn(t task.Task, p task.Phase) bool {
	return workedOn(t, p) || p.Status == task.PhaseInReview && slices.Contains(reviews, p.Kind)
}

func workedOn(_ task.Task, p task.Phase) bool { return p.Status == task.PhaseInProgress }

// in: the task was in one of the stages.
func (a applied) in(stages ...task.Stage) bool { return slices.Contains(stages, a.before.Stage) }

func (a applied) enters(s task.Stage) bool {
	return a.kind == task.OpStage && a.payload.Stage == s && a.before.Stage != s
}

// writes: a document was written that was not there.
func (a applied) writes(name task.DocName) bool {
	return a.kind == task.OpDocSet && a.payload.Name == name && !a.before.HasDoc(name) && a.after.HasDoc(name)
}

// plansTask: the first document was written that says which phases there are.
func (a applied) plansTask() bool {
	return !a.before.HasRoadmap() && (a.writes(task.DocRoadmap) || a.writes(task.DocPlan))
}

func (a applied) plansPhase() bool { return a.plannedPhase() != "" }

func (a applied) plannedPhase() task.UID {
	for _, p := range a.before.Phases {
		if a.writes(task.PlanOf(p.UID)) {
			return p.UID
		}
	}
	return ""
}

func (a applied) addsFix() bool { return a.kind == task.OpPhaseAdd && a.payload.Kind == task.KindFix }

func (a applied) ofPhase() task.UID { return a.payload.Phase }

func (a applied) finishes() bool { return a.kind == task.OpFinish && a.payload.Status == task.Finished }

// startsA: the work on a phase of some kinds begins, and does not only go on.
func (a applied) startsA(kinds []task.PhaseKind) bool {
	return a.kind == task.OpPhaseStart && a.isA(kinds)
}

// isA: the operation is about a phase of one of the kinds.
func (a applied) isA(kinds []task.PhaseKind) bool {
	p, ok := a.after.Phase(a.payload.Phase)
	return ok && slices.Contains(kinds, p.Kind)
}

// The kinds of phases, by the step that is gone through for them.
var (
	researches = []task.PhaseKind{task.KindResearch}
	reviews    = []task.PhaseKind{task.KindVerification, task.KindFinalReview}
)
