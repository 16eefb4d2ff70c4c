package view

import (
	"time"

	"github.com/git-brew/git-brew/internal/app"
	"github.com/git-brew/git-brew/internal/app/archive"
	"github.com/git-brew/git-brew/internal/app/records"
	"github.com/git-brew/git-brew/internal/app/steps"
	"github.com/git-brew/git-brew/internal/app/worktree"
	"github.com/git-brew/git-brew/internal/pipeline"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/route"
	"github.com/git-brew/git-brew/internal/task/rules"
	"github.com/git-brew/git-brew/internal/ui"
)

// NewTask tells about t; tip is its record's commit, "" where nobody asked for it.
func NewTask(t task.Task, tip string) ui.Object { return taskAt(t, tip, false, nil) }

// taskAt is NewTask of a task that may stand in the archive, and not be live, and of the
// submodules that have its branch, as they were seen.
func taskAt(t task.Task, tip string, archived bool, states []worktree.ServiceState) ui.Object {
	return ui.Object{
		"id", t.ID, "slug", t.ID.Slug(), "title", t.Title, "type", t.Type, "branch", t.Branch, "base", t.Base,
		"status", t.Status, "cause?", t.Cause, "reason?", t.Reason, "stage", t.Stage, "created_at", t.CreatedAt,
		"updated_at", t.UpdatedAt, "tip?", tip, "services?", services(t.Services, states), "issues?", t.Issues,
		"priority?", t.Priority, "archived?", archived, "deleted?", t.Deleted,
	}
}

// Shown tells of a task, or a state that it was in, with all that belongs to it; waiting are
// the commands that wait for trust: `show`.
func Shown(shown records.Show, waiting map[task.UID][]string) ui.Object {
	t := shown.Task
	return ui.Object{
		"task", taskAt(t, shown.Tip, shown.Archived, nil), "phases", Phases(t, waiting), "decisions",
		NewDecisions(t, ActiveDecisions(t)),
		"boards", rules.Tallies(t), "files", shown.Files, "commit", shown.Tip,
	}
}

// services tells about services; states are what was seen of them, nil where nobody looked:
// "on" is the branch that is checked out there, "ahead" counts the commits since its base.
func services(all []task.Service, states []worktree.ServiceState) []ui.Object {
	var docs []ui.Object
	for i, s := range all {
		doc := ui.Object{"path", s.Path, "base", s.Base, "base_commit", s.BaseCommit}
		if i < len(states) && states[i].There {
			doc = append(doc, "on", states[i].On)
			if states[i].Ahead >= 0 {
				doc = append(doc, "ahead", states[i].Ahead)
			}
		}
		docs = append(docs, doc)
	}
	return docs
}

// Archived tells which tasks were archived, and which were before: `archive`.
func Archived(done archive.ArchiveResult, dryRun bool) ui.Object {
	tasks := each(done.Tasks, func(t task.Task) ui.Object { return taskAt(t, "", !dryRun, nil) })
	return ui.Object{"tasks", tasks, "already", done.Already, "dry_run", dryRun}
}

// Listed tells of a task in a list: a line of `list`.
func Listed(v app.Listed, now time.Time) ui.Object {
	t := *v.Head()
	return ui.Object{
		"task", taskAt(t, v.Tip.String(), v.Archived, nil), "phase", CurrentPhase(t), "phases", v.Phases,
		"lock", Lock(*v.Lock, v.LockState, v.Confirmed, now),
	}
}

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
	return each(all, func(h steps.HookDone) ui.Object {
		mode := h.Mode
		if h.Kind != string(pipeline.KindWorkflow) {
			mode = ""
		}
		return ui.Object{
			"step", h.Step, "phase?", h.Phase, "when", h.When, "hook", h.Hook, "kind", h.Kind, "mode?", mode,
			"required", !h.Optional, "outcome?", h.Outcome, "detail?", h.Detail,
		}
	})
}

// each makes an item of each of a list.
func each[T, D any](all []T, of func(T) D) []D {
	docs := make([]D, 0, len(all))
	for _, v := range all {
		docs = append(docs, of(v))
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
