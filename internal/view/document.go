package view

import (
	"github.com/git-brew/git-brew/internal/app/records"
	"github.com/git-brew/git-brew/internal/app/texts"
	"github.com/git-brew/git-brew/internal/document"
	"github.com/git-brew/git-brew/internal/task"
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

// Documents is `doc list`.
type Documents struct {
	Task      task.ID    `json:"task"`
	Documents []Document `json:"documents"`
	Conflicts []Conflict `json:"conflicts"`
}

// NewDocuments lists documents, with what is found in each by its name: errors and warnings.
func NewDocuments(
	id task.ID, docs []records.Document, found map[string][2]int, conflicts []task.Conflict,
) Documents {
	out := Documents{id, []Document{}, NewConflicts(conflicts)}
	for _, d := range docs {
		doc := newDocument(d)
		doc.Errors, doc.Warnings = found[d.Name][0], found[d.Name][1]
		out.Documents = append(out.Documents, doc)
	}
	return out
}

// WrittenDocument is what a command answers that changed a document.
type WrittenDocument struct {
	Change
	Document Document  `json:"document"`
	Changed  bool      `json:"changed"`
	Merged   bool      `json:"merged"`
	Conflict *Conflict `json:"conflict"`
}

// NewWrittenDocument tells what became of a document by a change of its task.
func NewWrittenDocument(change Change, r texts.DocumentResult) WrittenDocument {
	doc := WrittenDocument{change, newDocument(r.Document), r.Changed, r.Merged, nil}
	if r.Conflict != nil {
		other := NewConflict(*r.Conflict)
		doc.Conflict = &other
	}
	return doc
}

// DocumentCheck is `doc check`.
type DocumentCheck struct {
	Task         task.ID                `json:"task"`
	Document     string                 `json:"document"` // "" for all
	Errors       int                    `json:"errors"`
	Warnings     int                    `json:"warnings"`
	Findings     []document.Finding     `json:"findings"`
	Requirements []document.Requirement `json:"requirements"`
	// Planned is where the phases were taken from: task, plan, roadmap; "": none.
	Planned string `json:"planned"`
}

// NewDocumentCheck tells what documents lack.
func NewDocumentCheck(c texts.DocumentCheck) DocumentCheck {
	for i := range c.Requirements {
		c.Requirements[i].Phases = List(c.Requirements[i].Phases)
	}
	return DocumentCheck{
		Task: c.Task.ID, Document: c.Document, Errors: c.Errors(), Warnings: len(c.Findings) - c.Errors(),
		Findings: List(c.Findings), Requirements: List(c.Requirements), Planned: c.Planned,
	}
}

// Template is `doc template`.
type Template struct {
	Name    string `json:"name"`
	Project bool   `json:"project"` // it is the project's own
	Text    string `json:"text"`
}
