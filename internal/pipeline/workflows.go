package pipeline

import "embed"

//go:embed workflows
var workflowFiles embed.FS

// Workflow is a text that an agent follows for a step.
type Workflow struct{ Name, Text string }

// Workflows are git brew's own, in the order in which a task comes to them.
func Workflows() []Workflow {
	var all []Workflow
	for _, name := range []string{"clarify", "research", "plan", "phase-plan", "execute", "review", "revise"} {
		text, _ := WorkflowText(name + ".md")
		all = append(all, Workflow{name + ".md", text})
	}
	return all
}

// WorkflowText is one of git brew's own, by its name.
func WorkflowText(name string) (string, bool) {
	text, err := workflowFiles.ReadFile("workflows/" + name)
	return string(text), err == nil
}
