package view

import (
	"time"

	"github.com/git-brew/git-brew/internal/app"
	"github.com/git-brew/git-brew/internal/app/archive"
	"github.com/git-brew/git-brew/internal/app/worktree"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/ui"
)

// Task is a task.
type Task struct {
	ID        task.ID     `json:"id"`
	Slug      string      `json:"slug"`
	Title     string      `json:"title"`
	Type      string      `json:"type"`
	Branch    string      `json:"branch"`
	Base      string      `json:"base"`
	Status    task.Status `json:"status"`
	Cause     task.Cause  `json:"cause,omitempty"`
	Reason    string      `json:"reason,omitempty"`
	Stage     task.Stage  `json:"stage"`
	CreatedAt string      `json:"created_at"`
	UpdatedAt string      `json:"updated_at"`
	Tip       string      `json:"tip,omitempty"`
	// Services are the submodules that have the branch.
	Services []ui.Object   `json:"services,omitempty"`
	Issues   []string      `json:"issues,omitempty"`
	Priority task.Priority `json:"priority,omitempty"`
	// Archived: it stands in the archive, and is not live.
	Archived bool `json:"archived,omitempty"`
	Deleted  bool `json:"deleted,omitempty"`
}

// NewTask tells about t; tip is its record's commit, "" where nobody
// asked for it.
func NewTask(t task.Task, tip string) Task {
	return Task{
		ID: t.ID, Slug: t.ID.Slug(), Title: t.Title, Type: t.Type, Branch: t.Branch, Base: t.Base,
		Status: t.Status, Cause: t.Cause, Reason: t.Reason, Stage: t.Stage, CreatedAt: t.CreatedAt, UpdatedAt: t.UpdatedAt,
		Tip: tip, Deleted: t.Deleted,
		Services: services(t.Services, nil), Issues: t.Issues, Priority: t.Priority,
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
	tasks := []Task{}
	for _, t := range done.Tasks {
		about := NewTask(t, "")
		about.Archived = !dryRun
		tasks = append(tasks, about)
	}
	return ui.Object{"tasks", tasks, "already", done.Already, "dry_run", dryRun}
}

// Created tells of a task that was made: `create`.
func Created(made app.CreateResult, dryRun bool) ui.Object {
	t := made.Task
	return ui.Object{
		"task", NewTask(t, ""), "phases", NewPhases(t, t.Phases), "base_commit", made.BaseCommit, "notes", made.Notes,
		"switched", made.Switched && !dryRun, "dry_run", dryRun,
	}
}

// Switched tells where a task's branch was checked out; "gone" is what became of the task,
// and this takes it up again: `switch`.
func Switched(went app.SwitchResult, dryRun bool) ui.Object {
	return ui.Object{
		"task", NewTask(went.Task, ""), "made_from", went.Made, "note?", went.Note, "gone?", went.Gone,
		"services?", went.Services, "dry_run?", dryRun,
	}
}

// Listed tells of a task in a list: a line of `list`.
func Listed(v app.Listed, now time.Time) ui.Object {
	t := *v.Head()
	about := NewTask(t, v.Tip.String())
	about.Archived = v.Archived
	return ui.Object{
		"task", about, "phase", CurrentPhase(t), "phases", v.Phases, "lock", Lock(*v.Lock, v.LockState, v.Confirmed, now),
	}
}
