// Package pipeline is the schema of pipeline.json: which steps there are, which
// workflow each one follows, where a person is asked, and what runs around them.
//
// It reads and checks a document, gives the built-in one, finds the step that
// the routing table means, and puts the hooks around a step in their order. It
// opens no file and runs nothing: what is in the project it is told.
//
//   - A pipeline is a list of steps. "main" leads to the phases,
//     "phase-execution" is gone through for each of them.
//   - A workflow is a text that an agent follows: one of git brew's own, by its
//     bare name, or a file of the project, by a path with a slash.
//   - A hook is what is done before or after a step: a workflow, or a program
//     that git brew runs.
package pipeline

import (
	"embed"
	"path"
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

const (
	Inline   Mode = "inline"   // the agent that goes through the pipeline
	Subagent Mode = "subagent" // one that it starts for that
)

// Kind is what a hook is.
type Kind string

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

//go:embed workflows
var workflowFiles embed.FS

// Workflows are the names of git brew's own, in the order in which a task comes to them.
func Workflows() []string {
	return []string{"clarify.md", "research.md", "plan.md", "phase-plan.md", "execute.md", "review.md", "revise.md"}
}

// WorkflowText is one of git brew's own, by its name.
func WorkflowText(name string) (string, bool) {
	text, err := workflowFiles.ReadFile("workflows/" + name)
	return string(text), err == nil
}
