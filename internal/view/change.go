package view

import (
	"github.com/git-brew/git-brew/internal/app/steps"
	"github.com/git-brew/git-brew/internal/pipeline"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/route"
	"github.com/git-brew/git-brew/internal/ui"
)

// Change is what a command answers that changed a task.
type Change struct {
	Task  Task        `json:"task"`
	Phase *Phase      `json:"phase"` // the one it was about, else the current one
	Lock  ui.Object   `json:"lock,omitempty"`
	From  task.Status `json:"from,omitempty"` // the task's status before
	Next  Next        `json:"next"`
	Notes []string    `json:"notes"`
	// Hooks are what ran, was told or could not run around steps.
	Hooks []ui.Object `json:"hooks,omitempty"`
	// DryRun: this is what would be.
	DryRun bool `json:"dry_run,omitzero"`
	// Others: somebody else holds the lock, so what comes next is theirs.
	Others bool `json:"-"`
}

// NewChange is about a phase, or the current one; next is the caller's: a worker has a
// phase of its own.
func NewChange(t task.Task, p task.Phase, next route.Step, notes []string) Change {
	doc := Change{Task: NewTask(t, ""), Next: Next(next), Notes: List(notes)}
	if p.UID == "" {
		p, _ = t.CurrentPhase()
	}
	if p.UID != "" {
		phase := NewPhase(t, p)
		doc.Phase = &phase
	}
	return doc
}

// Hooks are those that a command ran, told, or could not run. In a dry run there is no outcome.
func Hooks(all []steps.HookDone) []ui.Object {
	var docs []ui.Object
	for _, h := range all {
		mode := h.Mode
		if h.Kind != string(pipeline.KindWorkflow) {
			mode = ""
		}
		docs = append(docs, ui.Object{
			"step", h.Step, "phase?", h.Phase, "when", h.When, "hook", h.Hook, "kind", h.Kind, "mode?", mode,
			"required", !h.Optional, "outcome?", h.Outcome, "detail?", h.Detail,
		})
	}
	return docs
}

// List keeps an empty list from becoming null in JSON.
func List[T any](items []T) []T {
	if items == nil {
		return []T{}
	}
	return items
}
