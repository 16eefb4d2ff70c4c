package workflow

import (
	"encoding/json"

	"github.com/git-brew/git-brew/internal/operation"
	"github.com/git-brew/git-brew/internal/pipeline"
	"github.com/git-brew/git-brew/internal/task"
)

// StepRow is a row of the table of steps: which operation begins a step, and
// which one ends it. What runs before a step runs before the first, what runs
// after it when the second is recorded; one operation may be both.
type StepRow struct {
	Step, Pipeline string
	// Begun and Ended are the commands that make these operations, for people.
	Begun, Ended string
	begins, ends func(deed) bool
	// goesOn: it was begun, and has not ended; nil for what one operation does.
	goesOn        func(t task.Task, p task.Phase) bool
	phase         func(deed) task.UID
	outsideOfJSON bool // the pipeline need not have it
}

// deed is an operation on a task, with the states around it.
type deed struct {
	kind          operation.Kind
	payload       stepPayload
	before, after task.Task
}

// stepPayload is what the table asks of payloads of all kinds.
type stepPayload struct {
	Phase   task.UID       `json:"phase"`
	Kind    task.PhaseKind `json:"kind"`
	Parent  task.UID       `json:"parent"`
	Name    task.DocName   `json:"name"`
	Stage   task.Stage     `json:"stage"`
	Status  task.Status    `json:"status"`
	Verdict task.Review    `json:"verdict"`
}

func newDeed(kind operation.Kind, payload any, before, after task.Task) (deed, error) {
	d := deed{kind: kind, before: before, after: after}
	raw, err := json.Marshal(payload)
	if err == nil {
		err = json.Unmarshal(raw, &d.payload)
	}
	return d, err
}

// StepTable is the table of steps.
func StepTable() []StepRow {
	return []StepRow{
		{
			Step: task.StepDiscuss, Pipeline: pipeline.Main,
			Begun: "gray add, doc set context (the first open question)", Ended: "gray resolve, doc set context (the last one)",
			begins: func(d deed) bool { return d.in(task.Discussion) && d.before.Gray.Open == 0 && d.after.Gray.Open > 0 },
			ends:   func(d deed) bool { return d.in(task.Discussion) && d.before.Gray.Open > 0 && d.after.Gray.Open == 0 },
			goesOn: func(t task.Task, _ task.Phase) bool { return t.Stage == task.Discussion && t.Gray.Open > 0 },
		},
		{
			Step: task.StepResearch, Pipeline: pipeline.Main,
			Begun: "stage research", Ended: "doc set research",
			begins: func(d deed) bool {
				return d.enters(task.Research) && !d.before.HasDoc(task.DocResearch) || d.writes(task.DocResearch) && d.in(task.Discussion)
			},
			ends:   func(d deed) bool { return d.writes(task.DocResearch) && d.in(task.Discussion, task.Research) },
			goesOn: func(t task.Task, _ task.Phase) bool { return t.Stage == task.Research && !t.HasDoc(task.DocResearch) },
		},
		{
			Step: task.StepPlan, Pipeline: pipeline.Main,
			Begun: "stage planning", Ended: "doc set roadmap",
			begins: func(d deed) bool {
				return d.enters(task.Planning) && !d.before.HasDoc(task.DocRoadmap) || d.writes(task.DocRoadmap) && d.in(task.Discussion, task.Research)
			},
			ends: func(d deed) bool {
				return d.writes(task.DocRoadmap) && d.in(task.Discussion, task.Research, task.Planning)
			},
			goesOn: func(t task.Task, _ task.Phase) bool { return t.Stage == task.Planning && !t.HasDoc(task.DocRoadmap) },
		},
		{
			Step: task.StepPlan, Pipeline: pipeline.Phase,
			Begun: "doc set phases/<id>/plan", Ended: "doc set phases/<id>/plan",
			begins: deed.plansPhase, ends: deed.plansPhase, phase: deed.plannedPhase,
		},
		{
			Step: task.StepRevise, Pipeline: pipeline.Phase,
			Begun: "phase revise", Ended: "phase revise",
			begins: deed.addsFix, ends: deed.addsFix, phase: func(d deed) task.UID { return d.payload.Parent },
		},
		{
			Step: task.StepExecute, Pipeline: pipeline.Phase,
			Begun: "phase start, next --claim, phase revise", Ended: "phase executed",
			begins: func(d deed) bool { return d.startsA(works) },
			ends:   func(d deed) bool { return d.kind == task.OpPhaseExecuted && d.isA(works) },
			goesOn: workedOn, phase: deed.ofPhase,
		},
		{
			Step: task.StepResearch, Pipeline: pipeline.Phase,
			Begun: "phase start of a research phase", Ended: "phase executed",
			begins: func(d deed) bool { return d.startsA(researches) },
			ends:   func(d deed) bool { return d.kind == task.OpPhaseExecuted && d.isA(researches) },
			goesOn: workedOn, phase: deed.ofPhase,
		},
		{
			Step: task.StepReview, Pipeline: pipeline.Phase,
			Begun: "phase review, phase complete; phase start of a verification or the final review", Ended: "phase review, phase complete",
			begins: func(d deed) bool { return d.startsA(reviews) || d.kind == task.OpPhaseReview && !d.isA(reviews) },
			ends:   func(d deed) bool { return d.kind == task.OpPhaseReview },
			goesOn: workedOn, phase: deed.ofPhase,
		},
		{
			Step: task.StepComplete, Pipeline: pipeline.Main,
			Begun: "finish", Ended: "finish",
			begins: deed.finishes, ends: deed.finishes, outsideOfJSON: true,
		},
	}
}

func workedOn(_ task.Task, p task.Phase) bool { return worked(p) }

// in: the task was in one of the stages.
func (d deed) in(stages ...task.Stage) bool {
	for _, s := range stages {
		if d.before.Stage == s {
			return true
		}
	}
	return false
}

func (d deed) enters(s task.Stage) bool {
	return d.kind == task.OpStage && d.payload.Stage == s && d.before.Stage != s
}

// writes: a document was written that was not there.
func (d deed) writes(name task.DocName) bool {
	return d.kind == task.OpDocSet && d.payload.Name == name && !d.before.HasDoc(name) && d.after.HasDoc(name)
}

func (d deed) plansPhase() bool { return d.plannedPhase() != "" }

func (d deed) plannedPhase() task.UID {
	for _, p := range d.before.Phases {
		if d.writes(task.PlanOf(p.UID)) {
			return p.UID
		}
	}
	return ""
}

func (d deed) addsFix() bool { return d.kind == task.OpPhaseAdd && d.payload.Kind == task.KindFix }

func (d deed) ofPhase() task.UID { return d.payload.Phase }

func (d deed) finishes() bool { return d.kind == task.OpFinish && d.payload.Status == task.Finished }

// startsA: the work on a phase of some kinds begins, and does not only go on.
func (d deed) startsA(kinds []task.PhaseKind) bool {
	was, _ := d.before.Phase(d.payload.Phase)
	return d.kind == task.OpPhaseStart && was.Status != task.PhaseHandoff && d.isA(kinds)
}

// isA: the operation is about a phase of one of the kinds.
func (d deed) isA(kinds []task.PhaseKind) bool {
	p, ok := d.after.Phase(d.payload.Phase)
	for _, k := range kinds {
		if ok && p.Kind == k {
			return true
		}
	}
	return false
}

// The kinds of phases, by the step that is gone through for them.
var (
	works      = []task.PhaseKind{task.KindExecution, task.KindFix, task.KindSplit}
	researches = []task.PhaseKind{task.KindResearch}
	reviews    = []task.PhaseKind{task.KindVerification, task.KindFinalReview}
)
