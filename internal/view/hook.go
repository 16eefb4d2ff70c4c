package view

import (
	"github.com/git-brew/git-brew/internal/app/steps"
	"github.com/git-brew/git-brew/internal/pipeline"
	"github.com/git-brew/git-brew/internal/task"
)

// Hook is a hook that a command ran, told, or could not run.
type Hook struct {
	Step     string           `json:"step"`
	Phase    string           `json:"phase,omitempty"`
	When     pipeline.When    `json:"when"`
	Hook     string           `json:"hook"`
	Kind     string           `json:"kind"`
	Mode     pipeline.Mode    `json:"mode,omitempty"`
	Required bool             `json:"required"`
	Outcome  task.HookOutcome `json:"outcome,omitempty"` // none in a dry run
	Detail   string           `json:"detail,omitempty"`
}

func NewHooks(all []steps.HookDone) []Hook {
	var docs []Hook
	for _, h := range all {
		doc := Hook{
			Step: h.Step, Phase: h.Phase, When: h.When, Hook: h.Hook, Kind: h.Kind,
			Required: !h.Optional, Outcome: h.Outcome, Detail: h.Detail,
		}
		if h.Kind == string(pipeline.KindWorkflow) {
			doc.Mode = h.Mode
		}
		docs = append(docs, doc)
	}
	return docs
}
