package task

import (
	"fmt"
)

// Skip is a step that was passed over, for good reason or not: no step is
// without a record. One operation may pass several.
type Skip struct {
	ID  string `json:"id"` // of the operation, the step and the phase: no other has it
	UID UID    `json:"uid" is:"uid"`
	Passed
	// Iteration is how often the phase whose plan was skipped had been started before.
	Iteration int `json:"iteration,omitempty"`
	// Stage is the task's then.
	Stage Stage `json:"stage" is:"stage"`
	// Open is how many questions were open; another one asks for discussion again.
	Open   int    `json:"open,omitempty"`
	Reason string `json:"reason,omitempty" is:"reason"` // "" where another command passed it
	At     string `json:"at,omitempty" is:"time"`
	// Over: the task went back to the stage of the step, so the step is due
	// again.
	Over bool `json:"over,omitempty"`
}

// Told reports whether people are told of a skip: a phase that was begun without a plan of
// its own is not worth it, unless somebody said why.
func (k Skip) Told() bool { return k.Phase == "" || k.Reason != "" }

// Passed names a step that an operation passes over, beside what it does.
type Passed struct {
	Step string `json:"step" is:"name"`
	// Phase is the one whose plan is passed over; empty: the step is the main pipeline's.
	Phase UID `json:"phase,omitempty" is:"uid"`
	// Lacks is how much the plan lacks, where work begins on one that is not ready: more
	// of it holds work up again. Above 0, it is that which is passed over, and not the
	// step of making a plan.
	Lacks int `json:"lacks,omitempty" len:"1000000"`
}

// SkipPayload is what OpStepSkip carries.
type SkipPayload struct {
	Passed
	Reason string `json:"reason" is:"reason"`
	// Questions are the questions that stay open, where discussion is skipped.
	Questions []string `json:"questions,omitempty" is:"quoted" len:"1000"`
}

// maxSkips bounds how many one task holds; maxPassed those of one operation.
const (
	MaxSkips  = 5000
	MaxPassed = 8
)

// SkipStages are the steps of the main pipeline that can be skipped, each with
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

// ID tells what an operation passes over from all else that was.
func (p Passed) ID(by UID) string {
	id := string(by) + "-" + p.Step
	if p.Lacks > 0 {
		id += "-unready"
	}
	if p.Phase != "" {
		id += "-" + string(p.Phase)
	}
	return id
}

// Because says why, for people.
func (k Skip) Because() string {
	if k.Reason == "" {
		return "it was skipped"
	}
	return "skipped, " + k.Reason
}

// HasRoadmap reports whether a document says which phases there are: a roadmap, or a
// plan, which stands for one.
func (t Task) HasRoadmap() bool { return t.HasDoc(DocRoadmap) || t.HasDoc(DocPlan) }

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

// Unready is what keeps a plan from being carried out, as the rules for documents
// find it in their texts (BC-18, BC-24), be it that its phases are not there yet.
// It is no state, and never stored: rules change from version to version, so
// whoever asks for routes or checks looks, and puts it into Task.Unready.
type Unready struct {
	N int
	// Said are the findings, some of many.
	Said []string
	// Plans is the document that plans phases, where the task has none; "" for none.
	Plans DocName `json:",omitempty"`
}

// MaxUnready is how many findings are counted, and how many of them are said.
const (
	MaxUnready     = 1_000_000
	maxUnreadySaid = 50
)

// NewUnready is what was found.
func NewUnready(found []string) Unready {
	return Unready{N: min(len(found), MaxUnready), Said: found[:min(len(found), maxUnreadySaid)]}
}

// String says what keeps the plan from being carried out.
func (u Unready) String() string {
	s := "the plan is not ready"
	if len(u.Said) > 0 {
		s += ": " + u.Said[0]
	}
	if u.N > 1 {
		s += fmt.Sprintf("; and %d more", u.N-1)
	}
	return s
}

// Empty: the texts of the plan change nothing of what comes next.
func (u Unready) Empty() bool { return u.N == 0 && u.Plans == "" }
