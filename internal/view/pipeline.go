package view

import (
	"github.com/git-brew/git-brew/internal/app/steps"
	"github.com/git-brew/git-brew/internal/pipeline"
)

// Pipeline is `pipeline show --json`.
type Pipeline struct {
	From          string `json:"from"`
	SchemaVersion string `json:"schema_version"`
	// Waiting is the hash of the shared pipeline that is not trusted here.
	Waiting string `json:"waiting,omitempty"`
	// TakenBack is the hash of the shared one that was in force here, and is gone.
	TakenBack string     `json:"taken_back,omitempty"`
	Pipelines []StepList `json:"pipelines"`
	// Steps are those that the routing table leads to.
	Steps    []PipelineStep     `json:"steps"`
	Findings []pipeline.Finding `json:"findings"`
}

// StepList is a list of steps.
type StepList struct {
	Name  string       `json:"name"`
	Steps []ListedStep `json:"steps"`
}

// ListedStep is a step in its list.
type ListedStep struct {
	Name     string `json:"name"`
	Workflow string `json:"workflow,omitempty"`
	Pipeline string `json:"pipeline,omitempty"`
	Pause    bool   `json:"pause"`
}

// PipelineStep is a step that the routing table leads to.
type PipelineStep struct {
	Step     string `json:"step"`
	Pipeline string `json:"pipeline"`
	Begun    string `json:"begun_by"`
	Ended    string `json:"ended_by"`
	StepPlan
}

// StepPlan is how a step is taken.
type StepPlan struct {
	From     string        `json:"from"`
	Mode     steps.RunMode `json:"mode"`
	Pause    bool          `json:"pause"`
	UnderWay bool          `json:"under_way"` // what is before it has run
	Workflow *Workflow     `json:"workflow"`
	Hooks    []PlannedHook `json:"hooks"`
	Problems []string      `json:"problems"`
	Mend     []string      `json:"mend"` // commands that show what is to be done about problems
	Remarks  []string      `json:"remarks"`
	Commit   *StepCommit   `json:"commit,omitempty"`
}

// Workflow is the text that a step follows.
type Workflow struct {
	Path    string `json:"path"`
	BuiltIn bool   `json:"built_in"`
	Trusted bool   `json:"trusted"`
	Problem string `json:"problem,omitempty"`
	// Read is the command that prints it; none where it can't be followed.
	Read string `json:"read,omitempty"`
}

// PlannedHook is a hook around a step.
type PlannedHook struct {
	When       pipeline.When  `json:"when"`
	Scope      pipeline.Scope `json:"scope"`
	Path       string         `json:"path"`
	Kind       pipeline.Kind  `json:"kind"`
	Mode       pipeline.Mode  `json:"mode,omitempty"` // who follows a workflow
	Required   bool           `json:"required"`
	Convention bool           `json:"convention"`
	Trusted    bool           `json:"trusted"`
	Problem    string         `json:"problem,omitempty"`
}

// StepCommit says whether the agent commits code in a step, and what the
// subject begins with.
type StepCommit struct {
	Auto    bool   `json:"auto"`
	Subject string `json:"subject"`
}

// NewStepPlan tells how a step is taken.
func NewStepPlan(p steps.StepPlan) StepPlan {
	doc := StepPlan{
		From: p.From, Mode: p.Mode, Pause: p.Pause, UnderWay: p.UnderWay, Hooks: []PlannedHook{},
		Problems: List(p.Problems), Mend: List(p.Mend()), Remarks: List(p.Remarks),
	}
	if w := p.Workflow; w.Path != "" {
		doc.Workflow = &Workflow{w.Path, w.BuiltIn, w.Trusted, w.Problem, w.Read()}
	}
	for _, h := range p.Hooks {
		hook := PlannedHook{
			When: h.When, Scope: h.Scope, Path: h.Path, Kind: h.Kind, Required: !h.Optional, Convention: h.Convention,
			Trusted: h.Trusted, Problem: h.Problem,
		}
		if h.Kind == pipeline.KindWorkflow {
			hook.Mode = h.Mode
		}
		doc.Hooks = append(doc.Hooks, hook)
	}
	if p.Commit.Subject != "" {
		doc.Commit = &StepCommit{p.Commit.Auto, p.Commit.Subject}
	}
	return doc
}

// NewPipeline tells of the pipeline in force.
func NewPipeline(v steps.PipelineView) Pipeline {
	doc := Pipeline{
		From: v.From, SchemaVersion: v.Config.Schema, Waiting: v.Waiting, TakenBack: v.TakenBack,
		Pipelines: []StepList{}, Steps: []PipelineStep{}, Findings: List(v.Findings),
	}
	for _, p := range v.Config.Pipelines {
		of := StepList{Name: p.Name, Steps: []ListedStep{}}
		for _, s := range p.Steps {
			of.Steps = append(of.Steps, ListedStep{s.Name, s.Workflow, s.Pipeline, s.Pause})
		}
		doc.Pipelines = append(doc.Pipelines, of)
	}
	for _, s := range v.Steps {
		doc.Steps = append(doc.Steps, PipelineStep{s.Step, s.StepRow.Pipeline, s.BegunBy, s.EndedBy, NewStepPlan(s.StepPlan)})
	}
	return doc
}

// WorkflowText is `pipeline show` of a workflow.
type WorkflowText struct {
	Path    string `json:"path"`
	BuiltIn bool   `json:"built_in"`
	Text    string `json:"text"`
}

// PipelineCheck is `pipeline check`.
type PipelineCheck struct {
	From     string             `json:"from"`
	Errors   int                `json:"errors"`
	Findings []pipeline.Finding `json:"findings"`
}

// SharedPipeline is `pipeline set`.
type SharedPipeline struct {
	PipelineCheck
	// InForce is where the pipeline in force here comes from now.
	InForce string `json:"in_force"`
	DryRun  bool   `json:"dry_run,omitzero"`
}
