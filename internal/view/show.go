package view

import (
	"github.com/git-brew/git-brew/internal/app"
	"github.com/git-brew/git-brew/internal/app/codediff"
	"github.com/git-brew/git-brew/internal/ledger"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/ui"
)

// LogStep is a line of `log`.
type LogStep struct {
	Commit    string `json:"commit"`
	Subject   string `json:"subject"`
	Author    string `json:"author"`
	At        string `json:"at"`
	Operation string `json:"operation"` // "" for a merge
	Kind      string `json:"kind"`
	Session   string `json:"session_id"`
	Void      bool   `json:"void"` // it counts for nothing; see docs/inside/merging.md
}

// NewLogStep tells of a step of a task's history.
func NewLogStep(s ledger.Step, void map[string]bool) LogStep {
	commit := s.Commit.String()
	doc := LogStep{
		Commit: commit, Subject: s.Subject, Author: s.Author, At: ui.Timestamp(s.When), Void: void[commit],
	}
	if s.Op != nil {
		doc.Operation, doc.Kind, doc.Session = string(s.Op.ID), string(s.Op.Kind), s.Op.Session
	}
	return doc
}

// Diff is `diff` of code.
type Diff struct {
	Task      task.ID `json:"task"`
	Phase     string  `json:"phase"` // "" for the whole task
	From      string  `json:"from"`
	To        string  `json:"to"` // "" for the work tree
	Rewritten bool    `json:"rewritten"`
	Patch     string  `json:"patch"`
	// Services are the ranges in services, where the task has its branch there.
	Services []codediff.ServiceRange `json:"services,omitempty"`
}

// DocumentDiff tells how a document changed, from "" before it was written: `diff --doc`.
func DocumentDiff(d app.DocumentDiff) ui.Object {
	lines := []ui.Object{}
	for _, l := range d.Lines {
		lines = append(lines, ui.Object{"op", string(rune(l.Op)), "text", l.Text})
	}
	return ui.Object{"task", d.Task, "document", d.Name, "from", d.From, "to", d.To, "lines", lines}
}
