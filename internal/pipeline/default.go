package pipeline

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
