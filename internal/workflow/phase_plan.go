package workflow

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/document"
	"github.com/git-brew/git-brew/internal/ledger"
	"github.com/git-brew/git-brew/internal/operation"
	"github.com/git-brew/git-brew/internal/task"
)

// PlannedResult is what became of the phases that a document plans.
type PlannedResult struct {
	Task task.Task
	From string // the document
	// Added are new; Kept were there, and stay as they are.
	Added, Kept []task.Phase
	Notes       []string
	Next        task.Step
}

// AddPlanned adds the phases that a document of the task plans, its roadmap or its
// plan, and that the task does not have: all of them, or none. What it has stays as
// it is, so a second time adds nothing. Commands that verify them wait for trust, as
// whatever stands in a text does.
func (s *Service) AddPlanned(ctx context.Context, id task.ID, name string) (PlannedResult, error) {
	var out PlannedResult
	after, err := s.change(ctx, id, func(ctx context.Context, c *change) error {
		doc, err := task.ParseDocName(c.Task, name)
		if err != nil {
			return err
		}
		out = PlannedResult{From: c.Task.ShownDoc(doc)}
		d, err := s.document(ctx, c.Task, doc)
		if err != nil {
			return err
		}
		planned := document.PlannedPhases(d.Text)
		if len(planned) == 0 {
			return refuse("give each a section \"Phase 1: Title\", or 'git brew phase add TITLE'", "%s names no phases", out.From)
		}
		a := planAdder{change: c, out: &out, planned: planned}
		return a.add(ctx)
	})
	if err != nil {
		return out, err
	}
	out.Task, out.Next = after, task.Next(after)
	return out, nil
}

// planAdder adds the phases of a document, in its order.
type planAdder struct {
	*change
	out     *PlannedResult
	planned []document.PlannedPhase
}

func (a *planAdder) add(ctx context.Context) error {
	var last task.UID
	var late []document.PlannedPhase // they wait for phases that come behind them
	for _, p := range a.planned {
		if have, ok := a.find(p.ID); ok {
			last = have.UID
			if !slices.ContainsFunc(a.out.Added, func(q task.Phase) bool { return q.UID == have.UID }) {
				a.keep(p, have)
			}
			continue
		}
		draft, waits, err := a.draft(p, last)
		if err != nil {
			return err
		}
		if draft.ID == "" {
			continue
		}
		if err := a.Do(ctx, draft); err != nil {
			return err
		}
		added, _ := a.Task.Phase(draft.ID)
		a.out.Added, last = append(a.out.Added, added), added.UID
		if waits {
			late = append(late, p)
		}
	}
	for _, p := range late {
		phase, _ := a.find(p.ID)
		edit := task.PhaseEditPayload{Phase: phase.UID}
		for _, id := range p.DependsOn {
			if on, ok := a.find(id); ok && !slices.Contains(phase.DependsOn, on.UID) {
				edit.AddDependsOn = append(edit.AddDependsOn, on.UID)
			}
		}
		if err := a.do(ctx, task.OpPhaseEdit, edit); err != nil {
			return err
		}
	}
	for i, p := range a.out.Added {
		a.out.Added[i], _ = a.Task.Phase(p.UID)
	}
	return nil
}

// keep notes a phase that is there already.
func (a *planAdder) keep(p document.PlannedPhase, have task.Phase) {
	a.out.Kept = append(a.out.Kept, have)
	if p.Title != "" && !strings.EqualFold(p.Title, have.Title) {
		a.note("phase %s is called %q in the task, and stays so", have.ID, have.Title)
	}
}

func (a *planAdder) note(format string, args ...any) {
	a.out.Notes = append(a.out.Notes, fmt.Sprintf(format, args...))
}

func (a *planAdder) find(id string) (task.Phase, bool) {
	i := slices.IndexFunc(a.Task.Phases, func(p task.Phase) bool { return document.SamePhase(p.ID, id) })
	if i < 0 {
		return task.Phase{}, false
	}
	return a.Task.Phases[i], true
}

// draft is the operation that adds a phase; none where the phase comes up by itself.
// It waits where it depends on phases that are not there yet.
func (a *planAdder) draft(p document.PlannedPhase, after task.UID) (d ledger.Draft, waits bool, err error) {
	where := fmt.Sprintf("%s:%d", a.out.From, p.Line)
	if open := document.Placeholders(p.Title + " " + p.Word + " " + strings.Join(p.DependsOn, " ")); len(open) > 0 {
		return d, false, refuse("fill it in, with 'git brew doc edit "+a.out.From+"'", "%s: %s is not filled in", where, open[0])
	}
	add := task.PhaseAddPayload{Title: p.Title, ShownID: p.ID, After: after, Acceptance: a.filled(p.Acceptance), Verification: a.filled(p.Verify), Agents: agents(p.Agents)}
	switch {
	case p.Kind == document.Fix:
		a.note("phase %s repairs another, and is left out: 'git brew phase revise' adds it when its time comes", p.ID)
		return d, false, nil
	case p.Word != "":
		if add.Kind, err = task.ParsePhaseKind(p.Word); err != nil {
			return d, false, fmt.Errorf("%s: %w", where, err)
		}
	case p.Kind == document.FinalReview:
		add.Kind = task.KindFinalReview
	}
	if kind, parent, ok := a.Task.KindOf(p.ID); ok && (add.Kind == "" || add.Kind == kind) {
		add.Kind, add.Parent = kind, parent.UID
	}
	if err := checkSimple(add.Verification); err != nil {
		return d, false, fmt.Errorf("%s: %w", where, err)
	}
	for _, id := range p.DependsOn {
		on, there := a.find(id)
		switch {
		case there && on.UID != add.Parent: // it waits for what it verifies anyhow
			add.DependsOn = append(add.DependsOn, on.UID)
		case there:
		case slices.ContainsFunc(a.planned, func(q document.PlannedPhase) bool { return document.SamePhase(q.ID, id) }):
			waits = true
		case strings.ContainsAny(id, "0123456789"):
			return d, false, refuse("see 'git brew doc check "+a.out.From+"'", "%s: phase %s depends on %q, which is no phase", where, p.ID, id)
		default:
			a.note("phase %s: %q is no phase, and it does not wait for that", p.ID, strings.ToLower(id))
		}
	}
	uid, err := operation.NewID(a.s.random)
	return ledger.Draft{ID: uid, Kind: task.OpPhaseAdd, Payload: add}, waits, err
}

// filled are the texts in which nothing waits to be filled in.
func (a *planAdder) filled(all []string) []string {
	return slices.DeleteFunc(slices.Clone(all), func(s string) bool { return len(document.Placeholders(s)) > 0 })
}

// agents are names as reports have them, without what is not filled in.
func agents(all []string) []string {
	var names []string
	for _, name := range all {
		if name = task.AgentName(name); name != "" && !slices.Contains(names, name) && len(document.Placeholders(name)) == 0 {
			names = append(names, name)
		}
	}
	return names
}
