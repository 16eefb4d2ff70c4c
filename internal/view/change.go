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
	Task   task.Task
	Phase  task.Phase // the one it was about, else the current one; without a UID: none
	Lock   ui.Object
	From   task.Status // the task's status before
	Next   route.Step  // for whom it is answered: a worker has a phase of its own
	Notes  []string
	Hooks  []steps.HookDone // what ran, was told or could not run around steps
	DryRun bool             // this is what would be
	Others bool             // somebody else holds the lock, so what comes next is theirs
}

// MarshalJSON is json.Marshaler's.
func (c Change) MarshalJSON() ([]byte, error) {
	var phase any
	if c.Phase.UID != "" {
		phase = NewPhase(c.Task, c.Phase)
	}
	return ui.Object{
		"task", NewTask(c.Task, ""), "phase", phase, "lock?", c.Lock, "from?", c.From, "next", Next(c.Next),
		"notes", c.Notes, "hooks?", hooks(c.Hooks), "dry_run?", c.DryRun,
	}.MarshalJSON()
}

// hooks are those that a command ran, told, or could not run. In a dry run there is no outcome.
func hooks(all []steps.HookDone) []ui.Object {
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
