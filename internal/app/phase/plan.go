package phase

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/app/change"
	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/document"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/route"
)

// PlannedResult is what became of the phases that a document plans.
type PlannedResult struct {
	Task task.Task
	From string // the document
	// Added are new; Kept were there, and stay as they are.
	Added, Kept []task.Phase
	Notes       []string
	Next        route.Step
}

// AddPlanned adds the phases that a document of the task plans, its roadmap or its
// plan, and that the task does not have: all of them, or none. What it has stays as
// it is, so a second time adds nothing. Commands that verify them wait for trust, as
// whatever stands in a text does.
func (s *Phases) AddPlanned(ctx context.Context, id task.ID, name string) (PlannedResult, error) {
	var out PlannedResult
	after, err := s.Engine.Update(ctx, id, func(ctx context.Context, c *change.Tx) error {
		doc, err := task.ParseDocName(c.Task, name)
		if err != nil {
			return err
		}
		out = PlannedResult{From: c.Task.ShownDoc(doc)}
		d, err := s.Records.Document(ctx, c.Task, doc)
		if err != nil {
			return err
		}
		planned := document.PlannedPhases(out.From, d.Text)
		if len(planned) == 0 {
			return clone.Refuse("give each a section \"Phase 1: Title\", or 'git brew phase add TITLE'", "%s names no phases",
				out.From)
		}
		a := planAdder{Tx: c, out: &out, planned: planned}
		return a.add(ctx)
	})
	if err != nil {
		return out, err
	}
	out.Task, out.Next = after, s.Next.Step(ctx, after)
	return out, nil
}

// planAdder adds the phases of a document, in its order: what a phase belongs to, or waits
// for, stands in front of it.
type planAdder struct {
	*change.Tx
	out     *PlannedResult
	planned []document.PlannedPhase
}

func (a *planAdder) add(ctx context.Context) error {
	var last task.UID
	for _, p := range a.planned {
		have, there := a.find(p.ID)
		switch {
		case !there:
			add, err := a.payload(p, last)
			if err == nil {
				have, err = Add(ctx, a.Tx, add)
			}
			if err != nil {
				return fmt.Errorf("%s:%d: %w", a.out.From, p.Line, err)
			}
			a.out.Added = append(a.out.Added, have)
		case !slices.ContainsFunc(a.out.Added, func(q task.Phase) bool { return q.UID == have.UID }):
			a.out.Kept = append(a.out.Kept, have)
		default:
			a.note("phase %s stands there twice, and the first one counts", have.ID)
			continue
		}
		if p.Title != "" && !strings.EqualFold(p.Title, have.Title) {
			a.note("phase %s is called %q in the task, and stays so", have.ID, have.Title)
		}
		last = have.UID
	}
	return nil
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

func (a *planAdder) payload(p document.PlannedPhase, after task.UID) (add task.PhaseAddPayload, err error) {
	if open := document.Placeholders(p.Title + " " + p.Word + " " + strings.Join(p.DependsOn, " ")); len(open) > 0 {
		return add, clone.Refuse("fill it in, with 'git brew doc edit "+a.out.From+"'", "%s is not filled in", open[0])
	}
	add = task.PhaseAddPayload{
		Title: p.Title, ShownID: p.ID, After: after, Acceptance: filled(p.Acceptance),
		Verification: filled(p.Verify), Agents: agents(p.Agents),
	}
	switch {
	case p.Word != "":
		if add.Kind, err = task.ParsePhaseKind(p.Word); err != nil {
			return add, err
		}
	case p.Kind == document.FinalReview:
		add.Kind = task.KindFinalReview
	}
	if p.Kind == document.Fix || add.Kind == task.KindFix {
		return add, clone.Refuse("take it out; 'git brew phase revise' adds it when its time comes",
			"phase %s repairs another, and is none to plan", p.ID)
	}
	if _, there := a.find(p.Of); add.Kind == "" && !there && a.plans(p.Of) {
		return add, clone.Refuse("put that in front", "phase %s belongs to %s, which stands behind it", p.ID, p.Of)
	}
	for _, id := range p.DependsOn {
		on, there := a.find(id)
		switch {
		case there:
			add.DependsOn = append(add.DependsOn, on.UID)
		case a.plans(id):
			return add, clone.Refuse("put that in front", "phase %s depends on %s, which stands behind it", p.ID, id)
		case document.NamesPhase(id):
			return add, clone.Refuse("see 'git brew doc check "+a.out.From+"'", "phase %s depends on %q, which is no phase",
				p.ID, id)
		default:
			a.note("phase %s: %q is no phase, and it does not wait for that", p.ID, strings.ToLower(id))
		}
	}
	return add, nil
}

func (a *planAdder) plans(id string) bool {
	return slices.ContainsFunc(a.planned, func(p document.PlannedPhase) bool { return document.SamePhase(p.ID, id) })
}

// filled are the texts in which nothing waits to be filled in.
func filled(all []string) []string {
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
