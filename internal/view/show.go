package view

import (
	"github.com/git-brew/git-brew/internal/app"
	"github.com/git-brew/git-brew/internal/app/codediff"
	"github.com/git-brew/git-brew/internal/ledger"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/rules"
	"github.com/git-brew/git-brew/internal/ui"
)

// Shown is `show` of a task.
type Shown struct {
	Task   Task   `json:"task"`
	Phases Phases `json:"phases"`
	// Decisions are those that hold; Boards what reviewers came to.
	Decisions []Decision    `json:"decisions"`
	Boards    []rules.Tally `json:"boards"`
	Files     []string      `json:"files"`
	Commit    string        `json:"commit"`
}

// ShownText is `show` of a text.
type ShownText struct {
	Task   task.ID `json:"task"`
	Path   string  `json:"path"`
	Text   string  `json:"text"`
	Commit string  `json:"commit"`
}

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

// DocumentDiff is `diff --doc`.
type DocumentDiff struct {
	Task     task.ID `json:"task"`
	Document string  `json:"document"`
	From     string  `json:"from"` // "" before it was written
	To       string  `json:"to"`
	Lines    []Line  `json:"lines"`
}

// Line is a line of a diff.
type Line struct {
	Op   string `json:"op"` // " ", "-" or "+"
	Text string `json:"text"`
}

// NewDocumentDiff tells how a document changed.
func NewDocumentDiff(d app.DocumentDiff) DocumentDiff {
	doc := DocumentDiff{Task: d.Task, Document: d.Name, From: d.From, To: d.To, Lines: []Line{}}
	for _, l := range d.Lines {
		doc.Lines = append(doc.Lines, Line{string(rune(l.Op)), l.Text})
	}
	return doc
}
