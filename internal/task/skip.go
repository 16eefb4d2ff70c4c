package task

import (
	"fmt"
	"slices"

	"github.com/git-brew/git-brew/internal/operation"
)

// Skip is a step that was passed over, for good reason or not: no step is
// without a record. One operation may pass several.
type Skip struct {
	ID   string `json:"id"` // of the operation, the step and the phase: no other has it
	UID  UID    `json:"uid"`
	Step string `json:"step"`
	// Phase is the one whose plan was skipped, Iteration how often that had been
	// started before. Both are empty where the step is one of the main pipeline.
	Phase     UID `json:"phase,omitempty"`
	Iteration int `json:"iteration,omitempty"`
	// Stage is the task's then.
	Stage Stage `json:"stage"`
	// Open is how many questions were open; another one asks for discussion
	// again. Lacks is how much the plan lacked, where work begins on one that is
	// not ready: more of it holds work up again.
	Open   int    `json:"open,omitempty"`
	Lacks  int    `json:"lacks,omitempty"`
	Reason string `json:"reason,omitempty"` // "" where another command passed it
	At     string `json:"at,omitempty"`
	// Over: the task went back to the stage of the step, so the step is due
	// again.
	Over bool `json:"over,omitempty"`
}

// Told reports whether people are told of a skip: a phase that was begun without a plan of
// its own is not worth it, unless somebody said why.
func (k Skip) Told() bool { return k.Phase == "" || k.Reason != "" }

// Passed names a step that an operation passes over, beside what it does.
type Passed struct {
	Step  string `json:"step"`
	Phase UID    `json:"phase,omitempty"`
	// Lacks is as in Skip: above 0, it is the plan's readiness that is passed over,
	// and not the step of making one.
	Lacks int `json:"lacks,omitempty"`
}

// SkipPayload is what OpStepSkip carries.
type SkipPayload struct {
	Passed
	Reason string `json:"reason"`
	// Questions are the questions that stay open, where discussion is skipped.
	Questions []string `json:"questions,omitempty"`
}

// maxSkips bounds how many one task holds; maxPassed those of one operation.
const (
	maxSkips  = 5000
	maxPassed = 8
)

// skipStages are the steps of the main pipeline that can be skipped, each with
// its stage.
var SkipStages = []StepOfStage{
	{StepClarify, StageClarify, "the discussion"},
	{StepResearch, StageResearch, "research"},
	{StepPlan, StagePlan, "the roadmap"},
}

type StepOfStage struct {
	Step  string
	Stage Stage
	what  string // for people
}

// valid: it is a step that can be skipped, of the main pipeline or the plan of
// a phase that t has.
func (p Passed) valid(t Task) bool {
	switch {
	case p.Lacks < 0 || p.Lacks > MaxUnready || p.Lacks > 0 && p.Phase != "":
		return false
	case p.Lacks > 0:
		return p.Step == StepPlan
	case p.Phase != "":
		return p.Step == StepPlan && t.phaseIndex(p.Phase) >= 0
	}
	return slices.ContainsFunc(SkipStages, func(s StepOfStage) bool { return s.Step == p.Step })
}

// id tells what an operation passes over from all else that was.
func (p Passed) id(by UID) string {
	id := string(by) + "-" + p.Step
	if p.Lacks > 0 {
		id += "-unready"
	}
	if p.Phase != "" {
		id += "-" + string(p.Phase)
	}
	return id
}

// passed is what the skip was of.
func (k Skip) passed() Passed { return Passed{k.Step, k.Phase, k.Lacks} }

// Shown says what the skip was of, for people.
func (k Skip) Shown(t Task) string { return t.ShownStep(k.passed()) }

// because says why, for people.
func (k Skip) Because() string {
	if k.Reason == "" {
		return "it was skipped"
	}
	return "skipped, " + k.Reason
}

// skipped is the last skip of a step that still holds: of the main pipeline
// where the phase is none, else of that phase's plan.
func Skipped(t Task, step string, p Phase) (Skip, bool) {
	for _, k := range slices.Backward(t.Skips) {
		if k.Step != step || k.Phase != p.UID || k.Lacks > 0 {
			continue
		}
		holds := !k.Over && k.Iteration == p.Iteration && (step != StepClarify || t.Questions.Open <= k.Open)
		return k, holds
	}
	return Skip{}, false
}

// HasRoadmap reports whether a document says which phases there are: a roadmap, or a
// plan, which stands for one.
func (t Task) HasRoadmap() bool { return t.HasDoc(DocRoadmap) || t.HasDoc(DocPlan) }

// Questions are the texts of open questions as a skip names them, some of many.
func QuestionTexts(areas []Question) []string {
	var all []string
	for _, a := range areas {
		if a.Open && oneLine(a.Text, maxItem) && len(all) < maxItems {
			all = append(all, a.Text)
		}
	}
	return all
}

// pass records what an operation passes over. What makes no sense, or does not
// fit any more, is left out.
func (e *editor) pass(op operation.Operation, passed []Passed, reason string) {
	for _, p := range passed[:min(len(passed), maxPassed)] {
		known := slices.ContainsFunc(e.t.Skips, func(k Skip) bool { return k.ID == p.id(op.ID) })
		if known || !p.valid(e.t) || len(e.t.Skips) >= maxSkips {
			continue
		}
		phase, _ := e.t.Phase(p.Phase)
		k := Skip{ID: p.id(op.ID), UID: op.ID, Step: p.Step, Phase: p.Phase, Iteration: phase.Iteration, Lacks: p.Lacks, Stage: e.t.Stage, Reason: reason, At: cleanTime(op.At)}
		if p.Step == StepClarify {
			k.Open = e.t.Questions.Open
		}
		e.t.Skips = append(slices.Clip(e.t.Skips), k)
	}
}

// dueAgain ends the skips of steps that a task comes back to.
func (e *editor) dueAgain(to Stage) {
	var skips []Skip
	for i, k := range e.t.Skips {
		for _, s := range SkipStages {
			if k.Phase == "" && k.Step == s.Step && !k.Over && slices.Index(Stages, to) <= slices.Index(Stages, s.Stage) {
				if skips == nil {
					skips = slices.Clone(e.t.Skips)
				}
				skips[i].Over = true
			}
		}
	}
	if skips != nil {
		e.t.Skips = skips
	}
}

func validSkips(all []Skip) bool {
	return len(all) <= maxSkips && !slices.ContainsFunc(all, func(k Skip) bool {
		return !k.UID.Valid() || k.ID != k.passed().id(k.UID) || k.Lacks < 0 || k.Lacks > MaxUnready || !oneLine(k.Step, MaxName) || k.Phase != "" && !k.Phase.Valid() || k.Iteration < 0 || k.Open < 0 ||
			!slices.Contains(Stages, k.Stage) || !paragraph(k.Reason, MaxReason) || !times(k.At)
	})
}

// skipStep leaves it to the caller, who knows the routing table, whether the step is the
// one that comes next, and may be skipped; see CheckSkip.
func skipStep(e *editor, op operation.Operation, p SkipPayload) error {
	switch {
	case !p.valid(e.t):
		return Refuse(CodeInvalid, fmt.Sprintf("%q is no step that can be skipped", Clip(p.Step, MaxName)), "see 'git brew next'")
	case len(e.t.Skips) >= maxSkips:
		return Refuse(CodeTaskState, fmt.Sprintf("%d steps were skipped already, no more fit", len(e.t.Skips)), "begin another task")
	}
	e.pass(op, []Passed{p.Passed}, p.Reason)
	return nil
}

func askStepSkip(t Task, _ SkipPayload) error {
	if t.Status == Paused {
		return Refuse(CodeTaskState, "the task is paused", "git brew start")
	}
	return nil
}

// ShownStep says what a skip is of, for people: a step of the main pipeline, what
// a plan lacks, or a phase's plan.
func (t Task) ShownStep(p Passed) string {
	phase, ok := t.Phase(p.Phase)
	switch {
	case ok:
		return "the plan of phase " + phase.ID
	case p.Lacks == 1:
		return "1 finding in the plan"
	case p.Lacks > 1:
		return fmt.Sprintf("%d findings in the plan", p.Lacks)
	}
	for _, s := range SkipStages {
		if s.Step == p.Step {
			return s.what
		}
	}
	return p.Step
}
