package view

import (
	"github.com/git-brew/git-brew/internal/app/phase"
	"github.com/git-brew/git-brew/internal/app/records"
	"github.com/git-brew/git-brew/internal/app/texts"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/ui"
)

// document tells of a document, and more of it.
func document(d records.Document, more ...any) ui.Object {
	return append(ui.Object{"name", d.Name, "path", d.Path, "oid", d.OID, "size", d.Size, "derived?", d.Derived}, more...)
}

// WholeDocument is a document with its text.
func WholeDocument(d records.Document) ui.Object { return document(d, "text", string(d.Text)) }

// Documents lists documents, with what is found in each by its name, errors and warnings:
// `doc list`.
func Documents(
	id task.ID, docs []records.Document, found map[string][2]int, conflicts []task.Conflict,
) ui.Object {
	all := []ui.Object{}
	for _, d := range docs {
		all = append(all, document(d, "errors?", found[d.Name][0], "warnings?", found[d.Name][1]))
	}
	return ui.Object{"task", id, "documents", all, "conflicts", Conflicts(conflicts)}
}

// WrittenDocument tells what became of a document by a change of its task.
func WrittenDocument(change Change, r texts.DocumentResult) ui.Object {
	var conflict any
	if r.Conflict != nil {
		conflict = Conflicts([]task.Conflict{*r.Conflict})[0]
	}
	return ui.Object{
		change, "document", document(r.Document), "changed", r.Changed, "merged", r.Merged, "conflict", conflict,
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

// Decision is a decision; others are named by the ids people see.
type Decision struct {
	ID           string              `json:"id"`
	Title        string              `json:"title"`
	Why          string              `json:"why"`
	Rejected     []task.Alternative  `json:"rejected"`
	Phase        string              `json:"phase"`
	At           string              `json:"at"`
	Status       task.DecisionStatus `json:"status"`
	SupersededBy string              `json:"superseded_by"`
	Supersedes   string              `json:"supersedes"`
	Reason       string              `json:"reason"` // why it was revoked
}

// NewDecision is a decision of a task.
func NewDecision(t task.Task, d task.Decision) Decision {
	return Decision{
		ID: t.DecisionID(d.UID), Title: d.Title, Why: d.Why, Rejected: List(d.Rejected), Phase: PhaseID(t, d.Phase), At: d.At,
		Status: d.Status, SupersededBy: t.DecisionID(d.By), Supersedes: t.DecisionID(d.Supersedes), Reason: d.Reason,
	}
}

// NewDecisions are the decisions of a task that hold, or all.
func NewDecisions(t task.Task, all bool) []Decision {
	docs := []Decision{}
	for _, d := range t.Decisions {
		if all || d.Status == task.DecisionActive {
			docs = append(docs, NewDecision(t, d))
		}
	}
	return docs
}

// Reports lists the reports of a task, with those texts that were read: `report list` and
// `report show`.
func Reports(id task.ID, reports []phase.ReportView) ui.Object {
	docs := []ui.Object{}
	for _, r := range reports {
		doc := ui.Object{
			"phase", r.Phase, "iteration", r.Iteration, "verify", r.Verify, "agent", r.Agent, "at", r.At, "path", r.Path,
		}
		if r.Text != nil {
			doc = append(doc, "text", string(r.Text))
		}
		docs = append(docs, doc)
	}
	return ui.Object{"task", id, "reports", docs}
}
