package view

import (
	"slices"

	"github.com/git-brew/git-brew/internal/app/phase"
	"github.com/git-brew/git-brew/internal/app/records"
	"github.com/git-brew/git-brew/internal/app/texts"
	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/setup"
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
	all := Each(docs, func(d records.Document) ui.Object {
		return document(d, "errors?", found[d.Name][0], "warnings?", found[d.Name][1])
	})
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
	return ui.Object{
		"task", c.Task.ID, "document", c.Document, "errors", c.Errors(), "warnings", len(c.Findings) - c.Errors(),
		"findings", c.Findings, "requirements", c.Requirements, "planned", c.Planned,
	}
}

// NewDecision is a decision of a task; others are named by the ids people see. The reason is
// why it was revoked.
func NewDecision(t task.Task, d task.Decision) ui.Object {
	return ui.Object{
		"id", t.DecisionID(d.UID), "title", d.Title, "why", d.Why, "rejected", d.Rejected, "phase", PhaseID(t, d.Phase),
		"at", d.At, "status", d.Status, "superseded_by", t.DecisionID(d.By), "supersedes", t.DecisionID(d.Supersedes),
		"reason", d.Reason,
	}
}

// ActiveDecisions are the decisions of a task that hold.
func ActiveDecisions(t task.Task) []task.Decision {
	return slices.DeleteFunc(slices.Clone(t.Decisions), func(d task.Decision) bool {
		return d.Status != task.DecisionActive
	})
}

// NewDecisions are decisions of a task.
func NewDecisions(t task.Task, all []task.Decision) []ui.Object {
	return Each(all, func(d task.Decision) ui.Object { return NewDecision(t, d) })
}

// Reports lists the reports of a task, with those texts that were read: `report list` and
// `report show`.
func Reports(id task.ID, reports []phase.ReportView) ui.Object {
	return ui.Object{"task", id, "reports", Each(reports, func(r phase.ReportView) ui.Object {
		doc := ui.Object{
			"phase", r.Phase, "iteration", r.Iteration, "verify", r.Verify, "agent", r.Agent, "at", r.At, "path", r.Path,
		}
		if r.Text != nil {
			doc = append(doc, "text", string(r.Text))
		}
		return doc
	})}
}

// Plan tells what a plan changes, and of a dry run how: `init` and `uninit`.
func Plan(p setup.Plan, refs []gitstore.RefName, dry bool) ui.Object {
	changes := Each(p.Visible(), func(c setup.Change) ui.Object {
		diff := ""
		if dry {
			diff = c.Diff()
		}
		return ui.Object{
			"kind", c.Kind(), "file", c.Name, "path", c.Path, "from?", c.MovedFrom, "about", c.About, "diff?", diff,
		}
	})
	kept := Each(p.Kept, func(c setup.Change) ui.Object {
		return ui.Object{"file", c.Name, "path", c.Path, "diff", c.Diff()}
	})
	return ui.Object{"dry_run", dry, "changes", changes, "refs?", refs, "kept?", kept, "remarks", p.Remarks}
}

// Owner is the task whose knowledge it is; null is the project.
func Owner(in task.ID) *task.ID {
	if in == "" {
		return nil
	}
	return &in
}
