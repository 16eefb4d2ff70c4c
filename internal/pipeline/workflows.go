package pipeline

import _ "embed"

//go:embed workflows/clarify.md
var clarifyText string

//go:embed workflows/research.md
var researchText string

//go:embed workflows/plan.md
var planText string

//go:embed workflows/phase-plan.md
var phasePlanText string

//go:embed workflows/execute.md
var executeText string

//go:embed workflows/review.md
var reviewText string

//go:embed workflows/revise.md
var reviseText string

// Workflow is a text that an agent follows for a step.
type Workflow struct{ Name, Text string }

// Workflows are git brew's own, in the order in which a task comes to them.
func Workflows() []Workflow {
	return []Workflow{
		{"clarify.md", clarifyText},
		{"research.md", researchText},
		{"plan.md", planText},
		{"phase-plan.md", phasePlanText},
		{"execute.md", executeText},
		{"review.md", reviewText},
		{"revise.md", reviseText},
	}
}

// WorkflowText is one of git brew's own, by its name.
func WorkflowText(name string) (string, bool) {
	for _, w := range Workflows() {
		if w.Name == name {
			return w.Text, true
		}
	}
	return "", false
}
