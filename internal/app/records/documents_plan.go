package records

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/git-brew/git-brew/internal/document"
	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/gitstore/statcache"
	"github.com/git-brew/git-brew/internal/ledger"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/question"
	"github.com/git-brew/git-brew/internal/task/route"
)

// Subject is a task as the rules look at it, with the texts of its documents.
func (s *Records) Subject(ctx context.Context, t task.Task) (document.Subject, error) {
	out := document.Subject{
		Task: string(t.ID), Names: []string{t.ID.Slug(), t.Title}, Stage: string(t.Stage),
		Phases: documentPhases(t), Texts: map[string][]byte{},
	}
	out.Undiscussed = route.Undiscussed(t)
	out.Decided = slices.ContainsFunc(t.Decisions, func(d task.Decision) bool {
		return d.Status == task.DecisionActive && d.Why != "" && len(d.Rejected) > 0
	})
	for _, name := range t.DocNames() {
		isPlan := slices.ContainsFunc(t.Phases, func(p task.Phase) bool { return task.PlanOf(p.UID) == name })
		if !isPlan && !slices.Contains(byHand, name) {
			continue // a summary
		}
		d, err := s.Document(ctx, t, name)
		if err != nil {
			return out, err
		}
		out.Texts[d.Name] = d.Text
		if name == task.DocContext {
			for _, g := range question.ParseQuestions(d.Text) {
				if g.Open {
					out.Questions = append(out.Questions, document.Question{Line: g.Line, Text: g.Text})
				}
			}
		}
	}
	return out, nil
}

// byHand are the documents that people write, but for the phases' plans.
var byHand = []task.DocName{
	task.DocSpec, task.DocPlan, task.DocResearch, task.DocRoadmap, task.DocContext, task.DocChangelog,
}

// documentPhases are the phases of a task, by the ids that people see.
func documentPhases(t task.Task) []document.Phase {
	ids := map[task.UID]string{}
	due := map[task.UID]bool{}
	for _, p := range t.Phases {
		ids[p.UID], due[p.UID] = p.ID, p.Status != task.PhasePending && p.Status != task.PhaseDropped
	}
	if t.Status == task.InProgress {
		for _, p := range route.Due(t) {
			due[p.UID] = true
		}
	}
	all := make([]document.Phase, len(t.Phases))
	for i, p := range t.Phases {
		all[i] = document.Phase{
			ID: p.ID, Title: p.Title, Kind: document.PhaseKind(p.Kind), Of: ids[p.Parent], Agents: p.Agents,
			Due: due[p.UID],
		}
		for _, d := range p.DependsOn {
			all[i].DependsOn = append(all[i].DependsOn, ids[d])
		}
	}
	return all
}

// gateRules are the findings that keep a plan from being carried out: what was
// never filled in, and what the spec asks for and nobody would do (BC-18, BC-24).
// All others are for whoever asks.
var gateRules = []string{"document.placeholder", "task.requirements"}

// gateDocuments are those that the plan consists of.
var gateDocuments = []string{document.Spec, document.Roadmap, document.Plan, document.Whole}

// Unready is what keeps the plan of a task from being carried out.
func (s *Records) Unready(ctx context.Context, t task.Task) (task.Unready, error) {
	subject, err := s.Subject(ctx, t)
	if err != nil {
		return task.Unready{}, err
	}
	found := document.Check(subject, "", gateRules...).Findings
	found = slices.DeleteFunc(found, func(f document.Finding) bool { return !slices.Contains(gateDocuments, f.Document) })
	said := make([]string, len(found))
	for i, f := range found {
		said[i] = place(f) + ": " + f.Text
	}
	lacks := task.NewUnready(said)
	lacks.N = min(len(found), task.MaxUnready)
	if len(t.Phases) == 0 {
		lacks.Plans = plansPhases(subject.Texts)
	}
	return lacks, nil
}

// plansPhases is the document whose phases a task is to have: "" where none plans
// some, or something in them waits to be filled in.
func plansPhases(texts map[string][]byte) task.DocName {
	for _, name := range []task.DocName{task.DocRoadmap, task.DocPlan} {
		open := func(p document.PlannedPhase) bool { return len(document.Placeholders(p.Title)) > 0 }
		planned := document.PlannedPhases(string(name), texts[string(name)])
		if len(planned) > 0 && !slices.ContainsFunc(planned, open) {
			return name
		}
	}
	return ""
}

// WithPlan is a task as it is told: what comes next may hang on what its plan lacks.
// Texts that can't be read lack nothing here: whoever begins work is told.
func (s *Records) WithPlan(ctx context.Context, t task.Task) task.Task {
	t.Unready = task.Unready{}
	if route.AsksPlan(t) {
		t.Unready, _ = s.Unready(ctx, t)
	}
	return t
}

// place is where a finding is, as compilers say it.
func place(f document.Finding) string {
	if f.Line == 0 {
		return f.Document
	}
	return fmt.Sprintf("%s:%d", f.Document, f.Line)
}

// PlanAsked is the file in the cache directory that holds what the plan of a task
// lacked, or planned, when it was last asked, and what came next: hooks ask at every
// call, and would read every document each time.
const PlanAsked = "plan-asked"

// askedPlan is what follows from a task's tip and from the rules alone, which are the
// program's.
type askedPlan struct {
	Program string       `json:"program"`
	Tip     string       `json:"tip"`
	Unready task.Unready `json:"unready"`
	Next    route.Step   `json:"next"`
}

// AskPlan completes a brief where what comes next hangs on what the plan lacks. The
// answer is kept where it is asked for again and again, for one task.
func (s *Records) AskPlan(ctx context.Context, tip gitstore.OID, b *Brief, keep bool) error {
	piece, _ := s.Clone.Repo.Cache.GetPiece(PlanAsked, statcache.Watch{})
	var a askedPlan
	if json.Unmarshal([]byte(piece), &a) == nil && a.Program == s.Clone.Program && a.Tip == tip.String() {
		b.Task.Unready, b.Next = a.Unready, a.Next
		return nil
	}
	var err error
	if b.Task.Unready, err = s.Unready(ctx, b.Task); err != nil {
		b.Task.Unready = task.Unready{}
		return nil //nolint:nilerr // who can't read the plan is not kept from what it has
	}
	if !b.Task.Unready.Empty() {
		t, err := ledger.Load(ctx, s.Clone.Ledger, TaskLaw(), tip)
		if err != nil {
			return fmt.Errorf("read task %s: %w", b.Task.ID, err)
		}
		t.Unready = b.Task.Unready
		b.Next = route.Next(t)
	}
	if !keep {
		return nil
	}
	data, err := json.Marshal(askedPlan{
		Program: s.Clone.Program, Tip: tip.String(), Unready: b.Task.Unready,
		Next: b.Next,
	})
	if err == nil {
		s.Clone.Repo.Cache.PutPiece(PlanAsked, statcache.Watch{}, data)
	}
	return nil
}
