package view

import (
	"github.com/git-brew/git-brew/internal/app/records"
	"github.com/git-brew/git-brew/internal/app/texts"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/ui"
)

// Document is a document of a task.
type Document struct {
	Name string  `json:"name"`
	Path string  `json:"path"`
	OID  string  `json:"oid"`
	Size int     `json:"size"`
	Text *string `json:"text,omitempty"`
	// Errors and Warnings are what 'doc check' finds in it; in 'doc list'.
	Errors   int `json:"errors,omitempty"`
	Warnings int `json:"warnings,omitempty"`
	// Derived: nobody wrote it, it is told from the task.
	Derived bool `json:"derived,omitempty"`
}

func newDocument(d records.Document) Document {
	return Document{Name: d.Name, Path: d.Path, OID: d.OID, Size: d.Size, Derived: d.Derived}
}

// NewWhole is a document with its text.
func NewWhole(d records.Document) Document {
	doc, text := newDocument(d), string(d.Text)
	doc.Text = &text
	return doc
}

// Documents lists documents, with what is found in each by its name, errors and warnings:
// `doc list`.
func Documents(
	id task.ID, docs []records.Document, found map[string][2]int, conflicts []task.Conflict,
) ui.Object {
	all := []Document{}
	for _, d := range docs {
		doc := newDocument(d)
		doc.Errors, doc.Warnings = found[d.Name][0], found[d.Name][1]
		all = append(all, doc)
	}
	return ui.Object{"task", id, "documents", all, "conflicts", NewConflicts(conflicts)}
}

// WrittenDocument tells what became of a document by a change of its task.
func WrittenDocument(change Change, r texts.DocumentResult) ui.Object {
	var conflict *Conflict
	if r.Conflict != nil {
		other := NewConflict(*r.Conflict)
		conflict = &other
	}
	return ui.Object{
		change, "document", newDocument(r.Document), "changed", r.Changed, "merged", r.Merged, "conflict", conflict,
	}
}

// DocumentCheck tells what documents lack; "planned" is where the phases were taken from,
// task, plan, roadmap or nowhere: `doc check`.
func DocumentCheck(c texts.DocumentCheck) ui.Object {
	for i := range c.Requirements {
		c.Requirements[i].Phases = List(c.Requirements[i].Phases)
	}
	return ui.Object{
		"task", c.Task.ID, "document", c.Document, "errors", c.Errors(), "warnings", len(c.Findings) - c.Errors(),
		"findings", c.Findings, "requirements", c.Requirements, "planned", c.Planned,
	}
}
