package app

import (
	"context"
	"slices"

	"github.com/git-brew/git-brew/internal/document"
	"github.com/git-brew/git-brew/internal/importer"
	"github.com/git-brew/git-brew/internal/prd"
	"github.com/git-brew/git-brew/internal/runner"
	"github.com/git-brew/git-brew/internal/task"
)

// Outline is a task as other systems can have it.
func (s *Tasks) Outline(ctx context.Context, t task.Task) (importer.Task, error) {
	out := importer.Task{
		Source: string(t.ID), Title: t.Title, Branch: t.Branch, Stage: t.Stage, Status: t.Status, Priority: t.Priority,
		Knowledge: t.Knowledge, Created: t.CreatedAt,
	}
	for _, name := range t.DocNames() {
		if _, _, ofPhase := name.Phase(); ofPhase {
			continue
		}
		data, err := s.textOf(ctx, t, name)
		if err != nil {
			return out, err
		}
		out.Docs = append(out.Docs, importer.Doc{Name: name, Text: data})
	}
	for _, p := range t.Phases {
		in, err := s.outlinePhase(ctx, t, p)
		if err != nil {
			return out, err
		}
		out.Phases = append(out.Phases, in)
	}
	for _, d := range t.Decisions {
		revoked := d.Status != task.DecisionActive
		out.Decisions = append(out.Decisions, importer.Decision{Title: d.Title, Why: d.Why, Revoked: revoked})
	}
	return out, nil
}

// LeftBehind names what of a task is not in its outline, for no other system has a place for
// it. Issues and services that its specification names, as front matter, go with that text.
func LeftBehind(t task.Task, out importer.Task) (lost []importer.Lost) {
	earlier, escalations := 0, 0
	if document.ReadFront(out.Doc(task.DocSpec)).Lines > 0 {
		t.Issues, t.Services = nil, nil
	}
	for _, r := range t.Reports {
		if p, ok := t.Phase(r.Phase); ok && r.Iteration != max(1, p.Iteration) {
			earlier++
		}
	}
	for _, p := range t.Phases {
		escalations += len(p.Escalations)
	}
	alternatives, phases, successors, reasons := 0, 0, 0, 0
	for _, d := range t.Decisions {
		alternatives += len(d.Rejected)
		phases, successors = phases+min(1, len(d.Phase)), successors+min(1, len(d.By))
		reasons += min(1, len(d.Reason))
	}
	for _, f := range []struct {
		n    int
		noun string
	}{
		{alternatives, "rejected alternative"},
		{phases, "decision's phase"},
		{successors, "decision's successor"},
		{reasons, "revocation's reason"},
		{len(t.Issues), "issue"},
		{len(t.Services), "service"},
		{len(t.Remarks), "remark"},
		{len(t.Boards), "board"},
		{len(t.Conflicts), "conflict"},
		{len(t.Skips), "skip"},
		{escalations, "escalation"},
		{earlier, "earlier report"},
	} {
		if f.n > 0 {
			lost = append(lost, importer.Lost{Path: "task", What: task.Counted(f.n, f.noun) + ": it has no place for them"})
		}
	}
	return lost
}

// outlinePhase is a phase with its plan, and the reports on its last iteration.
func (s *Tasks) outlinePhase(ctx context.Context, t task.Task, p task.Phase) (in importer.Phase, err error) {
	in = importer.Phase{
		ID: p.ID, Title: p.Title, Kind: p.Kind, Acceptance: p.Acceptance, Agents: p.Agents, Tier: p.Tier, Status: p.Status,
	}
	if of, ok := t.Phase(p.Parent); ok {
		in.Of = of.ID
	}
	for _, command := range p.Verification {
		check := prd.CheckOf(command)
		simple, err := runner.ReadSimple(check.Command)
		if err == nil && len(simple.Args) == 3 && slices.Equal(simple.Args[:2], []string{"bash", "-c"}) {
			check.Command = simple.Args[2]
		}
		in.Verify = append(in.Verify, check.String())
	}
	for _, uid := range t.DependenciesOf(p) {
		if on, ok := t.Phase(uid); ok {
			in.DependsOn = append(in.DependsOn, on.ID)
		}
	}
	for _, r := range t.Reports {
		if r.Phase != p.UID || r.Iteration != max(1, p.Iteration) {
			continue
		}
		text, err := s.Clone.Ledger.Blob(ctx, r.OID)
		if err != nil {
			return in, err
		}
		in.Reports = append(in.Reports, importer.Report{Agent: r.Agent, Text: text})
	}
	in.Plan, err = s.textOf(ctx, t, task.PlanOf(p.UID))
	return in, err
}

// textOf is a document's text, nil where the task has none.
func (s *Tasks) textOf(ctx context.Context, t task.Task, name task.DocName) ([]byte, error) {
	if !t.HasDoc(name) {
		return nil, nil
	}
	doc, err := s.Records.Document(ctx, t, name)
	return doc.Text, err
}
