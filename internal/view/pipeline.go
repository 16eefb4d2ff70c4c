package view

import "github.com/git-brew/git-brew/internal/pipeline"

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
