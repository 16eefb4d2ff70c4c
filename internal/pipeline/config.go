package pipeline

import (
	"path"
	"slices"
	"strings"
)

// The pipelines that the routing table names.
const (
	Main  = "main"
	Phase = "phase-execution"
)

// Config is a pipeline.json that was read and found to hold together.
type Config struct {
	// Schema is the version that the document says it has, "" where it says none.
	Schema    string     `json:"schema_version"`
	Pipelines []Pipeline `json:"pipelines"` // in the order of the document
	Hooks     Hooks      `json:"-"`         // around every step
}

// Pipeline is a list of steps.
type Pipeline struct {
	Name  string `json:"name"`
	Steps []Step `json:"steps"`
}

// Step is a row of a pipeline: it follows a workflow, or stands for another
// pipeline.
type Step struct {
	Name     string `json:"name"`
	Workflow string `json:"workflow,omitempty"`
	Pipeline string `json:"pipeline,omitempty"`
	// Pause: somebody who goes on by themselves asks the person first.
	Pause bool  `json:"pause"`
	Hooks Hooks `json:"hooks,omitzero"`
}

// Hooks are what is done around a step, as far as the document says so: nil
// leaves it to the files that are there by convention.
type Hooks struct {
	Pre  *Hook `json:"pre,omitempty"`
	Post *Hook `json:"post,omitempty"`
}

// Hook is one entry of a document.
type Hook struct {
	Workflow string `json:"workflow"`
	Mode     Mode   `json:"mode"`
	// Optional: when it fails, that is remarked, and the pipeline goes on.
	Optional bool `json:"optional"`
}

// Mode says who follows a workflow.
type Mode string

// The modes.
const (
	Inline   Mode = "inline"   // the agent that goes through the pipeline
	Subagent Mode = "subagent" // one that it starts for that
)

// Kind is what a hook is.
type Kind string

// The kinds.
const (
	KindWorkflow Kind = "workflow" // a text for an agent
	KindProgram  Kind = "program"  // git brew runs it
)

// KindOf tells by a file's name what a hook is: a text in Markdown is for an
// agent, all else is run.
func KindOf(name string) Kind {
	if ext := strings.ToLower(path.Ext(name)); ext == ".md" || ext == ".markdown" {
		return KindWorkflow
	}
	return KindProgram
}

// InProject reports whether a workflow is a file of the project, and none of
// git brew's own.
func InProject(workflow string) bool { return strings.Contains(workflow, "/") }

// BuiltIn reports whether a workflow is one of git brew's own.
func BuiltIn(workflow string) bool {
	_, ok := WorkflowText(workflow)
	return ok
}

func (c Config) pipeline(name string) (Pipeline, bool) {
	i := slices.IndexFunc(c.Pipelines, func(p Pipeline) bool { return p.Name == name })
	if i < 0 {
		return Pipeline{}, false
	}
	return c.Pipelines[i], true
}

// Default is the built-in pipeline.
func Default() Config {
	return Config{
		Schema: "1.0",
		Pipelines: []Pipeline{
			{Main, []Step{
				{Name: "clarify", Workflow: "clarify.md"},
				{Name: "research", Workflow: "research.md"},
				{Name: "plan", Workflow: "plan.md"},
				{Name: Phase, Pipeline: Phase},
			}},
			{Phase, []Step{
				{Name: "plan", Workflow: "phase-plan.md"},
				{Name: "execute", Workflow: "execute.md", Pause: true},
				{Name: "review", Workflow: "review.md", Pause: true},
				{Name: "revise", Workflow: "revise.md", Pause: true},
			}},
		},
	}
}
